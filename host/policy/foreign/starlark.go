package foreign

import (
	"fmt"
	"strings"
)

// starlarkCall is a call with keyword arguments, as a statement.
type starlarkCall struct {
	name string
	line int
	args map[string]starlarkValue
}

// starlarkValue is a string or a list.
type starlarkValue struct {
	text string
	list []starlarkValue // not nil for a list
}

func (v starlarkValue) texts() []string {
	texts := make([]string, len(v.list))
	for i, element := range v.list {
		texts[i] = element.text
	}
	return texts
}

// maxListDepth is how deep lists may nest; rules need two.
const maxListDepth = 8

// parseStarlark reads calls with keyword arguments that are strings and lists.
// Anything else of the language is an error.
func parseStarlark(text string) ([]starlarkCall, error) {
	p := &starlarkParser{text: text}
	var calls []starlarkCall
	for {
		p.blanks()
		if p.at >= len(p.text) {
			return calls, nil
		}
		call, err := p.call()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line(), err)
		}
		calls = append(calls, call)
	}
}

type starlarkParser struct {
	text string
	at   int
}

func (p *starlarkParser) line() int { return strings.Count(p.text[:min(p.at, len(p.text))], "\n") + 1 }

// blanks skips white space, comments and statement ends.
func (p *starlarkParser) blanks() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\r', '\n', ';':
			p.at++
		case '#':
			end := strings.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		default:
			return
		}
	}
}

// take skips blanks and then c, if it is there.
func (p *starlarkParser) take(c byte) bool {
	p.blanks()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	return false
}

func (p *starlarkParser) name() string {
	p.blanks()
	start := p.at
	for p.at < len(p.text) && (p.text[p.at] == '_' || p.text[p.at] >= 'a' && p.text[p.at] <= 'z' || p.text[p.at] >= 'A' && p.text[p.at] <= 'Z' || p.at > start && p.text[p.at] >= '0' && p.text[p.at] <= '9') {
		p.at++
	}
	return p.text[start:p.at]
}

func (p *starlarkParser) call() (starlarkCall, error) {
	call := starlarkCall{line: p.line(), args: make(map[string]starlarkValue)}
	if call.name = p.name(); call.name == "" || !p.take('(') {
		return call, fmt.Errorf("only calls such as prefix_rule(pattern = [...]) are understood")
	}
	for !p.take(')') {
		name := p.name()
		if name == "" || !p.take('=') {
			return call, fmt.Errorf("an argument of %s has no name", call.name)
		}
		value, err := p.value(0)
		if err != nil {
			return call, fmt.Errorf("argument %s of %s: %w", name, call.name, err)
		}
		call.args[name] = value
		if !p.take(',') {
			if p.take(')') {
				break
			}
			return call, fmt.Errorf("a comma or a parenthesis is missing in %s", call.name)
		}
	}
	return call, nil
}

func (p *starlarkParser) value(depth int) (starlarkValue, error) {
	p.blanks()
	if p.at >= len(p.text) {
		return starlarkValue{}, fmt.Errorf("the value is missing")
	}
	switch c := p.text[p.at]; {
	case c == '[' || c == '(':
		if depth >= maxListDepth {
			return starlarkValue{}, fmt.Errorf("lists nest too deeply")
		}
		return p.listValue(depth)
	case c == '"' || c == '\'':
		text, err := p.stringValue()
		return starlarkValue{text: text}, err
	}
	return starlarkValue{}, fmt.Errorf("only strings and lists are understood")
}

func (p *starlarkParser) listValue(depth int) (starlarkValue, error) {
	end := byte(']')
	if p.text[p.at] == '(' {
		end = ')'
	}
	p.at++
	value := starlarkValue{list: []starlarkValue{}}
	for !p.take(end) {
		element, err := p.value(depth + 1)
		if err != nil {
			return value, err
		}
		value.list = append(value.list, element)
		if !p.take(',') && !p.take(end) {
			return value, fmt.Errorf("a comma or a bracket is missing in a list")
		} else if p.at > 0 && p.text[p.at-1] == end {
			break
		}
	}
	return value, nil
}

// stringValue reads a string of one or three quotes.
func (p *starlarkParser) stringValue() (string, error) {
	quote := p.text[p.at : p.at+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(p.text[p.at:], triple) {
		quote = triple
	}
	p.at += len(quote)
	var text strings.Builder
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case strings.HasPrefix(p.text[p.at:], quote):
			p.at += len(quote)
			return text.String(), nil
		case c == '\\' && p.at+1 < len(p.text):
			escaped := p.text[p.at+1]
			i := strings.IndexByte("nrt\\'\"", escaped)
			if i < 0 {
				return "", fmt.Errorf("the escape \\%c is not understood", escaped)
			}
			text.WriteByte("\n\r\t\\'\""[i])
			p.at += 2
		case c == '\n' && len(quote) == 1:
			return "", fmt.Errorf("a string is not closed")
		default:
			text.WriteByte(c)
			p.at++
		}
	}
	return "", fmt.Errorf("a string is not closed")
}
