package conformance

import (
	"encoding/json"
	"fmt"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// plainText is what free strings of generated inputs are.
const plainText = "example"

// tool is one tool of the provider and what the suite may do with it.
type tool struct {
	*proto.Tool
	input, output *schema // nil when there is none that is valid
	// fault is what is wrong with the schemas; nil for nothing.
	fault error

	// sample is an input to plan with, and to call with if withheld is empty.
	// It is nil when there is none.
	sample json.RawMessage
	// given tells that sample is the author's and not made from the schema.
	given bool
	// withheld says why the tool is not called.
	withheld string
	// long is an input of a call that lasts; nil for none.
	long json.RawMessage
}

func (s *suite) tool(described *proto.Tool) *tool {
	t := &tool{Tool: described, long: s.options.LongInputs[described.GetName()]}
	var err error
	if t.input, err = parseSchema(described.GetInputSchema()); err != nil {
		t.fault = fmt.Errorf("its input schema %w", err)
	}
	if len(described.GetOutputSchema()) > 0 {
		if t.output, err = parseSchema(described.GetOutputSchema()); err != nil {
			t.fault = fmt.Errorf("its output schema %w", err)
		}
	}
	t.sample, t.given = s.options.Inputs[described.GetName()]
	switch claims := described.GetAnnotations(); {
	case t.given:
		if t.input != nil {
			if err := t.input.validate(t.sample); err != nil {
				t.withheld = fmt.Sprintf("the input that was given for it is not valid by its schema: %v", err)
			}
		}
		return t
	case t.long != nil:
		t.withheld = "the only input that was given for it lasts"
	case !claims.GetReadOnly():
		t.withheld = "it does not say that it is read-only, so a call might do harm"
	case claims.GetOpenWorld():
		t.withheld = "it reaches beyond this machine"
	}
	if t.input == nil {
		t.withheld = "its schema is not valid"
		return t
	}
	if t.sample, _, err = sampleInput(described, t.input, plainText); err != nil && t.withheld == "" {
		t.withheld = err.Error()
	}
	return t
}

// withText is an input made from the schema, with text in all free strings. It is
// nil when there are none, or when the tool is called with the author's input only.
func (t *tool) withText(text string) json.RawMessage {
	claims := t.GetAnnotations()
	if t.withheld != "" || !claims.GetReadOnly() || claims.GetOpenWorld() || t.input == nil {
		return nil
	}
	input, free, err := sampleInput(t.Tool, t.input, text)
	if err != nil || !free {
		return nil
	}
	return input
}

// callable are the tools that may be called.
func (s *suite) callable() []*tool {
	var callable []*tool
	for _, t := range s.tools {
		if t.withheld == "" && t.sample != nil {
			callable = append(callable, t)
		}
	}
	return callable
}

const (
	// hintInput is for what cannot be checked without a call.
	hintInput = "give an input that is safe: --input %[1]s=JSON, or sdktest.Options.Inputs"
	hintCalls = "give inputs that are safe: --input TOOL=JSON, or sdktest.Options.Inputs"
	hintLong  = "give an input of a call that lasts: --long-input TOOL=JSON, or sdktest.Options.LongInputs"
)

// nothingCallable is the verdict of checks that need a call.
func nothingCallable() verdict { return skipped(hintCalls, "no tool may be called") }
