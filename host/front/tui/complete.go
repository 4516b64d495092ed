package tui

import (
	"encoding/json"
	"slices"
	"strings"
)

// words is what the input line can complete.
type words struct {
	commands []string
	tools    func() []string
	schema   func(tool string) (json.RawMessage, bool)
	ids      func() []string
	// providers are those that can be reloaded.
	providers func() []string
}

// completion is what Tab does to the input line.
type completion struct {
	text   string
	cursor int // byte offset in text
	// candidates are the ways to go on, when there are several.
	candidates []string
}

// complete completes text at the cursor, a byte offset. Text that cannot be
// completed comes back as it is.
func (w words) complete(text string, cursor int) completion {
	same := completion{text: text, cursor: cursor}
	name, rest, hasArgs := strings.Cut(text, " ")
	switch {
	case !strings.HasPrefix(text, "/"):
		return same
	case !hasArgs:
		return finish("", name, w.commands)
	case name == "/call":
		return w.completeCall(same, rest)
	case name == "/mode":
		return completeMode(same, rest)
	case name == "/reload":
		return finish("/reload ", rest, w.providers())
	case name == "/plugins":
		if rest, ok := strings.CutPrefix(rest, "reload "); ok {
			return finish("/plugins reload ", rest, w.providers())
		}
		return finish("/plugins ", rest, []string{"reload"})
	case name == "/details":
		return finish("/details ", rest, w.ids())
	}
	return same
}

// completeCall completes a tool's name, then puts in a skeleton of its input,
// then moves from one empty value to the next.
func (w words) completeCall(same completion, rest string) completion {
	tool, input, hasInput := strings.Cut(rest, " ")
	if !hasInput {
		return finish("/call ", tool, w.tools())
	}
	if strings.TrimSpace(input) != "" {
		same.cursor = nextEmpty(same.text, same.cursor)
		return same
	}
	schema, ok := w.schema(tool)
	if !ok {
		return same
	}
	text := "/call " + tool + " " + skeleton(schema)
	start := len(text) - len(skeleton(schema))
	return completion{text: text, cursor: nextEmpty(text, start)}
}

// nextEmpty returns the place inside of the next "" after the cursor, going on
// from the start; the end when there is none.
func nextEmpty(text string, cursor int) int {
	input := strings.IndexByte(text, '{')
	if input < 0 {
		return len(text)
	}
	for _, from := range []int{max(cursor, input), input} {
		if at := strings.Index(text[min(from, len(text)):], `:""`); at >= 0 {
			return from + at + 2
		}
	}
	return len(text)
}

func completeMode(same completion, rest string) completion {
	what, mode, hasMode := strings.Cut(rest, " ")
	switch {
	case !hasMode:
		return finish("/mode ", what, []string{"approval"})
	case what != "approval":
		return same
	case strings.HasPrefix(mode, "trust "):
		return finish("/mode approval trust ", strings.TrimPrefix(mode, "trust "), []string{"confirm"})
	}
	return finish("/mode approval ", mode, modeNames())
}

// finish completes word to the only candidate, or as far as all agree. Upper and
// lower case are the same.
func finish(before, word string, candidates []string) completion {
	var match []string
	for _, c := range candidates {
		if len(c) >= len(word) && strings.EqualFold(c[:len(word)], word) {
			match = append(match, c)
		}
	}
	slices.Sort(match)
	match = slices.Compact(match)
	switch len(match) {
	case 0:
		text := before + word
		return completion{text: text, cursor: len(text)}
	case 1:
		text := before + match[0] + " "
		return completion{text: text, cursor: len(text)}
	}
	// Candidates that differ in case may agree on less than what is typed.
	if prefix := commonPrefix(match); len(prefix) > len(word) {
		word = prefix
	}
	text := before + word
	return completion{text: text, cursor: len(text), candidates: match}
}

func commonPrefix(words []string) string {
	prefix := words[0]
	for _, w := range words[1:] {
		n := 0
		for n < len(prefix) && n < len(w) && prefix[n] == w[n] {
			n++
		}
		prefix = prefix[:n]
	}
	return prefix
}
