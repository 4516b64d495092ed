package host_test

import (
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
)

func TestPreToolUse(t *testing.T) {
	t.Parallel()
	const pre = "event = \"pre_tool_use\""
	t.Run("a deny ends the call and is in the log", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "guard", pre, answersWith(`{"decision":"deny","reason":"not on a Sunday"}`))
		})
		_, err := h.invoke("nothing", fields{})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || r.Reason != "not on a Sunday" {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
		if said := h.said(hook.PreToolUse); len(said) != 1 || said[0].Outcome != "deny" || said[0].Hook != "guard" || said[0].CallID == "" {
			t.Errorf("the log has %+v", said)
		}
	})
	t.Run("an ask puts a card up, with the messages of all hooks", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "guard", pre, answersWith(`{"decision":"ask","reason":"sure?","systemMessage":"look twice"}`)) +
				hookBlock(t, dir, "shaky", pre+"\n  on_error = \"warn\"", "echo out of paper >&2", "exit 1")
		})
		stop := h.answers(approval.Decision{Verdict: approval.Allow})
		_, err := h.invoke("nothing", fields{})
		requests := stop()
		if err != nil || len(requests) != 1 || requests[0].Reason != "sure?" ||
			!contains(requests[0].Warnings, "guard: look twice") || !contains(requests[0].Warnings, "shaky: the hook failed: it ended without an answer: exit status 1: out of paper") {
			t.Errorf("err = %v, requests = %+v", err, requests)
		}
	})
	t.Run("a rewritten input is judged again", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return "policy {\n  deny = [\"Read(secret.txt)\"]\n}\n" +
				hookBlock(t, dir, "rewrite", pre+"\n  matcher = \"Read\"", answersWith(`{"hookSpecificOutput":{"updatedInput":{"path":"secret.txt"}}}`))
		})
		h.write("secret.txt", "hunter2")
		h.write("a.txt", "a")
		_, err := h.invoke("Read", fields{"path": "a.txt"})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || !strings.Contains(r.Reason, "Read(secret.txt)") {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("a rewritten input runs", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "rewrite", pre+"\n  matcher = \"Read\"", answersWith(`{"hookSpecificOutput":{"updatedInput":{"path":"b.txt"},"additionalContext":"b is newer"}}`))
		})
		h.write("a.txt", "from a")
		h.write("b.txt", "from b")
		outcome, err := h.invoke("Read", fields{"path": "a.txt"})
		if err != nil || !strings.Contains(outcome.Text, "from b") || !strings.HasSuffix(outcome.Text, "hook rewrite: b is newer") {
			t.Errorf("outcome = %+v, %v", outcome, err)
		}
	})
	t.Run("an allow does not allow what policy asks about", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "kind", pre, answersWith(`{"decision":"allow"}`))
		})
		_, err := h.invoke("Bash", fields{"command": "make"})
		if r := refusal(t, err); r.Code != pipeline.NobodyToAsk {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("hooks of the program that embeds the host are asked as well", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "declared", pre, answersWith(`{"systemMessage":"one"}`))
		}, func(o *host.Options) { o.Hooks = []hook.Hook{say{hook.Answer{Warnings: []string{"two"}}}} })
		if _, err := h.invoke("nothing", fields{}); err != nil {
			t.Fatal(err)
		}
		if said := h.said(hook.PreToolUse); len(said) != 2 || said[0].Hook != "say" || said[1].Hook != "declared" {
			t.Errorf("the log has %+v", said)
		}
	})
}

func TestPermissionRequest(t *testing.T) {
	t.Parallel()
	allow := func(t *testing.T) func(dir string) string {
		return func(dir string) string {
			return hookBlock(t, dir, "mine", "event = \"permission_request\"\n  matcher = \"Bash\"",
				answersWith(`{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`))
		}
	}
	t.Run("a hook of the person's allows in their place, and the journal says so", func(t *testing.T) {
		h := personal(t, allow(t))
		outcome, err := h.invoke("Bash", fields{"command": "echo $((40+2))"})
		if err != nil || !strings.Contains(outcome.Text, "42") {
			t.Fatalf("outcome = %+v, %v", outcome, err)
		}
		records := h.Journal().Records()
		if len(records) != 1 || records[0].Decision.By != "hook mine" || records[0].Decision.Verdict != approval.Allow || records[0].Request.Tool != "Bash" {
			t.Errorf("the journal has %+v", records)
		}
	})
	for claim, command := range map[string]string{
		"it does not allow a critical command": "mkfs.ext4 /nowhere/disk",
		"it does not allow a protected path":   "echo x > .npmrc",
	} {
		t.Run(claim, func(t *testing.T) {
			h := personal(t, allow(t))
			stop := h.answers(approval.Decision{Verdict: approval.Deny})
			_, err := h.invoke("Bash", fields{"command": command})
			requests := stop()
			if r := refusal(t, err); r.Code != pipeline.PersonDenied || len(requests) != 1 || !contains(requests[0].Warnings, "which only a person may") {
				t.Errorf("refusal %s: %s, requests %+v", r.Code, r.Reason, requests)
			}
		})
	}
	t.Run("it does not allow what a rule denies", func(t *testing.T) {
		h := personal(t, func(dir string) string { return "policy {\n  deny = [\"Bash(make *)\"]\n}\n" + allow(t)(dir) })
		_, err := h.invoke("Bash", fields{"command": "make it"})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("a hook of a workspace does not allow", func(t *testing.T) {
		h := inWorkspace(t, true, allow(t))
		_, err := h.invoke("Bash", fields{"command": "make"})
		if r := refusal(t, err); r.Code != pipeline.NobodyToAsk {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
		if said := h.said(hook.PermissionRequest); len(said) != 1 || !contains(said[0].Warnings, "only a hook of your own") {
			t.Errorf("the log has %+v", said)
		}
	})
	t.Run("a hook of a workspace denies", func(t *testing.T) {
		h := inWorkspace(t, true, func(dir string) string {
			return hookBlock(t, dir, "strict", `event = "permission_request"`, "echo not here >&2", "exit 2")
		})
		_, err := h.invoke("Bash", fields{"command": "make"})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || r.Reason != "not here" {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("it is not asked about what runs unasked", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "strict", `event = "permission_request"`, "exit 2")
		})
		if _, err := h.invoke("nothing", fields{}); err != nil {
			t.Error(err)
		}
	})
}
