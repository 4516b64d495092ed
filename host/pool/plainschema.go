package pool

import (
	"encoding/json"
	"strconv"
)

// isPlainSchema reports whether a schema is made of nothing but everyday keywords
// with values as they should be. Such a schema is valid, which a compiler takes
// about fifty times as long to find out; what is not plain may be valid, too.
//
// It expects a document of [jsonschema.UnmarshalJSON].
func isPlainSchema(node any) bool {
	if _, ok := node.(bool); ok {
		return true
	}
	schema, ok := node.(map[string]any)
	if !ok {
		return false
	}
	for keyword, value := range schema {
		if plain := plainKeywords(keyword); plain == nil || !plain(value) {
			return false
		}
	}
	return true
}

// plainKeywords returns what tells whether the value of a keyword is plain; nil
// for a keyword that is not.
func plainKeywords(keyword string) func(any) bool {
	switch keyword {
	case "type":
		return isTypeName
	case "title", "description", "format", "pattern":
		return func(v any) bool { _, ok := v.(string); return ok }
	case "properties":
		return isPlainProperties
	case "items", "additionalProperties":
		return isPlainSchema
	case "required":
		return isNameList
	case "enum", "examples":
		return func(v any) bool { _, ok := v.([]any); return ok }
	case "default", "const":
		return func(any) bool { return true }
	case "minimum", "maximum":
		return func(v any) bool { _, ok := v.(json.Number); return ok }
	case "minLength", "maxLength", "minItems", "maxItems":
		return isCount
	}
	return nil
}

func isTypeName(v any) bool {
	switch v {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return true
	}
	return false
}

func isPlainProperties(v any) bool {
	properties, ok := v.(map[string]any)
	for _, schema := range properties {
		ok = ok && isPlainSchema(schema)
	}
	return ok
}

func isNameList(v any) bool {
	list, ok := v.([]any)
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		name, isText := item.(string)
		if !isText || seen[name] {
			return false
		}
		seen[name] = true
	}
	return ok
}

func isCount(v any) bool {
	number, ok := v.(json.Number)
	if !ok {
		return false
	}
	_, err := strconv.ParseUint(number.String(), 10, 32)
	return err == nil
}
