package terminal

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestCtrlC(t *testing.T) {
	commands := map[string]string{
		"a program":          "sh -c 'echo begun; exec sleep 600'; echo not reached",
		"a loop":             "echo begun; while :; do :; done",
		"a loop of programs": "echo begun; while :; do sleep 0.1; done",
		"a pipeline":         "sh -c 'echo begun; exec sleep 600' | cat",
	}
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "PROMPT_COMMAND=true")
		for name, command := range commands {
			t.Run(name, func(t *testing.T) {
				done := start(t, term, t.Context(), Handoff{ID: "1", Command: command})
				until(t, term, "the command runs", func() bool { return term.Status().Started && shows(term, "\nbegun")() })
				r := pressCtrlC(t, term, done)
				if r.Status != Interrupted || code(r) != 130 || r.Signal != "SIGINT" {
					t.Errorf("%s", describe(r))
				}
				if strings.Contains(r.Output, "not reached") {
					t.Errorf("the rest of the list ran: %q", r.Output)
				}
				term.emuClear()
			})
		}
		if r := run(t, term, "echo fine"); r.Output != "fine\n" {
			t.Errorf("after that: %s", describe(r))
		}
	})
}

// pressCtrlC does so as a person would: again if nothing happens. Shells miss one
// that comes while they start a program.
func pressCtrlC(t *testing.T, term *Terminal, done <-chan outcome) Result {
	t.Helper()
	for late := time.After(deadline); ; {
		typeKeys(t, term, "\x03")
		select {
		case o := <-done:
			return o.result
		case <-time.After(time.Second):
		case <-late:
			t.Fatalf("not interrupted; screen:\n%s", term.Snapshot())
		}
	}
}

// emuClear empties the screen, so that a text of before is not found again.
func (t *Terminal) emuClear() {
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	t.emu.write([]byte("\x1b[H\x1b[2J\x1b[3J"))
}

type outcome struct {
	result Result
	err    error
}

func start(t *testing.T, term *Terminal, ctx context.Context, h Handoff) <-chan outcome {
	t.Helper()
	done := make(chan outcome, 1)
	go func() {
		r, err := term.Run(ctx, h)
		done <- outcome{r, err}
	}()
	return done
}

func TestTheCallerStopsACommand(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "", func(c *Config) { c.Grace = 300 * time.Millisecond })
		r := runHandoff(t, term, Handoff{Command: "echo a; sleep 600", Timeout: 100 * time.Millisecond})
		if r.Status != TimedOut || code(r) != 130 || !strings.HasPrefix(r.Output, "a\n") {
			t.Errorf("a timeout: %s", describe(r))
		}

		ctx, cancel := context.WithCancel(t.Context())
		done := start(t, term, ctx, Handoff{Command: "sleep 600"})
		until(t, term, "the command runs", func() bool { return term.Status().Started })
		cancel()
		if o := <-done; o.err != nil || o.result.Status != Interrupted {
			t.Errorf("a cancelled context: %+v", o)
		}

		r = runHandoff(t, term, Handoff{Command: "sh -c 'trap : INT; while :; do sleep 0.05; done'", Timeout: 100 * time.Millisecond})
		if r.Status != TimedOut || code(r) != 137 || r.Signal != "SIGKILL" {
			t.Errorf("a program that ignores Ctrl-C: %s", describe(r))
		}

		r = runHandoff(t, term, Handoff{Command: "tput smcup; stty raw; cat >/dev/null", Timeout: 100 * time.Millisecond})
		if r.Status != TimedOut || code(r) != 137 || term.Snapshot().AltScreen {
			t.Errorf("a full-screen program: %s", describe(r))
		}
		if r := run(t, term, "echo fine"); r.Output != "fine\n" {
			t.Errorf("after that: %s", describe(r))
		}
	})
}

func TestAShellThatIgnoresCtrlCIsLeftAlone(t *testing.T) {
	term := open(t, "bash", "", func(c *Config) { c.Grace = 100 * time.Millisecond })
	r := runHandoff(t, term, Handoff{Command: "trap '' INT; until [[ -e stop ]]; do :; done", Timeout: 50 * time.Millisecond})
	if r.Status != TimedOut || r.ExitCode != nil || r.Reason == "" {
		t.Errorf("%s", describe(r))
	}
	if term.State() != Running {
		t.Errorf("state %q", term.State())
	}
	write(t, term.config.Dir+"/stop", "")
	if r := run(t, term, "trap - INT; echo fine"); r.Output != "fine\n" {
		t.Errorf("after that: %s", describe(r))
	}
}

