package terminal

import (
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	long := strings.Repeat("x", 100<<10)
	tests := map[string]struct {
		command string
		status  Status
		code    int
		output  string
	}{
		"success":                         {"echo hello", Completed, 0, "hello\n"},
		"a failure keeps its code":        {"(exit 7)", Failed, 7, ""},
		"several lines":                   {"echo a\nif true; then\n  echo b\nfi", Completed, 0, "a\nb\n"},
		"quotes and expansions":           {`a='it'\''s'; echo "$a" 'x  y' "\$HOME"`, Completed, 0, "it's x  y $HOME\n"},
		"a here document":                 {"cat <<'END'\n$x `y` \"z\"\nEND", Completed, 0, "$x `y` \"z\"\n"},
		"a comment at the end":            {"echo a # b", Completed, 0, "a\n"},
		"no newline at the end":           {"printf abc", Completed, 0, "abc"},
		"100 KB of command":               {"x=" + long + "; echo ${#x}", Completed, 0, "102400\n"},
		"stderr":                          {"echo oops >&2", Completed, 0, "oops\n"},
		"control sequences are left out":  {`printf '\033[31mred\033[0m\033]0;t\007\n'`, Completed, 0, "red\n"},
		"a rewritten line":                {`printf '10%%\r50%%\r100%%\n'`, Completed, 0, "100%\n"},
		"a command that is not there":     {"no-such-command-here 2>/dev/null", Failed, 127, ""},
		"a death by signal is 128+n":      {"sh -c 'kill -TERM $$'", Failed, 143, "*"},
		"an unbalanced quote ends":        {"echo 'a", Failed, -2, "*"},
		"stdout redirected by exec":       {"exec 3>&1 >/dev/null; echo hidden; exec >&3 3>&-", Completed, 0, ""},
		"unset IFS":                       {"IFS=/; echo ok", Completed, 0, "ok\n"},
		"declare is not local":            {"typeset -i crib_number=5; echo $crib_number", Completed, 0, "5\n"},
		"an exclamation mark is no event": {"echo 'a!b' !x", Completed, 0, "a!b !x\n"},
	}
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				r := run(t, term, test.command)
				if r.Status != test.status {
					t.Errorf("status %q, want %q (%+v)", r.Status, test.status, r)
				}
				if test.code != -2 && code(r) != test.code {
					t.Errorf("exit code %d, want %d", code(r), test.code)
				}
				if test.output != "*" && r.Output != test.output {
					t.Errorf("output %q, want %q", r.Output, test.output)
				}
			})
		}
	})
}
