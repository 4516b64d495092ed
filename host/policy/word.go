package policy

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Word is one word of a command after quote removal.
type Word struct {
	// Text is the word as the command gets it. What is only known when the
	// command runs is left out of it, but $HOME stands as "~".
	Text string
	// Static tells that Text is the whole word, and one word.
	Static bool
}

// readWord removes quotes and escapes, and notes what bash would expand.
func readWord(word *syntax.Word) Word {
	r := wordReader{static: true}
	for i, part := range word.Parts {
		r.part(part, i == 0)
	}
	text := r.text.String()
	// zsh expands =name to the path of a command.
	if lit, ok := word.Parts[0].(*syntax.Lit); ok && strings.HasPrefix(lit.Value, "=") {
		r.static = false
	}
	// {} alone is what find and xargs use; every other open brace may expand,
	// also when its comma stands in another part of the word.
	if r.braces && text != "{}" {
		r.static = false
	}
	return Word{Text: text, Static: r.static}
}

type wordReader struct {
	text   strings.Builder
	static bool
	braces bool // an unquoted { was seen
}

func (r *wordReader) part(part syntax.WordPart, first bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.literal(part.Value, first)
	case *syntax.SglQuoted:
		if part.Dollar {
			r.static = false // $'...' has escapes of its own
			return
		}
		r.text.WriteString(part.Value)
	case *syntax.DblQuoted:
		if part.Dollar {
			r.static = false // $"..." is translated
		}
		for _, inner := range part.Parts {
			r.quoted(inner)
		}
	case *syntax.ParamExp:
		r.parameter(part)
	default:
		r.static = false
	}
}

// quoted reads a part inside double quotes.
func (r *wordReader) quoted(part syntax.WordPart) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.doubleQuoted(part.Value)
	case *syntax.ParamExp:
		r.parameter(part)
	default:
		r.static = false
	}
}

func (r *wordReader) parameter(param *syntax.ParamExp) {
	r.static = false
	if param.Param != nil && param.Param.Value == "HOME" {
		r.text.WriteString("~")
	}
}

// literal reads unquoted text: a backslash keeps the next character.
func (r *wordReader) literal(value string, first bool) {
	for i := 0; i < len(value); i++ {
		switch c := value[i]; c {
		case '\\':
			i++
			if i < len(value) && value[i] != '\n' {
				r.text.WriteByte(value[i])
			}
		case '*', '?', '[':
			r.static = false
			r.text.WriteByte(c)
		case '{':
			r.braces = true
			r.text.WriteByte(c)
		case '~':
			// A tilde elsewhere than at the start expands only in assignments,
			// and ~user or ~+ is a directory that is not known here.
			if first && i == 0 && len(value) > 1 && value[1] != '/' {
				r.static = false
			}
			r.text.WriteByte(c)
		default:
			r.text.WriteByte(c)
		}
	}
}

// doubleQuoted reads text in double quotes, where a backslash is special only
// before the characters that POSIX lists (XCU 2.2.3).
func (r *wordReader) doubleQuoted(value string) {
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && strings.IndexByte("$`\"\\\n", value[i+1]) >= 0 {
			i++
			if value[i] == '\n' {
				continue
			}
		}
		r.text.WriteByte(value[i])
	}
}
