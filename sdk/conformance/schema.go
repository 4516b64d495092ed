package conformance

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/google/jsonschema-go/jsonschema"
)

// schema is a JSON Schema that instances can be checked by.
type schema struct {
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// parseSchema accepts what the host does: the schema of an object, which refers
// to nothing outside of itself.
func parseSchema(data []byte) (*schema, error) {
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, fmt.Errorf("is not JSON: %w", err)
	}
	object, ok := document.(map[string]any)
	if !ok || object["type"] != "object" {
		return nil, fmt.Errorf(`does not have "type": "object"`)
	}
	dropForeignPatterns(object)
	data, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("is not valid: %w", err)
	}
	s := &schema{root: new(jsonschema.Schema)}
	if err := json.Unmarshal(data, s.root); err != nil {
		return nil, fmt.Errorf("is not valid: %w", err)
	}
	if s.resolved, err = s.root.Resolve(nil); err != nil {
		return nil, fmt.Errorf("is not valid: %w", err)
	}
	return s, nil
}

// dropForeignPatterns removes the patterns of ECMAScript that Go's regexp has
// not. They are legal, and what they match is not asked here.
func dropForeignPatterns(node any) {
	switch node := node.(type) {
	case map[string]any:
		if pattern, ok := node["pattern"].(string); ok {
			if _, err := regexp.Compile(pattern); err != nil {
				delete(node, "pattern")
			}
		}
		for _, child := range node {
			dropForeignPatterns(child)
		}
	case []any:
		for _, child := range node {
			dropForeignPatterns(child)
		}
	}
}

// validate checks a JSON document.
func (s *schema) validate(data []byte) error {
	var instance any
	if err := json.Unmarshal(data, &instance); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return s.resolved.Validate(instance)
}
