package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// sampler makes an instance of a schema: what is required, and nothing else.
type sampler struct {
	root *jsonschema.Schema
	// text is what free strings are.
	text string
	// fixed are the top-level properties whose value is known.
	fixed map[string]any
	// texts counts the free strings that were made, and values all of them.
	texts, values int
}

const (
	// deepest and mostValues bound schemas that refer to themselves.
	deepest    = 12
	mostValues = 1000
	// longestPad bounds what is added to reach a minimal length.
	longestPad = 1 << 20
)

// sampleInput makes a valid input for a tool. Subjects are such that nothing comes
// of them: only a path may be any text. free tells whether text occurs in it.
func sampleInput(tool *proto.Tool, s *schema, text string) (input json.RawMessage, free bool, err error) {
	if s.resolved == nil {
		return nil, false, errors.New("its schema has references that are not followed")
	}
	m := &sampler{root: s.root, text: text, fixed: make(map[string]any)}
	for _, subject := range tool.GetSubjects() {
		switch sdk.SubjectKind(subject.GetKind()) {
		case sdk.SubjectPath:
			if text != plainText {
				continue
			}
			m.fixed[subject.GetField()] = sampleFile
		case sdk.SubjectCommand:
			m.fixed[subject.GetField()] = "true"
		case sdk.SubjectDomain:
			m.fixed[subject.GetField()] = "example.invalid"
		}
	}
	input, err = json.Marshal(m.object(s.root, true, 0))
	if err != nil {
		return nil, false, err
	}
	if err := s.validate(input); err != nil {
		return nil, false, fmt.Errorf("an input made from the schema does not satisfy it: %w", err)
	}
	return input, m.texts > 0, nil
}

// value makes an instance of s.
func (m *sampler) value(s *jsonschema.Schema, depth int) any {
	m.values++
	if s == nil || depth > deepest || m.values > mostValues {
		return nil
	}
	if target := m.referred(s); target != nil {
		return m.value(target, depth+1)
	}
	switch {
	case s.Const != nil:
		return *s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Default) > 0:
		return s.Default
	}
	for _, choices := range [][]*jsonschema.Schema{s.AllOf, s.OneOf, s.AnyOf} {
		if len(choices) > 0 && s.Type == "" && len(s.Types) == 0 {
			return m.value(choices[0], depth+1)
		}
	}
	switch typeOf(s) {
	case "object":
		return m.object(s, false, depth)
	case "array":
		return m.array(s, depth)
	case "integer", "number":
		return number(s)
	case "boolean":
		return false
	case "null":
		return nil
	}
	return m.string(s)
}

// typeOf prefers a type that has values other than null.
func typeOf(s *jsonschema.Schema) string {
	for _, t := range s.Types {
		if t != "null" {
			return t
		}
	}
	if s.Type == "" && len(s.Properties) > 0 {
		return "object"
	}
	return s.Type
}

func (m *sampler) referred(s *jsonschema.Schema) *jsonschema.Schema {
	for prefix, definitions := range map[string]map[string]*jsonschema.Schema{
		"#/$defs/": m.root.Defs, "#/definitions/": m.root.Definitions,
	} {
		if name, ok := strings.CutPrefix(s.Ref, prefix); ok {
			return definitions[name]
		}
	}
	return nil
}

func (m *sampler) object(s *jsonschema.Schema, top bool, depth int) map[string]any {
	object := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		value, known := m.fixed[name]
		switch {
		case top && known:
			object[name] = value
		case slices.Contains(s.Required, name):
			object[name] = m.value(s.Properties[name], depth+1)
		}
	}
	return object
}

func (m *sampler) array(s *jsonschema.Schema, depth int) []any {
	array := []any{}
	for _, item := range s.PrefixItems {
		array = append(array, m.value(item, depth+1))
	}
	for s.MinItems != nil && len(array) < min(*s.MinItems, mostValues) {
		array = append(array, m.value(s.Items, depth+1))
	}
	return array
}

func number(s *jsonschema.Schema) float64 {
	n := 1.0
	if s.Minimum != nil {
		n = max(n, *s.Minimum)
	}
	if s.ExclusiveMinimum != nil {
		n = max(n, *s.ExclusiveMinimum+1)
	}
	if s.Maximum != nil {
		n = min(n, *s.Maximum)
	}
	if s.ExclusiveMaximum != nil {
		n = min(n, *s.ExclusiveMaximum-1)
	}
	if s.MultipleOf != nil {
		n = *s.MultipleOf
	}
	return n
}

func (m *sampler) string(s *jsonschema.Schema) string {
	if s.Pattern != "" || s.Format != "" {
		return m.bounded("1", s)
	}
	m.texts++
	return m.bounded(m.text, s)
}

// bounded makes text as long, or as short, as s wants it.
func (m *sampler) bounded(text string, s *jsonschema.Schema) string {
	runes := []rune(text)
	for s.MinLength != nil && len(runes) < min(*s.MinLength, longestPad) {
		runes = append(runes, 'x')
	}
	if s.MaxLength != nil && len(runes) > *s.MaxLength {
		runes = runes[:max(*s.MaxLength, 0)]
	}
	return string(runes)
}