func TestCancelledBeforeItBegan(t *testing.T) {
	term := open(t, "bash", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := term.Run(ctx, Handoff{Command: "touch ran"})
	if !errors.Is(err, context.Canceled) || r.Status != NotExecuted || r.ExitCode != nil {
		t.Errorf("before: %+v, %v", r, err)
	}

	until(t, term, "a prompt", atPrompt(term))
	typeKeys(t, term, "cat\r")
	until(t, term, "cat runs", func() bool { return term.State() == Running })
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	done := start(t, term, ctx, Handoff{ID: "first", Command: "touch ran"})
	until(t, term, "it waits for a prompt", func() bool { return term.Status().Handoff == "first" })
	ctx2, cancel2 := context.WithCancel(t.Context())
	done2 := start(t, term, ctx2, Handoff{ID: "second", Command: "touch ran"})
	until(t, term, "it waits for its turn", func() bool { return term.Status().Waiting == 1 })
	cancel2()
	if o := <-done2; !errors.Is(o.err, context.Canceled) || o.result.Status != NotExecuted {
		t.Errorf("in the queue: %+v", o)
	}
	cancel()
	if o := <-done; !errors.Is(o.err, context.Canceled) || o.result.Status != NotExecuted {
		t.Errorf("waiting for a prompt: %+v", o)
	}
	typeKeys(t, term, "\x04")
	if r := run(t, term, "ls ran 2>/dev/null"); r.Status == Completed {
		t.Error("a cancelled command ran")
	}
}

func TestStartedIsCalledOnceForACommandThatBegan(t *testing.T) {
	tests := map[string]struct {
		command, dir string
		want         int
	}{
		"a success":                        {command: "true", want: 1},
		"a failure":                        {command: "false", want: 1},
		"an end of the shell":              {command: "exit 3", want: 1},
		"a directory that cannot be taken": {command: "true", dir: "/nowhere/at/all"},
		"an empty command":                 {command: " "},
	}
	eachShell(t, func(t *testing.T, shell string) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				term := open(t, shell, "")
				calls := 0
				// Status takes the terminal's locks.
				called := func() { calls++; term.Status() }
				r, err := term.Run(t.Context(), Handoff{Command: test.command, Dir: test.dir, Started: called})
				if calls != test.want || (err == nil) != (test.want > 0) {
					t.Errorf("called %d times, want %d: %s, %v", calls, test.want, describe(r), err)
				}
			})
		}
	})
}

func TestStartedIsNotCalledForACommandThatWasCancelledAtItsWait(t *testing.T) {
	term := open(t, "bash", "")
	until(t, term, "a prompt", atPrompt(term))
	typeKeys(t, term, "cat\r")
	until(t, term, "cat runs", func() bool { return term.State() == Running })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := start(t, term, ctx, Handoff{ID: "h", Command: "true", Started: func() { t.Error("called") }})
	until(t, term, "it waits", func() bool { return term.Status().Handoff == "h" })
	cancel()
	if o := <-done; o.result.Status != NotExecuted {
		t.Errorf("%+v", o)
	}
}

func TestTheCommandEndsTheShell(t *testing.T) {
	commands := map[string]struct {
		command string
		code    int
	}{
		"exit":   {"exit 3", 3},
		"set -e": {"set -e; false; echo not reached", 1},
		"exec":   {"exec sh -c 'exit 9'", 9},
		"a kill": {"kill -KILL $$", 137},
	}
	for name, test := range commands {
		eachShell(t, func(t *testing.T, shell string) {
			t.Run(name, func(t *testing.T) {
				term := open(t, shell, "")
				r := run(t, term, test.command)
				if r.Status != Failed || code(r) != test.code || r.Reason == "" {
					t.Errorf("%s", describe(r))
				}
				if _, err := term.Run(t.Context(), Handoff{Command: "true"}); !errors.Is(err, ErrExited) {
					t.Errorf("run after it: %v", err)
				}
				if _, err := term.Write([]byte("x")); !errors.Is(err, ErrExited) {
					t.Errorf("write after it: %v", err)
				}
				if err := term.Restart(t.Context()); err != nil {
					t.Fatal(err)
				}
				if r := run(t, term, "echo again"); r.Output != "again\n" {
					t.Errorf("after restart: %s", describe(r))
				}
			})
		})
	}
}

func TestTheShellIsReplaced(t *testing.T) {
	for name, command := range map[string]string{
		"by a shell":          "exec sh",
		"by the same program": "exec bash --norc",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := open(t, "bash", "")
			r := run(t, term, command)
			if r.Status != CompletedUntracked || r.ExitCode != nil || r.Reason == "" {
				t.Errorf("%s", describe(r))
			}
			if _, err := term.Run(t.Context(), Handoff{Command: "true"}); !errors.Is(err, ErrReplaced) {
				t.Errorf("run after it: %v", err)
			}
			if err := term.Restart(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r := run(t, term, "echo again"); r.Output != "again\n" {
				t.Errorf("after restart: %s", describe(r))
			}
		})
	}
}

func TestAPromptWithoutAnEnd(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		for _, command := range []string{
			"__crib_finish() { :; }; echo x",
			"__crib_end() { :; }; PROMPT_COMMAND=; precmd_functions=; echo x",
		} {
			r := run(t, term, command)
			if r.Status != CompletedUntracked || r.ExitCode != nil || r.Reason == "" {
				t.Errorf("%q: %s", command, describe(r))
			}
		}
	})
}
