package sdk

import (
	"encoding/json"
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// describeTool writes spec as the host reads it.
func describeTool(tool Tool, spec Spec) (*proto.Tool, error) {
	input, err := schemaJSON(spec.InputSchema)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if input == nil {
		input = []byte(`{"type":"object"}`)
	}
	output, err := schemaJSON(spec.OutputSchema)
	if err != nil {
		return nil, fmt.Errorf("output schema: %w", err)
	}
	_, plans := tool.(Planner)
	described := &proto.Tool{
		Name:            spec.Name,
		Title:           spec.Title,
		Description:     spec.Description,
		InputSchema:     input,
		OutputSchema:    output,
		Annotations:     annotations(spec),
		Load:            proto.Load(spec.Load),
		Plans:           plans,
		MaxResultBytes:  uint32(max(spec.MaxResultBytes, 0)),
		SearchHints:     spec.SearchHints,
		ExampleQueries:  spec.ExampleQueries,
		Server:          spec.Server,
		ActivationScope: spec.ActivationScope,
	}
	if spec.Timeout > 0 {
		described.Timeout = durationpb.New(spec.Timeout)
	}
	for _, s := range spec.Subjects {
		described.Subjects = append(described.Subjects, &proto.SubjectField{
			Field: s.Field, Kind: string(s.Kind), Access: string(s.Access),
		})
	}
	return described, nil
}

// annotations leaves out what spec does not claim: the protocol tells apart a
// claim that is false and none.
func annotations(spec Spec) *proto.Annotations {
	claim := func(made bool) *bool {
		if !made {
			return nil
		}
		return &made
	}
	return &proto.Annotations{
		ReadOnly:    claim(spec.ReadOnly),
		Destructive: claim(spec.Destructive),
		Idempotent:  claim(spec.Idempotent),
		OpenWorld:   claim(spec.OpenWorld),
	}
}

// schemaJSON returns nil for no schema.
func schemaJSON(schema *jsonschema.Schema) ([]byte, error) {
	if schema == nil {
		return nil, nil
	}
	return json.Marshal(schema)
}
