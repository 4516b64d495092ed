package host_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/sdk"
)

// diesOnce takes its process down in the first call, and answers in those after.
func diesOnce(name string, idempotent bool) sdk.Tool {
	type input struct {
		Path string `json:"path"`
	}
	return sdk.NewTool(sdk.Spec{Name: name, Description: "Die once.", ReadOnly: true, Idempotent: idempotent},
		func(_ context.Context, _ *sdk.Call, in input) (string, error) {
			if _, err := os.Stat(in.Path); !errors.Is(err, fs.ErrNotExist) {
				return "done", err
			}
			if err := os.WriteFile(in.Path, nil, 0o600); err != nil {
				return "", err
			}
			os.Exit(7)
			return "", nil
		})
}

func TestOnlyAnIdempotentCallIsRepeatedWhenItsProviderDies(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	outcome, err := h.invoke("repeatable", fields{"path": filepath.Join(h.dir, "first")})
	if err != nil || outcome.Text != "done" {
		t.Errorf("repeatable answers %+v, %v", outcome, err)
	}
	_, err = h.invoke("unrepeatable", fields{"path": filepath.Join(h.dir, "second")})
	if r := refusal(t, err); r.Code != pipeline.ProviderFailed {
		t.Errorf("unrepeatable fails by %s: %s", r.Code, r.Reason)
	}
	starts := 0
	for _, event := range h.Events().Since(0) {
		if _, ok := event.Body.(session.ToolStarted); ok {
			starts++
		}
	}
	if starts != 3 {
		t.Errorf("the tools were started %d times, want 2 and 1", starts)
	}
}
