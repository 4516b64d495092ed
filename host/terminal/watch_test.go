package terminal

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// bare replaces everything that marks a prompt, as reading a startup file again
// may do.
var bare = map[string]string{
	"bash": "PS1='bare> '; PS2='more> '; PROMPT_COMMAND='true'; PS0=",
	"zsh":  "PROMPT='bare> '; PS2='more> '; precmd_functions=(); preexec_functions=()",
}

func TestAPromptWithoutMarksIsFound(t *testing.T) {
	tests := map[string]func(t *testing.T, term *Terminal, bare string){
		"after the person replaced it": func(t *testing.T, term *Terminal, bare string) {
			typeKeys(t, term, bare+"\r")
			until(t, term, "the command begins", func() bool { return term.State() == Running })
		},
		"after a command replaced it": func(t *testing.T, term *Terminal, bare string) {
			if r := run(t, term, bare+"; (exit 4)"); code(r) != 4 {
				t.Errorf("%s", describe(r))
			}
		},
		"after a command replaced it and was interrupted": func(t *testing.T, term *Terminal, bare string) {
			done := start(t, term, t.Context(), Handoff{Command: bare + "; sh -c 'echo be\"\"gun; exec sleep 600'"})
			until(t, term, "the command runs", func() bool { return term.Status().Started && shows(term, "\nbegun")() })
			typeKeys(t, term, "\x03")
			until(t, term, "the command is over", func() bool { return term.Status().Handoff == "" })
			if r := (<-done).result; r.Status != CompletedUntracked || r.Reason == "" {
				t.Errorf("%s", describe(r))
			}
		},
	}
	eachShell(t, func(t *testing.T, shell string) {
		for name, replace := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				term := open(t, shell, "")
				until(t, term, "a prompt", atPrompt(term))
				replace(t, term, bare[shell])
				until(t, term, "the bare prompt", func() bool { return atPrompt(term)() && shows(term, "\nbare>")() })
				typeKeys(t, term, "half")
				until(t, term, "the text", shows(term, "bare> half"))
				if r := run(t, term, "echo handed over"); r.Output != "handed over\n" {
					t.Errorf("%s", describe(r))
				}
				until(t, term, "the text is back", func() bool {
					return strings.HasSuffix(term.Snapshot().String(), "\nhanded over\nbare> half")
				})
			})
		}
	})
}

func TestThePersonsCommandOfSeveralLinesAtAFoundPromptIsNotBrokenInto(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		run(t, term, bare[shell])
		until(t, term, "the bare prompt", func() bool { return atPrompt(term)() && shows(term, "\nbare>")() })
		typeKeys(t, term, "for i in 1 2; do\r")
		done := start(t, term, t.Context(), Handoff{ID: "h", Command: "echo handed over"})
		until(t, term, "it waits for the person", func() bool {
			return strings.Contains(term.Status().WaitsFor, "is being typed") && shows(term, "\nmore>")()
		})
		typeKeys(t, term, "echo loop $i; done\r")
		if r := (<-done).result; r.Output != "handed over\n" {
			t.Errorf("%s", describe(r))
		}
		until(t, term, "both", func() bool { return shows(term, "\nloop 1\nloop 2\n")() && shows(term, "\nhanded over\n")() })
	})
}

// TestWhatAsksIsNoPrompt runs what reads keys in the shell's own process group.
func TestWhatAsksIsNoPrompt(t *testing.T) {
	asks := map[string]map[string]string{
		"bash": {
			"a line":                   "read -e -p 'ask: ' got",
			"a line, by a function":    "f() { builtin read -r -e -p 'ask: ' got; }; f",
			"a key":                    "read -rs -n 4 -p 'ask: ' got",
			"a program in $(...)":      "got=$(printf 'ask: ' >/dev/tty; stty raw -echo </dev/tty; head -c 4 </dev/tty; stty sane </dev/tty)",
			"without marks to come to": bare["bash"] + "; read -e -p 'ask: ' got",
		},
		"zsh": {
			"a line":                   "got=; vared -p 'ask: ' got",
			"a key":                    "read -rsk 4 'got?ask: '",
			"a program in $(...)":      "got=$(printf 'ask: ' >/dev/tty; stty raw -echo </dev/tty; head -c 4 </dev/tty; stty sane </dev/tty)",
			"without marks to come to": bare["zsh"] + "; got=; vared -p 'ask: ' got",
		},
	}
	eachShell(t, func(t *testing.T, shell string) {
		for name, ask := range asks[shell] {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				term := open(t, shell, "")
				done := start(t, term, t.Context(), Handoff{Command: ask + "; echo \"got <$got>\""})
				until(t, term, "the question", func() bool { return term.Status().Started && shows(term, "\nask:")() })
				for range 3 * firstLook {
					term.look(term.inst)
				}
				typeKeys(t, term, "abcd")
				if strings.Contains(name, "line") || strings.Contains(name, "marks") {
					typeKeys(t, term, "\r")
				}
				if r := (<-done).result; r.Status != Completed || !strings.Contains(r.Output, "got <abcd>\n") {
					t.Errorf("%s", describe(r))
				}
			})
		}
	})
}

func TestAShellThatDoesNotAnswerIsReported(t *testing.T) {
	deafen := map[string]string{
		"bash": "; bind -m emacs -r '\\C-x\\C-]'; bind -m emacs -r '\\C-x\\C-_'",
		"zsh":  "; bindkey -r '^X^]'; bindkey -r '^X^_'",
	}
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		if r := run(t, term, bare[shell]+deafen[shell]); r.Status != Completed {
			t.Fatalf("%s", describe(r))
		}
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		done := start(t, term, ctx, Handoff{ID: "h", Command: "touch ran"})
		until(t, term, "it says why it waits", func() bool { return term.Status().WaitsFor != "" })
		if o := <-done; !errors.Is(o.err, ErrUnresponsive) || o.result.Status != NotExecuted {
			t.Errorf("%+v", o)
		}
		if err := term.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r := run(t, term, "ls ran 2>/dev/null"); r.Status != Failed {
			t.Errorf("the refused command ran: %s", describe(r))
		}
	})
}

func TestRandomBytesDoNotWedgeTheShell(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		run(t, term, "head -c 5000000 /dev/urandom")
		if r := run(t, term, "echo fine"); !strings.Contains(r.Output, "fine\n") {
			t.Errorf("%s", describe(r))
		}
	})
}
