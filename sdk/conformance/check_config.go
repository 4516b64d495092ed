package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// mostFaults bounds how many configurations are tried, each with a process of
// its own.
const mostFaults = 4

// configFaults configures the provider with values that its schema allows and
// that make little sense. It may accept them; when it refuses, it must say which
// attribute is at fault.
func (s *suite) configFaults(ctx context.Context) verdict {
	p, step, err := s.described(ctx)
	if err != nil {
		return failed("", "%s: %v", step, err)
	}
	described := p.described
	s.discard(p)
	if len(described.GetConfigSchema()) == 0 {
		return skipped("", "it takes no configuration")
	}
	parsed, err := parseSchema(described.GetConfigSchema())
	if err != nil {
		return skipped("", "its schema is not valid")
	}
	oddities := s.oddities(parsed)
	if len(oddities) == 0 {
		return skipped("", "its schema allows no value that is odd")
	}
	refused := 0
	for _, odd := range oddities {
		diagnostics, err := s.tryConfig(ctx, odd.config)
		if err == nil {
			err = diagnosticsFault(parsed.root, diagnostics)
		}
		if err != nil {
			return failed("answer Configure with a diagnostic whose path leads to the attribute; it is shown at its line of config.hcl",
				"%s = %s: %v", strings.Join(odd.path, "."), odd.value, err)
		}
		if refusal(diagnostics) != "" {
			refused++
		}
	}
	return passed("%d of %d odd values are refused, each with its path", refused, len(oddities))
}

// described starts a process up to Describe.
func (s *suite) described(ctx context.Context) (p *provider, step string, err error) {
	if p, err = s.launch(ctx, false); err != nil {
		return nil, stepHandshake, err
	}
	if err = p.describe(ctx); err != nil {
		s.discard(p)
		return nil, stepDescribe, err
	}
	return p, "", nil
}

func (s *suite) tryConfig(ctx context.Context, config json.RawMessage) ([]*proto.Diagnostic, error) {
	p, step, err := s.described(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", step, err)
	}
	defer s.discard(p)
	return p.configure(ctx, s.workspace, config)
}

// oddity is a configuration with one odd value.
type oddity struct {
	path   []string
	value  string
	config json.RawMessage
}

// oddities change one attribute of the configuration each.
func (s *suite) oddities(parsed *schema) []oddity {
	var all []oddity
	for _, leaf := range leaves(parsed.root, nil, 0) {
		for _, value := range leaf.values {
			base := make(map[string]any)
			_ = json.Unmarshal(s.options.Config, &base) // it is an object, or nothing
			set(base, leaf.path, value)
			config, err := json.Marshal(base)
			if err != nil || parsed.validate(config) != nil {
				continue
			}
			shown, _ := json.Marshal(value)
			all = append(all, oddity{leaf.path, string(shown), config})
			break
		}
		if len(all) == mostFaults {
			break
		}
	}
	return all
}

// leaf is an attribute that holds a plain value, and odd values for it.
type leaf struct {
	path   []string
	values []any
}

func leaves(s *jsonschema.Schema, path []string, depth int) []leaf {
	if depth > deepest {
		return nil
	}
	var found []leaf
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		at := append(slices.Clone(path), name)
		switch typeOf(property) {
		case "object":
			found = append(found, leaves(property, at, depth+1)...)
		case "string":
			found = append(found, leaf{at, []any{"☃ makes no sense", ""}})
		case "integer", "number":
			found = append(found, leaf{at, []any{-1, 1 << 40, 0}})
		}
	}
	return found
}

// set puts value at path, through objects that it makes where there are none.
func set(object map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		next, ok := object[name].(map[string]any)
		if !ok {
			next = make(map[string]any)
			object[name] = next
		}
		object = next
	}
	object[path[len(path)-1]] = value
}

// diagnosticsFault finds diagnostics that a person could do nothing with.
func diagnosticsFault(schema *jsonschema.Schema, diagnostics []*proto.Diagnostic) error {
	for _, d := range diagnostics {
		switch {
		case d.GetSeverity() != proto.Diagnostic_ERROR && d.GetSeverity() != proto.Diagnostic_WARNING:
			return fmt.Errorf("a diagnostic has the severity %d", d.GetSeverity())
		case d.GetSummary() == "":
			return errors.New("a diagnostic has no summary")
		case len(d.GetPath()) == 0:
			return fmt.Errorf("the diagnostic %q has no path", d.GetSummary())
		}
		at := schema
		for _, name := range d.GetPath() {
			if at = at.Properties[name]; at == nil {
				return fmt.Errorf("the path %v of a diagnostic leads to no attribute", d.GetPath())
			}
			if at.Properties == nil {
				break // an index into a list, a key of a map
			}
		}
	}
	return nil
}
