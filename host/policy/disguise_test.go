package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"github.com/toolcrib/toolcrib/host/policy"
)

// TestNoDisguiseAllowsWhatIsDenied rewrites a denied command by quoting, escaping,
// wrapping, nesting and concatenation: it is never allowed, whatever allows the
// rest.
func TestNoDisguiseAllowsWhatIsDenied(t *testing.T) {
	deny := []policy.Rule{rules(t, policy.Deny, "Bash(rm *)")[0], rules(t, policy.Deny, "Bash(git push --force *)")[0]}
	engines := map[string]*policy.Engine{
		"everything else is allowed": policy.New(append(rules(t, policy.Allow, "Bash"), deny...), policy.Trust),
		"commands are allowed": policy.New(append(rules(t, policy.Allow, "Bash(alpha *)", "Bash(env *)", "Bash(bash *)", "Bash(xargs *)", "Bash(sudo *)", "Bash(find *)",
			"Bash(timeout *)", "Bash(echo *)"), deny...), policy.Auto).WithReadOnlyCommands(true),
	}
	rapid.Check(t, func(t *rapid.T) {
		script := rapid.SampledFrom([]string{"rm", "rm x", "rm -rf a b", "git push --force", "git push --force origin main"}).Draw(t, "command")
		script = disguiseWords(t, script)
		for range rapid.IntRange(0, 5).Draw(t, "steps") {
			script = disguise(t, script)
		}
		for name, engine := range engines {
			if got := engine.Judge(bashCall(script)); got.Outcome == policy.Allow {
				t.Fatalf("where %s, %q is allowed: %s", name, script, got.Reason)
			}
		}
	})
}

// disguiseWords writes the words of a command in other ways.
func disguiseWords(t *rapid.T, command string) string {
	words := strings.Fields(command)
	if rapid.IntRange(0, 5).Draw(t, "by path") == 0 {
		words[0] = rapid.SampledFrom([]string{"/bin/", "./", "/usr/local/bin/", "../"}).Draw(t, "path") + words[0]
	}
	for i, word := range words {
		at := rapid.IntRange(0, len(word)).Draw(t, "at")
		before, after := word[:at], word[at:]
		switch rapid.IntRange(0, 9).Draw(t, "way") {
		case 0:
			words[i] = "'" + before + "'" + after
		case 1:
			words[i] = before + `"` + after + `"`
		case 2:
			words[i] = before + `""''` + after
		case 3:
			words[i] = before + "\\\n" + after
		case 4:
			words[i] = `\` + word
		case 5:
			var escaped strings.Builder
			for _, c := range []byte(word) {
				fmt.Fprintf(&escaped, `\x%02x`, c)
			}
			words[i] = "$'" + escaped.String() + "'"
		case 6:
			words[i] = "{" + word + ",}"
		}
	}
	return strings.Join(words, rapid.SampledFrom([]string{" ", "  ", "\t", " \\\n "}).Draw(t, "blank"))
}

// disguise puts a script into another one that runs it, or may run it.
func disguise(t *rapid.T, script string) string {
	quoted, err := syntax.Quote(script, syntax.LangBash)
	if err != nil {
		t.Skip("not to be quoted")
	}
	line := !strings.Contains(script, "\n")
	ways := []string{
		"alpha; " + script, "alpha && " + script, "alpha || " + script, "alpha | " + script, "alpha\n" + script, script + "\nalpha", "alpha & " + script,
		"(" + script + "\n)", "{ " + script + "\n}", "! " + script, "if alpha; then " + script + "\nfi", "while " + script + "\ndo alpha; done",
		"for i in 1; do " + script + "\ndone", "case a in a) " + script + "\n;; esac", "f() { " + script + "\n}; f", "alpha $(" + script + "\n)",
		"alpha \"$(" + script + "\n)\"", "alpha <(" + script + "\n)", "x=$(" + script + "\n)", "x=1 alpha ${y:-$(" + script + "\n)}",
		"bash -c " + quoted, "sh -ec " + quoted, "eval " + quoted, "env bash -c " + quoted, "timeout 5 bash -c " + quoted, "sudo sh -c " + quoted,
		"echo x | xargs -I{} sh -c " + quoted, "find . -exec sh -c " + quoted + " \\;", "trap " + quoted + " EXIT", "env -S " + quoted, "watch " + quoted,
		"bash <<< " + quoted, "alias a=" + quoted, "[[ -n $(" + script + "\n) ]]", "((x=$(" + script + "\n)))", "coproc { " + script + "\n}",
		"cd sub && " + script, "time " + script, "declare x=$(" + script + "\n)", "alpha > $(" + script + "\n)", "a[$(" + script + "\n)]=1",
		script + " #", "su -c " + quoted, "export x=\"$(" + script + "\n)\"", "alpha <<E\n$(" + script + "\n)\nE\n",
	}
	if line && !strings.ContainsAny(script, "(){}|&;<>#[]") && !strings.HasPrefix(script, "!") && !startsWithKeyword(script) {
		for _, wrapper := range []string{"env ", "env -i A=b ", "sudo -u root ", "timeout -k 1 5 ", "nice -n 5 ", "nohup ", "command ", "exec ", "setsid -w ", "stdbuf -oL ",
			"ionice -c 3 ", "xargs ", "xargs -n1 ", "xargs -I% ", "X=1 ", "NODE_ENV=x ", "doas ", "busybox ", "chroot / ", "strace -f ", "/usr/bin/env ", ">f ", "2>&1 "} {
			ways = append(ways, wrapper+script)
		}
	}
	return rapid.SampledFrom(ways).Draw(t, "disguise")
}

func startsWithKeyword(script string) bool {
	word, _, _ := strings.Cut(script, " ")
	if strings.Contains(word, "=") {
		return true
	}
	switch word {
	case "if", "while", "for", "case", "time", "coproc", "alias", "trap", "declare", "export", "eval", "cd":
		return true
	}
	return false
}
