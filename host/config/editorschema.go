package config

import (
	"encoding/json"
	"maps"
)

// EditorSchema is a JSON Schema (2020-12) of config.hcl.json, for editors. Like
// [Load] it knows no other arguments than those of [Blocks]; unlike it, it knows
// nothing of what values mean. What stands in a config block is up to its plugin.
func EditorSchema() json.RawMessage {
	properties := map[string]any{commentKey: true}
	for _, block := range Blocks() {
		properties[block.Type] = block.editorSchema()
	}
	return marshal(map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "Toolcrib configuration in HCL's JSON syntax",
		"description":          "See docs/configuration.md. Native HCL (config.hcl) has the same blocks and arguments.",
		"type":                 "object",
		"properties":           properties,
		"additionalProperties": false,
	})
}

// commentKey is a comment in HCL's JSON syntax.
const commentKey = "//"

type schemaNode = map[string]any

// editorSchema is that of all blocks of the type in a file: by their labels, if they
// have any. Where HCL's JSON syntax has an object, a list of them means the same.
func (b Block) editorSchema() schemaNode {
	properties := schemaNode{commentKey: true}
	for _, attribute := range b.Attributes {
		properties[attribute.Name] = attribute.editorSchema()
	}
	if b.Config {
		properties["config"] = schemaNode{"type": []string{"object", "array"}, "description": "The plugin's own settings; its documentation tells them."}
	}
	body := oneOrMore(schemaNode{"type": "object", "properties": properties, "additionalProperties": false})
	if b.Label != "" {
		body = oneOrMore(schemaNode{"type": "object", "properties": schemaNode{commentKey: true}, "additionalProperties": body})
	}
	body["description"] = b.Doc
	return body
}

func oneOrMore(object schemaNode) schemaNode {
	return schemaNode{"anyOf": []any{object, schemaNode{"type": "array", "items": object}}}
}

func (a Attribute) editorSchema() schemaNode {
	schema := schemaNode{}
	switch a.Type {
	case TypeString, TypeDuration:
		schema = oneOf(a.Values)
	case TypeBool:
		schema = orTemplate(schemaNode{"type": "boolean"})
	case TypeNumber:
		schema = orTemplate(schemaNode{"type": "integer"})
	case TypeStrings:
		schema = orTemplate(schemaNode{"type": "array", "items": schemaNode{"type": "string"}})
	case TypeObject:
		schema = orTemplate(schemaNode{"type": "object", "additionalProperties": oneOf(a.Values)})
	case TypeRules:
		schema = orTemplate(schemaNode{"type": "array", "items": editorRule()})
	}
	schema = maps.Clone(schema)
	schema["description"] = a.Doc
	if a.Default != nil {
		schema["default"] = a.Default
	}
	return schema
}

// oneOf is a string, one of values if there are any.
func oneOf(values []string) schemaNode {
	if len(values) == 0 {
		return schemaNode{"type": "string"}
	}
	return orTemplate(schemaNode{"enum": values})
}

// orTemplate is a value, or an expression that gives one.
func orTemplate(value schemaNode) schemaNode {
	return schemaNode{"anyOf": []any{value, schemaNode{"type": "string", "pattern": `[$%]\{`}}}
}

func editorRule() schemaNode {
	examples := schemaNode{"type": "array", "items": schemaNode{"type": "string"}}
	return schemaNode{"anyOf": []any{
		schemaNode{"type": "string"},
		schemaNode{
			"type":                 "object",
			"properties":           schemaNode{"rule": schemaNode{"type": "string"}, "match": examples, "not_match": examples},
			"required":             []string{"rule"},
			"additionalProperties": false,
		},
	}}
}
