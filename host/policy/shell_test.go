package policy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

func TestAnalyzeListsCommands(t *testing.T) {
	tests := []struct {
		name, script string
		want         []string
		dynamic      bool
	}{
		{"quotes are removed", `git commit -m "a b" 'c d' e\ f`, []string{"git commit -m a b c d e f"}, false},
		{"escapes in double quotes", `echo "a\$b\"c\d"`, []string{`echo a$b"c\d`}, false},
		{"lists and pipelines", "a | b && c || d; e & f", []string{"a", "b", "c", "d", "e", "f"}, true},
		{"loops and conditions", "if a; then b; else c; fi; while d; do e; done", []string{"a", "b", "c", "d", "e"}, false},
		{"substitutions", "a $(b `c`)", []string{"c", "b *", "a *"}, true},
		{"assignments", "X=1 a; Y=2", []string{"X= a", "Y="}, false},
		{"declarations", "export PATH=/x; local y; declare -x z", []string{"export PATH=/x", "local y", "declare -x z"}, false},
		{"nested scripts", `sh -c 'a; bash -c "b"'`, []string{`sh -c a; bash -c "b"`, "a", "bash -c b", "b"}, false},
		{"eval", `eval a "b; c"`, []string{"eval a b; c", "a b", "c"}, false},
		{"a script file is not read", "bash build.sh", []string{"bash build.sh"}, false},
		{"a braces word for find is known", `find . -exec a {} \;`, []string{"find . -exec a {} ;"}, false},
		{"a tilde is known, a user's is not", "ls ~/x ~root", []string{"ls ~/x ~root*"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			script := policy.Analyze(test.script)
			var got []string
			for _, command := range script.Commands {
				got = append(got, command.String())
			}
			if !slices.Equal(got, test.want) || (len(script.Dynamic) > 0) != test.dynamic {
				t.Errorf("Analyze(%q) = %q dynamic %q, want %q dynamic %v", test.script, got, script.Dynamic, test.want, test.dynamic)
			}
		})
	}
}

func TestAnalyzeBoundsNestedScripts(t *testing.T) {
	for name, script := range map[string]string{
		"many readings of eval": "env -Z" + strings.Repeat(" eval env -Z", 700) + " ls",
		"deep shells":           strings.Repeat("bash -c ", 500) + "ls",
		"many wrappers":         strings.Repeat("sudo --x ", 900) + "rm y",
	} {
		t.Run(name, func(t *testing.T) {
			if got := policy.Analyze(script); len(got.Commands) > 200 {
				t.Errorf("Analyze lists %d commands, want few", len(got.Commands))
			}
		})
	}
}

// FuzzJudge checks two promises that do not lean on the analysis: an allowed
// script with one more command, however joined, is not allowed; and a denied
// command with anything after it never runs unasked, in any mode.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		"ls", "ls -la", "ls 'a b' \"c\"", "ls && git log", "ls $(x)", "ls <<EOF\nx\nEOF", "ls #", "ls \\", "git log 'a", "{ ls; }",
		"ls |", "ls &", "ls() { ls; }", "case x in x) ls;; esac", "a=(1 2)", "[[ -v a[$(x)] ]]", "((x=1))", "ls <<'E'\nx\nE\n", "eval ls", "env -S ls",
		"find . -exec ls {} +", "bash -c 'ls", "sudo -", "=ls", "~x", "!!", "ls\r", "$'\\x41'", "select x in a; do ls; done", "coproc ls",
	} {
		f.Add(seed)
	}
	allow := policy.New(rules(f, policy.Allow, "Bash(git log *)"), policy.Auto, trusted(f, "ls")...)
	deny := policy.New(rules(f, policy.Deny, "Bash(rm *)"), policy.Trust)
	f.Fuzz(func(t *testing.T, text string) {
		for _, script := range []string{"rm x\n" + text, "(rm x)\n" + text, "env rm x &&\n" + text, "echo $(rm x)\n" + text} {
			if got := deny.Judge(bashCall(script)); got.Outcome == policy.Allow {
				t.Errorf("%q is allowed: %s", script, got.Reason)
			}
		}
		// A trailing backslash or an open here document takes in what follows.
		if strings.HasSuffix(text, "\\") || strings.Contains(text, "<<") {
			return
		}
		if allow.Judge(bashCall(text)).Outcome != policy.Allow {
			return
		}
		scripts := []string{text + "\nrm x", text + "\n(rm x)", text + "\nls $(rm x)", text + "\nls > x"}
		if !strings.Contains(text, "#") {
			scripts = append(scripts, text+"; rm x", text+" && rm x", text+" | rm x", text+" & rm x", text+" $(rm x)", text+" `rm x`", text+" > x")
		}
		for _, script := range scripts {
			if got := allow.Judge(bashCall(script)); got.Outcome == policy.Allow {
				t.Errorf("%q is allowed: %s", script, got.Reason)
			}
		}
	})
}
