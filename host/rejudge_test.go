package host_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestPolicyThatChangesWhileACardWaits(t *testing.T) {
	t.Parallel()
	const asks = "policy {\n  approval_mode = \"auto\"\n"
	tests := map[string]struct {
		policy string // while the card is open
		code   pipeline.Code
	}{
		"a deny rule denies what the person allows":          {asks + "  deny = [\"Bash(touch *)\"]\n}\n", pipeline.PolicyDenied},
		"a denied tool is denied, too":                       {asks + "  deny = [\"Bash\"]\n}\n", pipeline.ToolDenied},
		"an ask rule does not ask about the same card again": {asks + "  ask = [\"Bash(touch *)\"]\n}\n", ""},
		"an allow rule lets it run":                          {asks + "  allow = [\"Bash(touch *)\"]\n}\n", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "config.hcl")
			put(t, file, asks+"}\n")
			h := open(t, func(o *host.Options) { o.UserConfig = file })
			detach := h.Approvals().Attach()
			defer detach()
			done := make(chan error, 1)
			go func() {
				_, err := h.invoke("Bash", fields{"command": "touch made"})
				done <- err
			}()
			card := h.awaitCard()
			put(t, file, tt.policy)
			if _, err := h.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := h.Approvals().Decide(card.ID, approval.Decision{Verdict: approval.Allow}); err != nil {
				t.Fatal(err)
			}
			err := <-done
			if tt.code == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if r := refusal(t, err); r.Code != tt.code {
				t.Errorf("code = %s, want %s", r.Code, tt.code)
			}
			if _, err := os.Stat(filepath.Join(h.dir, "made")); err == nil {
				t.Error("it ran")
			}
		})
	}
}

func TestAToolThatChangesWhileItsCardWaitsIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	h, _ := withShifty(t, "")
	detach := h.Approvals().Attach()
	defer detach()
	done := make(chan error, 1)
	var outcome *pipeline.Outcome
	go func() {
		var err error
		outcome, err = h.Invoke(t.Context(), pipeline.Invocation{Tool: "shifty__target", Input: json.RawMessage(`{"a":"x"}`)})
		done <- err
	}()
	card := h.awaitCard()
	h.become("described", func(p *pool.Pool) bool {
		now, _ := p.Lookup("shifty__target")
		return strings.Contains(now.Tool.Description, "else")
	})
	allow := approval.Decision{Verdict: approval.Allow}
	if err := h.Approvals().Decide(card.ID, allow); err != nil {
		t.Fatal(err)
	}
	again := h.awaitCard()
	if again.ID == card.ID || len(again.Warnings) != 1 || !strings.Contains(again.Warnings[0], "changed while you were asked") {
		t.Errorf("the second card warns %q", again.Warnings)
	}
	if err := h.Approvals().Decide(again.ID, allow); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || outcome.Text == "" {
		t.Errorf("outcome = %+v, %v", outcome, err)
	}
}
