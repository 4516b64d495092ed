package pipeline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// maxSchemas bounds the cache; a host with more tools than this compiles some
// of them again.
const maxSchemas = 4096

// schemas compiles input schemas once. The zero value is ready; it is safe for
// concurrent use.
type schemas struct {
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// validate checks input against schema and returns what is wrong with it, one
// line a fault, each starting with a JSON pointer. The error is for a schema
// that cannot be used.
func (s *schemas) validate(schema, input json.RawMessage) ([]string, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(input))
	if err != nil {
		return []string{"not JSON: " + err.Error()}, nil
	}
	compiled, err := s.get(schema)
	if err != nil {
		return nil, err
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(value); errors.As(err, &invalid) {
		return faults(invalid), nil
	} else if err != nil {
		return nil, err
	}
	return nil, nil
}

func (s *schemas) get(schema json.RawMessage) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if compiled, ok := s.compiled[string(schema)]; ok {
		return compiled, nil
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, fmt.Errorf("parse schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(refuseLoader{})
	if err := compiler.AddResource("tool.json", document); err != nil {
		return nil, fmt.Errorf("add schema: %w", err)
	}
	compiled, err := compiler.Compile("tool.json")
	if err != nil {
		return nil, fmt.Errorf("compile schema: %w", err)
	}
	if s.compiled == nil || len(s.compiled) >= maxSchemas {
		s.compiled = make(map[string]*jsonschema.Schema)
	}
	s.compiled[string(schema)] = compiled
	return compiled, nil
}

// refuseLoader keeps a tool's schema from making the host read a file or a URL.
type refuseLoader struct{}

func (refuseLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("schema refers to %s: only references inside a tool's own schema are followed", url)
}

// faults flattens a tree of errors to its leaves, which name the fields.
func faults(err *jsonschema.ValidationError) []string {
	if len(err.Causes) == 0 {
		pointer := "/" + strings.Join(err.InstanceLocation, "/")
		text := err.ErrorKind.LocalizedString(message.NewPrinter(language.English))
		return []string{pointer + ": " + text}
	}
	var all []string
	for _, cause := range err.Causes {
		all = append(all, faults(cause)...)
	}
	return all
}
