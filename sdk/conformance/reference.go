package conformance

import (
	"reflect"
	"strconv"
	"strings"
)

// references looks at how the parts of a schema refer to each other. endless
// tells of a part that applies to the very value it was reached by: no instance
// can be checked by it, and trying would take for ever. foreign tells of
// references by other means than a JSON pointer, which are not followed.
func references(root map[string]any) (endless, foreign bool) {
	w := &walk{root: root, state: make(map[uintptr]visit)}
	w.parts(root)
	return w.endless, w.foreign
}

type visit int

const (
	open visit = iota + 1 // on the way from the part where the walk began
	done
)

type walk struct {
	root             map[string]any
	state            map[uintptr]visit
	endless, foreign bool
}

// parts begins at every object of the document. Some are no schemas; they have
// no references either.
func (w *walk) parts(node any) {
	switch node := node.(type) {
	case map[string]any:
		w.apply(node)
		for _, child := range node {
			w.parts(child)
		}
	case []any:
		for _, child := range node {
			w.parts(child)
		}
	}
}

// apply follows what applies to the same value as part does.
func (w *walk) apply(part map[string]any) {
	id := reflect.ValueOf(part).Pointer()
	switch w.state[id] {
	case open:
		w.endless = true
		return
	case done:
		return
	}
	w.state[id] = open
	defer func() { w.state[id] = done }()
	for keyword, value := range part {
		switch keyword {
		case "$ref":
			if ref, ok := value.(string); ok {
				w.follow(ref)
			}
		case "$dynamicRef":
			w.foreign = true
		case "allOf", "anyOf", "oneOf":
			choices, _ := value.([]any)
			for _, choice := range choices {
				w.applyAny(choice)
			}
		case "not", "if", "then", "else":
			w.applyAny(value)
		case "dependentSchemas", "dependencies":
			dependents, _ := value.(map[string]any)
			for _, dependent := range dependents {
				w.applyAny(dependent)
			}
		}
	}
}

func (w *walk) applyAny(node any) {
	if part, ok := node.(map[string]any); ok {
		w.apply(part)
	}
}

// follow resolves a JSON pointer (RFC 6901) in the document.
func (w *walk) follow(ref string) {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && !strings.HasPrefix(pointer, "/") || strings.Contains(pointer, "%") {
		w.foreign = true
		return
	}
	var node any = w.root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch at := node.(type) {
		case map[string]any:
			node = at[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return // Resolve complains
			}
			node = at[i]
		}
	}
	w.applyAny(node)
}
