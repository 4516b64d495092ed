package search

import (
	"encoding/json"
	"maps"
	"slices"
)

const (
	// maxSchemaBytes bounds the schemas that are read. What is larger is a
	// table, not a description of an input.
	maxSchemaBytes = 256 << 10
	// maxSchemaNodes bounds the properties that are read of one schema.
	maxSchemaNodes = 400
	// maxValues bounds the enum values that are read of one property.
	maxValues = 40
)

// nested are the keywords under which a schema holds further ones.
var nested = []string{"items", "additionalProperties", "anyOf", "oneOf", "allOf", "$defs", "definitions"}

// properties calls visit for each property of a JSON Schema, at every depth, in
// an order that depends on the schema only. A schema that cannot be read has none.
func properties(schema json.RawMessage, visit func(name, description string, values []string)) {
	if len(schema) == 0 || len(schema) > maxSchemaBytes {
		return
	}
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return
	}
	w := schemaWalk{visit: visit, left: maxSchemaNodes}
	w.walk(root)
}

type schemaWalk struct {
	visit func(name, description string, values []string)
	left  int
}

func (w *schemaWalk) walk(node any) {
	if list, ok := node.([]any); ok {
		for _, item := range list {
			w.walk(item)
		}
		return
	}
	object, ok := node.(map[string]any)
	if !ok {
		return
	}
	if values := enumValues(object); len(values) > 0 {
		w.visit("", "", values)
	}
	if named, ok := object["properties"].(map[string]any); ok {
		w.named(named)
	}
	for _, keyword := range nested {
		child := object[keyword]
		if definitions, ok := child.(map[string]any); ok && (keyword == "$defs" || keyword == "definitions") {
			for _, name := range slices.Sorted(maps.Keys(definitions)) {
				w.walk(definitions[name])
			}
			continue
		}
		w.walk(child)
	}
}

func (w *schemaWalk) named(children map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(children)) {
		if w.left == 0 {
			return
		}
		w.left--
		child, _ := children[name].(map[string]any)
		description, _ := child["description"].(string)
		w.visit(name, description, nil)
		w.walk(children[name])
	}
}

// enumValues are the strings that a value may be.
func enumValues(schema map[string]any) []string {
	list, _ := schema["enum"].([]any)
	var values []string
	for _, value := range list[:min(len(list), maxValues)] {
		if s, ok := value.(string); ok {
			values = append(values, s)
		}
	}
	return values
}
