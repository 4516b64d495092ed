package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
)

func TestNoHookOfAnUntrustedWorkspaceRuns(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	h := inWorkspace(t, false, func(dir string) string {
		var text string
		for _, event := range []string{
			"pre_tool_use", "post_tool_use", "post_tool_failure", "permission_request",
			"session_start", "session_end", "stop", "user_prompt",
		} {
			text += hookBlock(t, dir, event, fmt.Sprintf("event = %q", event), "echo "+event+" >> "+mark)
		}
		return text
	})
	_, _ = h.invoke("nothing", fields{})
	_, _ = h.invoke("Read", fields{"path": "nowhere"})
	_, _ = h.invoke("Bash", fields{"command": "make"})
	_, _ = h.Prompt(t.Context(), "hi")
	_, _ = h.EndTurn(t.Context(), host.Turn{})
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(mark); err == nil {
		t.Errorf("these have run:\n%s", text)
	}
}

func TestAHookThatChangedFailsUntilItIsAgreedToAgain(t *testing.T) {
	t.Parallel()
	h := inWorkspace(t, true, func(dir string) string {
		return hookBlock(t, dir, "guard", `event = "pre_tool_use"`, "exit 0")
	})
	if _, err := h.invoke("nothing", fields{}); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(h.dir, "guard.sh"), "#!/bin/sh\ntouch "+filepath.Join(h.dir, "ran")+"\n")
	for _, reload := range []bool{false, true} {
		if reload {
			if _, err := h.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		_, err := h.invoke("nothing", fields{})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || !strings.Contains(r.Reason, "toolcrib trust") {
			t.Errorf("reloaded %v: refusal %s: %s", reload, r.Code, r.Reason)
		}
	}
	if _, err := os.Stat(filepath.Join(h.dir, "ran")); err == nil {
		t.Error("what nobody agreed to has run")
	}
	if err := h.Trust(t.Context(), h.TrustRequest()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.invoke("nothing", fields{}); err != nil {
		t.Error(err)
	}
}

func TestReloadSwapsHooks(t *testing.T) {
	t.Parallel()
	var file string
	h := personal(t, func(string) string { return "" }, func(o *host.Options) { file = o.UserConfig })
	if _, err := h.invoke("nothing", fields{}); err != nil {
		t.Fatal(err)
	}
	put(t, file, hookBlock(t, t.TempDir(), "guard", `event = "pre_tool_use"`, "echo no >&2", "exit 2"))
	report, err := h.Reload(t.Context())
	if err != nil || !contains(report.Settings, "hook") {
		t.Fatalf("report = %+v, %v", report, err)
	}
	_, err = h.invoke("nothing", fields{})
	refusal(t, err)
	put(t, file, "")
	if _, err := h.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.invoke("nothing", fields{}); err != nil {
		t.Error(err)
	}
}
