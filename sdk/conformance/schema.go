package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"

	"github.com/google/jsonschema-go/jsonschema"
)

// schema is a JSON Schema that instances can be checked by.
type schema struct {
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved // nil when it has foreign references
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
		return nil, errors.New(`does not have "type": "object"`)
	}
	endless, foreign := references(object)
	if endless {
		return nil, errors.New("refers to itself without end")
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
	resolved, err := s.root.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("is not valid: %w", err)
	}
	if !foreign {
		s.resolved = resolved
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

// validate checks a JSON document. By a schema with foreign references everything
// is valid.
func (s *schema) validate(data []byte) error {
	var instance any
	if err := json.Unmarshal(data, &instance); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if s.resolved == nil {
		return nil
	}
	return s.resolved.Validate(instance)
}
