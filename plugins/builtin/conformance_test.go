package builtin

import (
	"encoding/json"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/sdktest"
)

func TestConformance(t *testing.T) {
	sdktest.Run(t, New("test"), sdktest.Options{
		Inputs: map[string]json.RawMessage{
			"Read": json.RawMessage(`{"path":"sample.txt"}`),
			"Edit": json.RawMessage(`{"path":"sample.txt","old_string":"second","new_string":"last"}`),
			"Bash": json.RawMessage(`{"command":"echo hello > made"}`),
		},
		LongInputs: map[string]json.RawMessage{
			"Bash": json.RawMessage(`{"command":"sleep 60"}`),
		},
	})
}
