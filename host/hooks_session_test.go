package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
)

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
	t.Run("are ended when they hold up the end", func(t *testing.T) {
		mark := filepath.Join(t.TempDir(), "mark")
		h := personal(t, func(dir string) string {
			return hookBlock(t, dir, "slow", `event = "session_end"`, "echo $$ > "+mark, "sleep 600")
		})
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(awaitPID(t, mark), 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("the hook is still there: %v", err)
		}
		if !contains(h.notices(0), "hooks at session_end took longer") {
			t.Errorf("notices are %q", h.notices(0))
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
