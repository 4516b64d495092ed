package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/hashicorp/hcl/v2"
)

// shape is how a value of a schema is written in HCL.
type shape int

const (
	shapeAny    shape = iota // an argument of any type
	shapeScalar              // an argument: a string, a number, a bool
	shapeList                // an argument with a list
	shapeMap                 // an argument with an object of any keys
	shapeBlock               // a block, or an argument with an object
	shapeBlocks              // blocks, or an argument with a list of objects
)

// node is a part of a plugin's schema. The zero node accepts anything.
type node struct {
	root, schema *jsonschema.Schema
}

// parseSchema reads the schema of a config block. Empty text is a plugin that
// takes no configuration, for which ok is false.
func parseSchema(text json.RawMessage) (n node, ok bool, err error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || string(text) == "null" {
		return node{}, false, nil
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		return node{}, false, fmt.Errorf("read its schema: %w", err)
	}
	return node{&schema, &schema}, true, nil
}

// maxRefs bounds chains of references, which may be circles.
const maxRefs = 16

// child makes a node of a part of the schema, following local references.
func (n node) child(schema *jsonschema.Schema) node {
	for range maxRefs {
		if schema == nil || schema.Ref == "" {
			break
		}
		schema = n.definition(schema.Ref)
	}
	return node{n.root, schema}
}

func (n node) definition(ref string) *jsonschema.Schema {
	if ref == "#" {
		return n.root
	}
	if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
		return n.root.Defs[name]
	}
	if name, ok := strings.CutPrefix(ref, "#/definitions/"); ok {
		return n.root.Definitions[name]
	}
	return nil
}

// kind is the one type of the node, besides null; empty when it has several.
func (n node) kind() string {
	if n.schema == nil {
		return ""
	}
	types := n.schema.Types
	if n.schema.Type != "" {
		types = []string{n.schema.Type}
	}
	types = slices.DeleteFunc(slices.Clone(types), func(t string) bool { return t == "null" })
	switch {
	case len(types) == 1:
		return types[0]
	case len(types) == 0 && len(n.schema.Properties) > 0:
		return "object"
	}
	return ""
}

func (n node) shape() shape {
	switch n.kind() {
	case "string", "number", "integer", "boolean":
		return shapeScalar
	case "object":
		if len(n.schema.Properties) > 0 {
			return shapeBlock
		}
		return shapeMap
	case "array":
		// Not the shape of the items: a schema may be a list of itself.
		if items := n.items(); items.kind() == "object" && len(items.schema.Properties) > 0 {
			return shapeBlocks
		}
		return shapeList
	}
	return shapeAny
}

func (n node) items() node {
	if n.schema == nil {
		return node{root: n.root}
	}
	return n.child(n.schema.Items)
}

// names are the properties in a stable order.
func (n node) names() []string {
	if n.schema == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(n.schema.Properties))
}

// property is the node of a property; one that is not named has the schema of
// the additional ones.
func (n node) property(name string) node {
	if n.schema == nil {
		return node{root: n.root}
	}
	if schema, ok := n.schema.Properties[name]; ok {
		return n.child(schema)
	}
	return n.child(n.schema.AdditionalProperties)
}

// open reports whether properties that are not named are accepted.
func (n node) open() bool {
	if n.schema == nil || n.schema.AdditionalProperties == nil {
		return true
	}
	// The schema false is kept as "not anything".
	return n.schema.AdditionalProperties.Not == nil
}

// body is the schema of an HCL body for the node's properties.
func (n node) body() *hcl.BodySchema {
	body := &hcl.BodySchema{}
	for _, name := range n.names() {
		shape := n.property(name).shape()
		if shape == shapeBlock || shape == shapeBlocks {
			body.Blocks = append(body.Blocks, hcl.BlockHeaderSchema{Type: name})
		}
		body.Attributes = append(body.Attributes, hcl.AttributeSchema{Name: name})
	}
	return body
}
