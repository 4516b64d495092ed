package tui

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxSkeletonDepth bounds how far required objects in objects are filled in: a
// schema may refer to itself.
const maxSkeletonDepth = 4

// schema is the part of a JSON Schema that a skeleton needs.
type schema struct {
	Type       schemaType        `json:"type"`
	Required   []string          `json:"required"`
	Properties json.RawMessage   `json:"properties"`
	Default    json.RawMessage   `json:"default"`
	Const      json.RawMessage   `json:"const"`
	Enum       []json.RawMessage `json:"enum"`
}

// schemaType is a type or a list of types, of which the first that is not null
// counts.
type schemaType string

func (t *schemaType) UnmarshalJSON(data []byte) error {
	var list []string
	if json.Unmarshal(data, &list) != nil {
		var one string
		if err := json.Unmarshal(data, &one); err != nil {
			return err
		}
		list = []string{one}
	}
	for _, name := range list {
		if *t = schemaType(name); name != "null" {
			return nil
		}
	}
	return nil
}

// skeleton returns an input with the required fields of a schema, in the order
// in which it declares them, and an empty value for each. A schema that it
// cannot read gives {}.
func skeleton(raw json.RawMessage) string {
	var s schema
	if json.Unmarshal(raw, &s) != nil {
		return "{}"
	}
	return s.object(0)
}

func (s schema) object(depth int) string {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range s.required() {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(p.name)
		if err != nil {
			continue
		}
		b.Write(key)
		b.WriteByte(':')
		b.WriteString(p.schema.value(depth + 1))
	}
	b.WriteByte('}')
	return b.String()
}

// value is a value that fits the schema, as empty as it can be.
func (s schema) value(depth int) string {
	switch {
	case s.Const != nil:
		return compact(s.Const)
	case s.Default != nil:
		return compact(s.Default)
	case len(s.Enum) > 0:
		return compact(s.Enum[0])
	}
	switch s.Type {
	case "integer", "number":
		return "0"
	case "boolean":
		return "false"
	case "array":
		return "[]"
	case "null":
		return "null"
	case "object":
		if depth < maxSkeletonDepth {
			return s.object(depth)
		}
		return "{}"
	}
	return `""`
}

type property struct {
	name   string
	schema schema
}

// required returns the required properties in the order of the schema's text,
// which is the order their author thought of; a map would lose it.
func (s schema) required() []property {
	decoder := json.NewDecoder(bytes.NewReader(s.Properties))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var found []property
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return found
		}
		name, ok := token.(string)
		var raw json.RawMessage
		if !ok || decoder.Decode(&raw) != nil {
			return found
		}
		if slices.Contains(s.Required, name) {
			// A property may also be true, or of a form not known here.
			var p schema
			if json.Unmarshal(raw, &p) != nil {
				p = schema{}
			}
			found = append(found, property{name, p})
		}
	}
	return found
}
