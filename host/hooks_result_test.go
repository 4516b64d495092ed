package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/session"
)

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
		if r := refusal(t, h.givenUp(t)); r.Code != pipeline.Cancelled {
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
