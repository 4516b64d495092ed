package host_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/sdk"
)

// guard is a provider without tools that looks at calls.
func guard() *sdk.Provider {
	return &sdk.Provider{Name: "guard", Version: "1.0.0", Hooks: map[sdk.HookName]sdk.HookFunc{
		sdk.HookPreToolUse: func(_ context.Context, event sdk.HookEvent) (*sdk.HookAnswer, error) {
			switch event.ToolName {
			case "nothing":
				return &sdk.HookAnswer{Decision: sdk.HookDeny, Reason: "nothing comes of it"}, nil
			case "megabyte":
				os.Exit(3)
			}
			return nil, nil
		},
		sdk.HookPermissionRequest: func(context.Context, sdk.HookEvent) (*sdk.HookAnswer, error) {
			return &sdk.HookAnswer{Decision: sdk.HookAllow}, nil
		},
		sdk.HookSessionStart: func(context.Context, sdk.HookEvent) (*sdk.HookAnswer, error) {
			return &sdk.HookAnswer{SystemMessage: "on watch"}, nil
		},
	}}
}

func TestAProviderIsAHook(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := open(t, func(o *host.Options) {
		o.Bundled = append(o.Bundled, host.Bundled{Name: "guard", Command: []string{self, "serve-guard"}})
	})
	_, err = h.invoke("nothing", fields{})
	if r := refusal(t, err); r.Code != pipeline.PolicyDenied || r.Reason != "nothing comes of it" {
		t.Errorf("a deny: refusal %s: %s", r.Code, r.Reason)
	}
	_, err = h.invoke("Bash", fields{"command": "make"})
	if r := refusal(t, err); r.Code != pipeline.NobodyToAsk {
		t.Errorf("an allow in the person's place: refusal %s: %s", r.Code, r.Reason)
	}
	_, err = h.invoke("megabyte", fields{})
	if r := refusal(t, err); r.Code != pipeline.PolicyDenied || !strings.Contains(r.Reason, "exited with status 3") {
		t.Errorf("a crash: refusal %s: %s", r.Code, r.Reason)
	}
	if said := h.said(hook.SessionStart); len(said) != 1 || !contains(said[0].Warnings, "on watch") {
		t.Errorf("at the start it said %+v", said)
	}
}
