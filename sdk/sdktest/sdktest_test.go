package sdktest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
)

type input struct {
	Text string `json:"text"`
}

func newProvider() *sdk.Provider {
	echo := func(_ context.Context, _ *sdk.Call, in input) (map[string]string, error) {
		return map[string]string{"text": in.Text}, nil
	}
	wait := func(ctx context.Context, call *sdk.Call, _ input) (string, error) {
		<-ctx.Done()
		return "stopped", nil
	}
	deny := func(context.Context, sdk.HookEvent) (*sdk.HookAnswer, error) {
		return &sdk.HookAnswer{Decision: sdk.HookDeny}, nil
	}
	return &sdk.Provider{
		Name: "sample", Version: "1.0.0",
		Tools: []sdk.Tool{
			sdk.NewTool(sdk.Spec{Name: "echo", Description: "Say it again.", ReadOnly: true}, echo),
			sdk.NewTool(sdk.Spec{Name: "wait", Description: "Wait until it is cancelled."}, wait),
		},
		Hooks: map[sdk.HookName]sdk.HookFunc{sdk.HookPreToolUse: deny},
	}
}

func TestRun(t *testing.T) {
	t.Run("in a subtest (with a name)", func(t *testing.T) {
		Run(t, newProvider(), Options{
			Inputs:     map[string]json.RawMessage{"echo": json.RawMessage(`{"text":"hello"}`)},
			LongInputs: map[string]json.RawMessage{"wait": json.RawMessage(`{"text":""}`)},
		})
	})
}
