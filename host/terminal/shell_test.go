package terminal

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnfriendlyShells runs commands in shells whose startup files have done
// what people's do.
func TestUnfriendlyShells(t *testing.T) {
	tests := map[string]struct{ shell, rc string }{
		"bash PROMPT_COMMAND clobbers $?":         {"bash", "PROMPT_COMMAND='false; true'"},
		"bash PROMPT_COMMAND is an array":         {"bash", "PROMPT_COMMAND=('true' 'echo -n' 'true')"},
		"bash PROMPT_COMMAND ends in a semicolon": {"bash", "PROMPT_COMMAND='true;'"},
		"bash PROMPT_COMMAND makes a prompt anew": {"bash", "PROMPT_COMMAND='PS1=\"[$?] \"'"},
		"bash has a PS0 and a DEBUG trap":         {"bash", "PS0='run '; trap 'true \"$BASH_COMMAND\"' DEBUG"},
		"bash runs with set -x":                   {"bash", "set -x"},
		"bash runs with set -e":                   {"bash", "set -e"},
		"bash runs with set -u":                   {"bash", "set -u"},
		"bash runs with set -eux and noclobber":   {"bash", "set -euxo noclobber"},
		"bash exports everything":                 {"bash", "set -a"},
		"bash has aliases for everything":         {"bash", "alias eval=false printf=false read=false cd=false local=false return=false builtin=false set=false history=false"},
		"bash has functions for builtins":         {"bash", "cd() { false; }; printf() { false; }; read() { false; }; eval() { builtin eval \"$@\"; }"},
		"bash is in vi mode":                      {"bash", "set -o vi"},
		"bash has a prompt of several lines":      {"bash", "PS1='\\w\\n\\[\\e[32m\\]$\\[\\e[0m\\] '"},
		"bash has an odd IFS":                     {"bash", "IFS=_0abc"},
		"bash rc prints and returns":              {"bash", "echo welcome; printf '\\033[6n'; return 3"},
		"bash has posix mode on":                  {"bash", "set -o posix"},
		"zsh precmd clobbers $?":                  {"zsh", "precmd() { false }"},
		"zsh makes its prompt in precmd":          {"zsh", "precmd() { PROMPT=\"%n [$?] \" }"},
		"zsh has prompt_subst and a right prompt": {"zsh", "setopt prompt_subst; PROMPT='$(echo x)> '; RPROMPT=right"},
		"zsh runs with set -x":                    {"zsh", "set -x"},
		"zsh runs with set -e":                    {"zsh", "set -e"},
		"zsh runs with set -u":                    {"zsh", "set -u"},
		"zsh runs with set -eux and no_clobber":   {"zsh", "set -eux; setopt no_clobber"},
		"zsh has aliases for everything":          {"zsh", "alias eval=false printf=false read=false cd=false local=false builtin=false; alias -g '{'='{'"},
		"zsh is in vi mode":                       {"zsh", "bindkey -v"},
		"zsh behaves like ksh":                    {"zsh", "setopt ksh_arrays sh_word_split ksh_glob"},
		"zsh hooks are set by an array":           {"zsh", "f() { false }; precmd_functions=(f); preexec_functions=(f)"},
		"zsh warns of globals and has an odd IFS": {"zsh", "setopt warn_create_global; IFS=_0abc"},
		"zsh rc prints and returns":               {"zsh", "echo welcome; printf '\\033[6n'; return 3"},
		"zsh has a prompt of several lines":       {"zsh", "PROMPT=$'%~\\n%F{green}%#%f '"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(test.shell); err != nil && test.shell != "bash" {
				t.Skipf("%s is not installed here", test.shell)
			}
			t.Parallel()
			term := open(t, test.shell, test.rc)
			traced := strings.Contains(test.rc, "x")
			for range 2 {
				r := run(t, term, "true; sh -c 'exit 42'")
				if r.Status != Failed || code(r) != 42 {
					t.Errorf("exit 42: %s", describe(r))
				}
				r = run(t, term, "command echo one; command echo two; :")
				if r.Status != Completed || code(r) != 0 {
					t.Errorf("success: %s", describe(r))
				}
				if strings.Contains(r.Output, "__crib") || !strings.Contains(r.Output, "one\n") {
					t.Errorf("output %q", r.Output)
				}
				if !traced && r.Output != "one\ntwo\n" {
					t.Errorf("output %q", r.Output)
				}
			}
		})
	}
}

