package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostVariable) != "" {
		beHost()
	}
	goleak.VerifyTestMain(m)
}

// deadline is generous: a test that reaches it has failed.
const deadline = 2 * time.Minute

// eachShell runs a test in a real bash and a real zsh.
func eachShell(t *testing.T, test func(t *testing.T, shell string)) {
	for _, shell := range []string{"bash", "zsh"} {
		t.Run(shell, func(t *testing.T) {
			if _, err := exec.LookPath(shell); err != nil && shell != "bash" {
				t.Skipf("%s is not installed here", shell)
			}
			t.Parallel()
			test(t, shell)
		})
	}
}

// open starts a shell in a home of its own, whose startup file is rc.
func open(t *testing.T, shell, rc string, change ...func(*Config)) *Terminal {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{".bashrc", ".zshrc"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(rc), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	config := Config{
		Shell: shell,
		Dir:   home,
		Env:   []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"},
	}
	for _, f := range change {
		f(&config)
	}
	term, err := Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("state %+v, screen:\n%s", term.Status(), term.Snapshot())
		}
		if err := term.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return term
}

// until waits for a condition of the screen or the state.
func until(t *testing.T, term *Terminal, what string, met func() bool) {
	t.Helper()
	late := time.After(deadline)
	for {
		changed := term.Changed()
		if met() {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("never: %s; state %+v, screen:\n%s", what, term.Status(), term.Snapshot())
		}
	}
}

func shows(term *Terminal, text string) func() bool {
	return func() bool { return strings.Contains(term.Snapshot().String(), text) }
}

func atPrompt(term *Terminal) func() bool {
	return func() bool { return term.State() == AtPrompt }
}

func run(t *testing.T, term *Terminal, command string) Result {
	t.Helper()
	return runHandoff(t, term, Handoff{Command: command})
}

func runHandoff(t *testing.T, term *Terminal, h Handoff) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), deadline)
	defer cancel()
	r, err := term.Run(ctx, h)
	if err != nil {
		t.Fatalf("run %q: %v; screen:\n%s", h.Command, err, term.Snapshot())
	}
	return r
}

func code(r Result) int {
	if r.ExitCode == nil {
		return -1
	}
	return *r.ExitCode
}

func typeKeys(t *testing.T, term *Terminal, keys string) {
	t.Helper()
	if _, err := term.Write([]byte(keys)); err != nil {
		t.Fatal(err)
	}
}

// describe is a result with its exit code readable.
func describe(r Result) string { return fmt.Sprintf("exit code %d of %+v", code(r), r) }
