package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk"
)

// hookBlock is a hook block whose script prints an answer, or does what else the
// lines say.
func hookBlock(t *testing.T, dir, name, attributes string, lines ...string) string {
	t.Helper()
	path := filepath.Join(dir, name+".sh")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("hook %q {\n  command = [%q]\n  %s\n}\n", name, path, attributes)
}

// answersWith is the line of a script that answers with an object.
func answersWith(object string) string { return "printf '%s' '" + object + "'" }

// personal opens a host with hooks of the person's own.
func personal(t *testing.T, hcl func(dir string) string, change ...func(*host.Options)) *opened {
	t.Helper()
	return open(t, func(o *host.Options) {
		o.UserConfig = filepath.Join(t.TempDir(), "config.hcl")
		put(t, o.UserConfig, hcl(t.TempDir()))
		for _, f := range change {
			f(o)
		}
	})
}

// inWorkspace opens a host with hooks of the workspace, agreed to or not.
func inWorkspace(t *testing.T, agreed bool, hcl func(dir string) string) *opened {
	t.Helper()
	return open(t, func(o *host.Options) {
		put(t, filepath.Join(o.Dir, "config.hcl"), "toolcrib {}\n"+hcl(o.Dir))
		if agreed {
			agree(t, *o)
		}
	})
}

func agree(t *testing.T, o host.Options) {
	t.Helper()
	_, request, diagnostics := host.EffectivePolicy(o)
	if diagnostics.HasErrors() || request == nil {
		t.Fatalf("diagnostics %+v, request %+v", diagnostics, request)
	}
	if err := trust.NewStore(o.StateDir).Grant(o.Dir, request.Set); err != nil {
		t.Fatal(err)
	}
}

// said are the answers of hooks in the log.
func (o *opened) said(event hook.Event) []session.HookAnswered {
	var found []session.HookAnswered
	for _, e := range o.Events().Since(0) {
		if b, ok := e.Body.(session.HookAnswered); ok && b.Event == string(event) {
			found = append(found, b)
		}
	}
	return found
}

func contains(texts []string, part string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, part) })
}

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

func TestPostToolUse(t *testing.T) {
	t.Parallel()
	const post = "event = \"post_tool_use\""
	t.Run("context and reasons reach the model", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "lint", post, answersWith(`{"decision":"block","reason":"run gofmt","hookSpecificOutput":{"additionalContext":"line 3"}}`))
		})
		outcome, err := h.invoke("nothing", fields{})
		if err != nil || outcome.Text != "done\n\nhook lint: run gofmt\n\nhook lint: line 3" {
			t.Errorf("outcome = %+v, %v", outcome, err)
		}
	})
	t.Run("another text takes the place of the result, which is kept", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "redact", post+"\n  matcher = \"Read\"", answersWith(`{"hookSpecificOutput":{"updatedToolOutput":"[redacted]"}}`))
		})
		h.write("a.txt", "hunter2")
		outcome, err := h.invoke("Read", fields{"path": "a.txt"})
		if err != nil || outcome.Text != "[redacted]" || outcome.Structured != nil || len(outcome.Content) != 1 || outcome.Content[0].Text != "[redacted]" {
			t.Fatalf("outcome = %+v, %v", outcome, err)
		}
		for _, e := range h.Events().Since(0) {
			switch b := e.Body.(type) {
			case session.ToolFinished:
				if strings.Contains(b.Text+string(b.Structured), "hunter2") {
					t.Errorf("the end of the call tells %+v", b)
				}
			case session.ResultReplaced:
				if kept, err := os.ReadFile(b.OriginalPath); err != nil || !strings.Contains(string(kept), "hunter2") {
					t.Errorf("kept is %q, %v", kept, err)
				}
				return
			}
		}
		t.Error("nothing tells where the result is kept")
	})
	t.Run("a hook that fails withholds the result", func(t *testing.T) {
		h := personal(t, func(dir string) string { return hookBlock(t, dir, "redact", post, "echo garbage") })
		outcome, err := h.invoke("nothing", fields{})
		if err != nil || !outcome.IsError || !strings.Contains(outcome.Text, "nothing has run, and its result is withheld: hook redact: the hook failed") {
			t.Errorf("outcome = %+v, %v", outcome, err)
		}
	})
	t.Run("a hook that may fail does not", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "lint", post+"\n  on_error = \"warn\"", "echo garbage")
		})
		outcome, err := h.invoke("nothing", fields{})
		if err != nil || outcome.Text != "done" || len(h.said(hook.PostToolUse)) != 1 {
			t.Errorf("outcome = %+v, %v", outcome, err)
		}
	})
	t.Run("a large result is seen whole", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "count", post, `printf '{"hookSpecificOutput":{"updatedToolOutput":"%d"}}' $(wc -c)`)
		})
		outcome, err := h.invoke("megabyte", fields{})
		var size int
		if err == nil {
			_, err = fmt.Sscan(outcome.Text, &size)
		}
		if err != nil || size < 1<<20 {
			t.Errorf("the hook saw %d bytes, %v", size, err)
		}
	})
}

