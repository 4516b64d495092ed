package terminal

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestThePersonAnswersAQuestion(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		ask := map[string]string{"bash": "read -r -p 'Name? ' n", "zsh": "read -r 'n?Name? '"}[shell]
		done := start(t, term, t.Context(), Handoff{Command: ask + "; echo \"hello $n\""})
		until(t, term, "the question", func() bool { return term.Status().Started && shows(term, "\nName?")() })
		typeKeys(t, term, "Ada\r")
		if r := (<-done).result; r.Status != Completed || !strings.Contains(r.Output, "hello Ada\n") {
			t.Errorf("%s", describe(r))
		}
	})
}

func TestHalfTypedInputIsKeptAndNotRun(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		for _, mode := range []string{"emacs", "vi", "vi command mode"} {
			t.Run(mode, func(t *testing.T) {
				rc := map[string]string{"bash": "set -o emacs", "zsh": "bindkey -e"}[shell]
				keys := "touch ran; echo half"
				if mode != "emacs" {
					rc = map[string]string{"bash": "set -o vi", "zsh": "bindkey -v"}[shell]
				}
				term := open(t, shell, rc)
				until(t, term, "a prompt", atPrompt(term))
				typeKeys(t, term, keys)
				until(t, term, "the text", shows(term, keys))
				if mode == "vi command mode" {
					typeKeys(t, term, "\x1b")
				}
				if r := run(t, term, "ls; echo whole"); r.Status != Completed || r.Output != "whole\n" {
					t.Errorf("%s", describe(r))
				}
				until(t, term, "the text is back", func() bool {
					screen := term.Snapshot().String()
					return strings.HasSuffix(screen, keys) && strings.Contains(screen, "\nwhole\n")
				})
			})
		}
	})
}

func TestACommandOfSeveralLinesIsNotBrokenInto(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		until(t, term, "a prompt", atPrompt(term))
		typeKeys(t, term, "for i in 1 2; do\r")
		done := start(t, term, t.Context(), Handoff{ID: "h", Command: "echo handed over"})
		until(t, term, "it waits", func() bool { return term.Status().Handoff == "h" })
		typeKeys(t, term, "echo loop $i\r")
		typeKeys(t, term, "done\r")
		if r := (<-done).result; r.Output != "handed over\n" {
			t.Errorf("%s", describe(r))
		}
		until(t, term, "both", func() bool {
			screen := term.Snapshot().String()
			return strings.Contains(screen, "\nloop 1\nloop 2\n") && strings.Contains(screen, "\nhanded over\n")
		})
	})
}

func TestARunningProgramIsNotTypedInto(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		until(t, term, "a prompt", atPrompt(term))
		typeKeys(t, term, "cat >got\r")
		until(t, term, "cat runs", func() bool { return term.State() == Running })
		done := start(t, term, t.Context(), Handoff{ID: "h", Command: "cat got"})
		until(t, term, "it waits", func() bool { return term.Status().Handoff == "h" })
		typeKeys(t, term, "one\r")
		typeKeys(t, term, "\x04")
		if r := (<-done).result; r.Output != "one\n" {
			t.Errorf("%s", describe(r))
		}
	})
}

func TestTypeAheadAndHandoffsDoNotMix(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		var person, host sync.WaitGroup
		host.Go(func() {
			for i := range 10 {
				if r := run(t, term, fmt.Sprintf("echo handed over %d", i)); r.Output != fmt.Sprintf("handed over %d\n", i) {
					t.Errorf("%s", describe(r))
				}
			}
		})
		person.Go(func() {
			for i := range 20 {
				for _, key := range fmt.Sprintf("echo %d >>typed\r", i) {
					typeKeys(t, term, string(key))
				}
			}
		})
		person.Wait()
		host.Wait()
		r := run(t, term, "cat typed")
		var want strings.Builder
		for i := range 20 {
			fmt.Fprintln(&want, i)
		}
		if r.Output != want.String() {
			t.Errorf("typed commands ran as:\n%s", r.Output)
		}
	})
}

func TestHandoffsRunOneAtATime(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				r := run(t, term, fmt.Sprintf("echo begin %d; sleep 0.01; echo end %d", i, i))
				if want := fmt.Sprintf("begin %d\nend %d\n", i, i); r.Output != want {
					t.Errorf("output %q, want %q", r.Output, want)
				}
			})
		}
		all.Wait()
	})
}

func TestThePersonSeesTheCommandAndNotTheLine(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		for name, prompt := range map[string]string{
			"a short prompt": "> ",
			"a long prompt":  strings.Repeat("p", 70) + "> ",
		} {
			t.Run(name, func(t *testing.T) {
				term := open(t, shell, "PS1='"+prompt+"'")
				for i := range 30 { // past the bottom of the screen
					run(t, term, fmt.Sprintf("echo number %d", i))
				}
				screen := term.Snapshot().String()
				if strings.Contains(screen, "__crib") || !strings.Contains(strings.ReplaceAll(screen, "\n", ""), "> echo number 29number 29") {
					t.Errorf("screen:\n%s", screen)
				}
			})
		}
	})
}

func TestWhatIsPrintedCannotForgeTheEnd(t *testing.T) {
	forged := map[string]string{
		"a private mark":             `printf '\033]7770;0123456789abcdef0123456789abcdef;end;0\007'`,
		"a prompt of another shell":  `printf '\033]133;D;0\007\033]133;A\007\033]133;B\007'`,
		"the prompt string":          `eval 'printf %s "${(%%)PS1}" 2>/dev/null || printf %s "${PS1@P}"' 2>/dev/null; printf '%b' "${PS1//[\\][][]/}"`,
		"variables and environment":  `set; env; typeset -p`,
		"every variable, as escapes": `printf '%b' "$(set; env)"`,
		"the functions":              `typeset -f`,
	}
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		for name, command := range forged {
			t.Run(name, func(t *testing.T) {
				r := run(t, term, command+"; sh -c 'exit 42'")
				if r.Status != Failed || code(r) != 42 {
					t.Errorf("%s", describe(r))
				}
			})
		}
	})
}

func TestTheTokenIsNowhereWhileTheCommandRuns(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		done := start(t, term, t.Context(), Handoff{
			Command:   "set >all; env >>all; typeset -p >>all; typeset -f >>all; { history || fc -l 1; } >>all 2>/dev/null; cat",
			MaxOutput: 1 << 20,
		})
		until(t, term, "the command runs", func() bool { return term.Status().Started })
		term.mu.Lock()
		token := term.job.staged.token
		term.mu.Unlock()
		typeKeys(t, term, "\x04")
		<-done
		r := runHandoff(t, term, Handoff{Command: "cat all", MaxOutput: 1 << 20})
		if len(r.Output) < 1000 || strings.Contains(r.Output, token) {
			t.Errorf("the token is known to the shell, or nothing is:\n%s", r.Output)
		}
	})
}
