package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/hook/command"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/trust"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a hook that sh runs.
func script(t *testing.T, lines ...string) command.Command {
	t.Helper()
	return program(t, "#!/bin/sh\n"+strings.Join(lines, "\n")+"\n")
}

func program(t *testing.T, text string) command.Command {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hook")
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return command.Command{Program: trust.Own(path), Workspace: dir}
}

func TestAsk(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	large := `{"text":"` + strings.Repeat("x", 5<<20) + `"}`
	tests := map[string]struct {
		lines   []string
		input   string
		want    string // output
		blocked string // reason; "-" for one without
		failed  string // part of the error
	}{
		"a hook that is silent has no opinion":         {lines: []string{"exit 0"}},
		"its output is the answer":                     {lines: []string{`printf '{"decision":"deny"}'`}, want: `{"decision":"deny"}`},
		"it reads the event":                           {lines: []string{"cat"}, input: `{"tool_name":"Bash"}`, want: `{"tool_name":"Bash"}`},
		"it reads an event of 5 MB":                    {lines: []string{"wc -c | tr -d ' \\n'"}, input: large, want: fmt.Sprint(len(large))},
		"it need not read an event of 5 MB":            {lines: []string{"printf '{}'", "sleep 0.1"}, input: large, want: "{}"},
		"it may end before it has read":                {lines: []string{"exec <&-", "printf '{}'"}, input: large, want: "{}"},
		"status 2 blocks with what it complained":      {lines: []string{"echo not on main >&2", "exit 2"}, blocked: "not on main"},
		"status 2 needs no reason":                     {lines: []string{"exit 2"}, blocked: "-"},
		"status 2 beats what it printed":               {lines: []string{`echo '{"decision":"allow"}'`, "echo no >&2", "exit 2"}, blocked: "no"},
		"another status fails":                         {lines: []string{`echo '{"decision":"allow"}'`, "echo no such table >&2", "exit 1"}, failed: "exit status 1: no such table"},
		"a signal fails":                               {lines: []string{"kill -9 $$"}, failed: "signal: killed"},
		"more than a mebibyte fails":                   {lines: []string{"yes"}, failed: "more than 1024 KiB"},
		"a flood of complaints does no harm":           {lines: []string{"yes | head -c 10000000 >&2", "printf '{}'"}, want: "{}"},
		"of a flood of complaints the end counts":      {lines: []string{"yes | head -c 10000000 >&2", "echo the end >&2", "exit 1"}, failed: "the end"},
		"complaints that are no text are shown":        {lines: []string{`printf 'a\377b' >&2`, "exit 2"}, blocked: "a\uFFFDb"},
		"it runs in the workspace":                     {lines: []string{`[ "$(pwd -P)" = "$TOOLCRIB_PROJECT_DIR" ] && [ "$CLAUDE_PROJECT_DIR" = "$TOOLCRIB_PROJECT_DIR" ] && printf yes`}, want: "yes"},
		"it gets no secrets":                           {lines: []string{`printf "[$SECRET_TOKEN]"`}, want: "[]"},
		"a child that holds its output is no obstacle": {lines: []string{"sleep 600 &", "printf '{}'"}, want: "{}"},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			output, err := script(t, test.lines...).Ask(t.Context(), hook.PreToolUse, json.RawMessage(test.input))
			var blocked *hook.BlockedError
			switch {
			case test.blocked != "":
				if want := strings.Trim(test.blocked, "-"); !errors.As(err, &blocked) || blocked.Reason != want {
					t.Errorf("Ask = %q, %v, want a block because of %q", output, err, want)
				}
			case test.failed != "":
				if err == nil || errors.As(err, &blocked) || !strings.Contains(err.Error(), test.failed) {
					t.Errorf("Ask = %.100q, %v, want an error with %q", output, err, test.failed)
				}
				if err != nil && len(err.Error()) > 5<<10 {
					t.Errorf("the error has %d bytes", len(err.Error()))
				}
			case err != nil || string(output) != test.want:
				t.Errorf("Ask = %.100q, %v, want %q", output, err, test.want)
			}
		})
	}
}