func TestPostToolFailure(t *testing.T) {
	t.Parallel()
	declare := func(t *testing.T) func(dir string) string {
		return func(dir string) string {
			return hookBlock(t, dir, "helper", `event = "post_tool_failure"`, answersWith(`{"hookSpecificOutput":{"additionalContext":"ask Ann"}}`))
		}
	}
	t.Run("of a tool that answers with an error", func(t *testing.T) {
		h := personal(t, declare(t))
		outcome, err := h.invoke("Read", fields{"path": "nowhere.txt"})
		if err != nil || !outcome.IsError || !strings.HasSuffix(outcome.Text, "hook helper: ask Ann") {
			t.Errorf("outcome = %+v, %v", outcome, err)
		}
	})
	t.Run("of a call that runs out of time", func(t *testing.T) {
		h := personal(t, declare(t), func(o *host.Options) { o.CallTimeout = 100 * time.Millisecond })
		_, err := h.invoke("wait", fields{"path": filepath.Join(h.dir, "pid")})
		if r := refusal(t, err); r.Code != pipeline.TimedOut || !strings.Contains(r.Text(), "hook helper: ask Ann") {
			t.Errorf("refusal %s: %s", r.Code, r.Text())
		}
	})
	t.Run("of a call that is given up", func(t *testing.T) {
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "helper", `event = "post_tool_failure"`, `cat > "$TOOLCRIB_PROJECT_DIR/event"`)
		})
		ctx, cancel := context.WithCancel(t.Context())
		mark := filepath.Join(h.dir, "pid")
		failed := make(chan error, 1)
		go func() {
			_, err := h.Invoke(ctx, pipeline.Invocation{Tool: "wait", Input: json.RawMessage(fmt.Sprintf(`{"path":%q}`, mark))})
			failed <- err
		}()
		awaitPID(t, mark)
		cancel()
		if r := refusal(t, <-failed); r.Code != pipeline.Cancelled {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
		if event, err := os.ReadFile(filepath.Join(h.dir, "event")); err != nil || !strings.Contains(string(event), `"is_interrupt":true`) {
			t.Errorf("the hook was told %s, %v", event, err)
		}
	})
	t.Run("not of a call that never ran", func(t *testing.T) {
		h := personal(t, declare(t))
		_, err := h.invoke("Bash", fields{"command": "make"})
		if r := refusal(t, err); strings.Contains(r.Text(), "ask Ann") {
			t.Errorf("refusal %s", r.Text())
		}
	})
}

func TestSessionHooks(t *testing.T) {
	t.Parallel()
	declare := func(t *testing.T, log string) func(dir string) string {
		return func(dir string) string {
			return hookBlock(t, dir, "hello", `event = "session_start"`, "echo start >> "+log, "echo on branch main") +
				hookBlock(t, dir, "bye", `event = "session_end"`, "echo end >> "+log)
		}
	}
	lines := func(t *testing.T, log string) string {
		text, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), " ")
	}
	t.Run("run once, at the start and at the end", func(t *testing.T) {
		log := filepath.Join(t.TempDir(), "log")
		h := personal(t, declare(t, log))
		if got := lines(t, log); got != "start" || !contains(h.notices(0), "hook hello: on branch main") {
			t.Errorf("the log has %q, notices are %q", got, h.notices(0))
		}
		if _, err := h.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, log); got != "start end" {
			t.Errorf("the log has %q", got)
		}
	})
	t.Run("do not run where nobody has a session", func(t *testing.T) {
		log := filepath.Join(t.TempDir(), "log")
		h := personal(t, declare(t, log), func(o *host.Options) { o.NoSession = true })
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, log); got != "" {
			t.Errorf("the log has %q", got)
		}
	})
	t.Run("run when the workspace is agreed to", func(t *testing.T) {
		log := filepath.Join(t.TempDir(), "log")
		h := inWorkspace(t, false, declare(t, log))
		if got := lines(t, log); got != "" {
			t.Fatalf("before the agreement the log has %q", got)
		}
		if err := h.Trust(t.Context(), h.TrustRequest()); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, log); got != "start" {
			t.Errorf("the log has %q", got)
		}
	})
	t.Run("hold up Open no longer than a provider, and end with the session", func(t *testing.T) {
		mark := filepath.Join(t.TempDir(), "mark")
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "slow", `event = "session_start"`, "echo $$ > "+mark+".new && mv "+mark+".new "+mark, "sleep 600")
		}, func(o *host.Options) { o.StartTimeout = 2 * time.Second })
		pid := awaitPID(t, mark)
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d is still there: %v", pid, err)
		}
	})
}

func TestPromptsAndTurns(t *testing.T) {
	t.Parallel()
	h := personal(t, func(dir string) string {
		return hookBlock(t, dir, "censor", `event = "user_prompt"`, `if grep -q hunter2; then echo that is a password >&2; exit 2; fi`, "echo it is Monday") +
			hookBlock(t, dir, "tests", `event = "stop"`, `if grep -q '"stop_hook_active":false'; then `+answersWith(`{"decision":"block","reason":"run the tests"}`)+"; fi")
	})
	reply, err := h.Prompt(t.Context(), "what day is it")
	if err != nil || reply.RunID == "" || !slices.Equal(reply.Notes, []string{"hook censor: it is Monday"}) {
		t.Errorf("Prompt = %+v, %v", reply, err)
	}
	_, err = h.Prompt(t.Context(), "log in with hunter2")
	if refused, ok := err.(*host.PromptError); !ok || refused.Hook != "censor" || refused.Reason != "that is a password" {
		t.Errorf("Prompt = %v", err)
	}
	if turn, err := h.EndTurn(t.Context(), host.Turn{RunID: reply.RunID}); err != nil || !turn.GoOn || turn.Reason != "run the tests" {
		t.Errorf("EndTurn = %+v, %v", turn, err)
	}
	if turn, err := h.EndTurn(t.Context(), host.Turn{RunID: reply.RunID, Again: true}); err != nil || turn.GoOn {
		t.Errorf("EndTurn = %+v, %v", turn, err)
	}
	if !contains(h.notices(0), `hook "tests" runs when a model's turn ends`) {
		t.Errorf("notices are %q", h.notices(0))
	}
}

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
