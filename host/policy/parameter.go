package policy

import (
	"encoding/json"
	"strings"
)

// parameter matches a top-level field of an input by its value.
type parameter struct {
	field string
	// value may have stars.
	value string
}

// match tells whether the input has the field with such a value. A field that is
// not given never matches, nor does a list or an object.
func (p parameter) match(input map[string]json.RawMessage) bool {
	raw, ok := input[p.field]
	if !ok {
		return false
	}
	text, ok := scalar(raw)
	return ok && matchWildcard(starred(p.value), text)
}

// scalar is the text of a string, a number or a boolean.
func scalar(raw json.RawMessage) (text string, ok bool) {
	trimmed := strings.TrimSpace(string(raw))
	switch {
	case trimmed == "" || trimmed == "null" || trimmed[0] == '{' || trimmed[0] == '[':
		return "", false
	case trimmed[0] == '"':
		err := json.Unmarshal(raw, &text)
		return text, err == nil
	}
	return trimmed, true
}