func TestTheHistoryHasTheCommandAndNotTheLine(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "HISTFILE=; HISTSIZE=100; HISTCONTROL=ignoredups")
		run(t, term, "echo first")
		list := map[string]string{"bash": "history", "zsh": "fc -l 1"}[shell]
		r := run(t, term, list)
		if !strings.Contains(r.Output, "echo first") || strings.Contains(r.Output, "__crib") {
			t.Errorf("history:\n%s", r.Output)
		}
		typeKeys(t, term, "\x1b[A") // the last command again
		until(t, term, "the last command comes back", shows(term, list))
	})
}

func TestTheShellKeepsItsState(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "greet() { echo hello $1; }; alias hi='greet there'")
		dir, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if r := run(t, term, "hi"); r.Output != "hello there\n" {
			t.Errorf("an alias: %s", describe(r))
		}
		r := run(t, term, "cd '"+dir+"'; name=kept")
		if r.EndDir != dir || r.StartDir == dir {
			t.Errorf("after cd: %s", describe(r))
		}
		r = run(t, term, "pwd; echo $name")
		if r.Output != dir+"\nkept\n" || r.StartDir != dir {
			t.Errorf("after that: %s", describe(r))
		}
		odd := filepath.Join(dir, "a 'b\"\nc;d")
		if err := os.Mkdir(odd, 0o700); err != nil {
			t.Fatal(err)
		}
		r = runHandoff(t, term, Handoff{Command: "true", Dir: odd})
		if r.StartDir != odd || r.EndDir != odd {
			t.Errorf("in an odd directory: %s", describe(r))
		}
		if _, err := term.Run(t.Context(), Handoff{Command: "true", Dir: dir + "/none"}); err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("in no directory: %v", err)
		}
		if r := run(t, term, "pwd -P"); r.Status != Completed || r.Output != odd+"\n" {
			t.Errorf("after the refusal: %s", describe(r))
		}
	})
}

func TestZshReadsThePersonsOwnFiles(t *testing.T) {
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("zsh is not installed here")
	}
	moved := t.TempDir()
	term := open(t, "zsh", "echo wrong file", func(c *Config) {
		home := c.Dir
		write(t, filepath.Join(home, ".zshenv"), "ZDOTDIR="+moved)
		write(t, filepath.Join(moved, ".zshrc"), "echo right file; crib_rc=1")
	})
	if r := run(t, term, `echo "$ZDOTDIR $crib_rc"; zsh -c 'echo $ZDOTDIR'`); r.Output != moved+" 1\n"+moved+"\n" && r.Output != moved+" 1\n\n" {
		t.Errorf("%s", describe(r))
	}
	if text := term.Snapshot().String(); strings.Contains(text, "wrong file") {
		t.Errorf("screen:\n%s", text)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFindShell(t *testing.T) {
	if _, err := findShell("/bin/sh", nil); err == nil {
		t.Error("a configured sh was accepted")
	} else if unsupported := new(UnsupportedShellError); !errors.As(err, &unsupported) {
		t.Errorf("a configured sh: %v", err)
	}
	for _, env := range []string{"SHELL=/bin/dash", "SHELL=/nowhere/zsh", "SHELL="} {
		if sh, err := findShell("", []string{env}); err != nil || sh.kind != bash {
			t.Errorf("%s: %v, %v", env, sh, err)
		}
	}
}
