package pool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// check finds out whether a tool can be offered. What is not JSON is taken out
// of a faulty tool, so that it can still be listed.
func check(tool Tool) candidate {
	var faults []error
	if tool.ProviderName == "" {
		faults = append(faults, errors.New("it has no name"))
	}
	if err := checkInputSchema(tool.InputSchema); err != nil {
		faults = append(faults, fmt.Errorf("its input schema %w", err))
	}
	if len(tool.OutputSchema) > 0 && !json.Valid(tool.OutputSchema) {
		faults = append(faults, errors.New("its output schema is not JSON"))
	}
	for _, schema := range []*json.RawMessage{&tool.InputSchema, &tool.OutputSchema} {
		if !json.Valid(*schema) {
			*schema = nil
		}
	}
	c := candidate{tool: tool}
	var err error
	if c.digest, err = digestOf(tool); err != nil {
		faults = append(faults, err)
	}
	if len(faults) > 0 {
		c.fault = fmt.Sprintf("cannot be offered, which only its author can mend: %v", errors.Join(faults...))
	}
	return c
}

// checkInputSchema accepts what models do: the schema of an object.
func checkInputSchema(raw json.RawMessage) error {
	if len(raw) == 0 {
		return errors.New("is missing")
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("is not JSON: %w", err)
	}
	object, ok := document.(map[string]any)
	if !ok || object["type"] != "object" {
		return errors.New(`does not have "type": "object"`)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.UseRegexpEngine(anyPattern)
	const location = "toolcrib:input"
	if err := compiler.AddResource(location, document); err != nil {
		return fmt.Errorf("is not valid: %w", err)
	}
	if _, err := compiler.Compile(location); err != nil {
		return fmt.Errorf("is not valid: %w", err)
	}
	return nil
}

// noLoader keeps a schema from reading files or the network by its $ref.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("refers to %q, which is outside of it", url)
}

// anyPattern accepts the patterns of ECMAScript that Go's regexp has not. What
// they match is not asked here.
func anyPattern(pattern string) (jsonschema.Regexp, error) { return unmatched(pattern), nil }

type unmatched string

func (u unmatched) String() string        { return string(u) }
func (unmatched) MatchString(string) bool { return true }