func TestAProgramThatCannotRunFails(t *testing.T) {
	agreed := program(t, "#!/bin/sh\n")
	agreed.Program = agreed.Program.Pinned(strings.Repeat("0", 64))
	plain := program(t, "#!/bin/sh\n")
	if err := os.Chmod(plain.Program.Path(), 0o644); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		hook command.Command
		want string
	}{
		"none at all":                  {command.Command{}, "there is none"},
		"one that is missing":          {command.Command{Program: trust.Own("/nowhere/guard")}, "no such file"},
		"one that is not executable":   {plain, "chmod +x"},
		"one that is a named pipe":     {command.Command{Program: trust.Own(pipe)}, "is not a file"},
		"one whose interpreter is not": {program(t, "#!/nowhere/sh\n"), "its interpreter, is missing"},
		"another one than agreed to":   {agreed, "toolcrib trust"},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			if _, err := test.hook.Ask(t.Context(), hook.PreToolUse, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Ask = %v, want an error with %q", err, test.want)
			}
		})
	}
	var mismatch *executable.ChecksumError
	if _, err := agreed.Ask(t.Context(), hook.PreToolUse, nil); !errors.As(err, &mismatch) {
		t.Errorf("Ask = %v, want a checksum error", err)
	}
}

func TestNothingIsLeftOfAHook(t *testing.T) {
	// The first run opens what the runtime keeps open for all pipes.
	if _, err := script(t, "exit 0").Ask(t.Context(), hook.PreToolUse, nil); err != nil {
		t.Fatal(err)
	}
	before := descriptors(t)
	tests := map[string]struct {
		child, end string
		linux      bool // a child is found by nothing but its environment
	}{
		"that ended by itself":                       {"sleep 600 &", "exit 0", false},
		"that was given up":                          {"sleep 600 &", "sleep 600", false},
		"that was given up with its own group":       {"setsid sleep 600 &", "sleep 600", true},
		"that ended before a child in another group": {"setsid sleep 600 &", "exit 0", true},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			if test.linux && runtime.GOOS != "linux" {
				t.Skip("only Linux tells the environment of a process")
			}
			h := script(t, test.child, `echo $! > pid.new && mv pid.new pid`, test.end)
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := h.Ask(ctx, hook.PreToolUse, []byte("{}"))
				ended <- err
			}()
			pid := awaitPID(t, filepath.Join(h.Workspace, "pid"))
			if test.end != "exit 0" {
				cancel()
			}
			if err := <-ended; (err != nil) != (test.end != "exit 0") {
				t.Errorf("Ask = %v", err)
			}
			cancel()
			awaitGone(t, pid)
		})
	}
	if after := descriptors(t); after > before {
		t.Errorf("there are %d descriptors instead of %d", after, before)
	}
}

func TestAProgramThatIsStillBeingWrittenIsWaitedFor(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux refuses to run a file that is open for writing")
	}
	h := script(t, "printf '{}'")
	brief, err := os.OpenFile(h.Program.Path(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(10*time.Millisecond, func() { brief.Close() })
	if output, err := h.Ask(t.Context(), hook.PreToolUse, nil); err != nil || string(output) != "{}" {
		t.Errorf("Ask = %s, %v", output, err)
	}
	writer, err := os.OpenFile(h.Program.Path(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if _, err := h.Ask(t.Context(), hook.PreToolUse, nil); !errors.Is(err, syscall.ETXTBSY) {
		t.Errorf("Ask = %v, want a text file busy", err)
	}
}

func TestTheDeadlineIsTheHooksOwn(t *testing.T) {
	h, err := hook.Declare(hook.Declaration{
		Name: "slow", Event: hook.PreToolUse, Timeout: 50 * time.Millisecond, Asker: script(t, "sleep 600"),
	})
	if err != nil {
		t.Fatal(err)
	}
	set, err := hook.NewSet(h)
	if err != nil {
		t.Fatal(err)
	}
	merged, err := set.BeforeTool(t.Context(), hook.Call{Tool: "Bash"})
	if err != nil || merged.Outcome != policy.Deny || !strings.Contains(merged.Reason, "did not answer within 50ms") {
		t.Errorf("BeforeTool = %+v, %v", merged, err)
	}
}

// descriptors counts what this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for t.Context().Err() == nil {
		text, err := os.ReadFile(path)
		var pid int
		if err == nil {
			if _, err := fmt.Fscan(bytes.NewReader(text), &pid); err == nil {
				return pid
			}
		}
		time.Sleep(time.Millisecond) // a file cannot be waited for
	}
	t.Fatal("no pid")
	return 0
}

func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
	}
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
