package policy_test

import (
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

// rules reads rules of one effect; each line of the test names its effect.
func rules(t testing.TB, effect policy.Outcome, texts ...string) []policy.Rule {
	t.Helper()
	var rules []policy.Rule
	for _, text := range texts {
		rule, err := policy.ParseRule(text, effect, policy.Place{Source: "config.hcl:7"})
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	return rules
}

func trusted(t testing.TB, texts ...string) []policy.TrustedCommand {
	t.Helper()
	var commands []policy.TrustedCommand
	for _, text := range texts {
		command, err := policy.ParseTrusted(text, "config.hcl:9")
		if err != nil {
			t.Fatal(err)
		}
		commands = append(commands, command)
	}
	return commands
}

func bashCall(command string) policy.Call {
	return policy.Call{Tool: "Bash", Workspace: "/home/mia/shop",
		Origin:   pool.Origin{Kind: pool.OriginBuiltin, Provider: "builtin"},
		Subjects: []policy.Subject{{Kind: pool.SubjectCommand, Value: command}}}
}

func claim(b bool) *bool { return &b }

func TestJudgeCommands(t *testing.T) {
	deny := func(t testing.TB) *policy.Engine {
		return policy.New(append(rules(t, policy.Deny, "Bash(rm *)"), rules(t, policy.Allow, "Bash")...), policy.Trust)
	}
	allow := func(t testing.TB) *policy.Engine {
		return policy.New(rules(t, policy.Allow, "Bash(git log *)", "Bash(make test)"), policy.Auto, trusted(t, "ls", "git status")...)
	}
	ask := func(t testing.TB) *policy.Engine {
		return policy.New(append(rules(t, policy.Ask, "Bash(git push:*)"), rules(t, policy.Allow, "Bash(git *)")...), policy.Trust)
	}
	open := func(t testing.TB) *policy.Engine { return policy.New(nil, policy.Trust) }

	tests := []struct {
		name    string
		engine  func(testing.TB) *policy.Engine
		command string
		want    policy.Outcome
	}{
		{"a prefix with arguments is allowed", allow, "git log -3", policy.Allow},
		{"a prefix alone is allowed", allow, "git log", policy.Allow},
		{"a prefix ends at a word", allow, "git logs", policy.Ask},
		{"an exact command is allowed", allow, "make test", policy.Allow},
		{"an exact command with blanks and quotes is the same command", allow, ` make  "test" # it`, policy.Allow},
		{"an exact command takes no further words", allow, "make test install", policy.Ask},
		{"a trusted command is allowed with arguments", allow, "ls -la /tmp", policy.Allow},
		{"every part of a list is allowed", allow, "ls && git log -1 | ls; git status", policy.Allow},
		{"one part of a list is not", allow, "ls; rm x", policy.Ask},
		{"a background part is not", allow, "ls & rm f", policy.Ask},
		{"a substitution is not known", allow, "ls $(rm x)", policy.Ask},
		{"a substitution of an allowed command is not known either", allow, "ls $(ls)", policy.Ask},
		{"a redirection writes", allow, "ls > f", policy.Ask},
		{"an appending redirection writes", allow, "ls >> f", policy.Ask},
		{"both streams in a file write", allow, "ls &> f", policy.Ask},
		{"a redirection by another name writes", allow, "ls >& f", policy.Ask},
		{"joined streams write nothing", allow, "ls 2>&1 >/dev/null", policy.Allow},
		{"a path is not the trusted command", allow, "./ls", policy.Ask},
		{"another program of the name is not the trusted command", allow, "/tmp/evil/ls x", policy.Ask},
		{"a variable is not known", allow, "ls $DIR", policy.Ask},
		{"the home directory is known", allow, "ls $HOME ~/x", policy.Allow},
		{"a value that the script gives is known", allow, "X=src; ls $X", policy.Allow},
		{"a value that may have changed is not", allow, "X=src; read X; ls $X", policy.Ask},
		{"a glob stands for arguments", allow, "ls *.go", policy.Allow},
		{"a glob is not known where the command's words are", allow, "git lo*", policy.Ask},
		{"braces are not known", allow, "ls {a,b}", policy.Ask},
		{"braces over quotes are not known", allow, `ls {"a",b}`, policy.Ask},
		{"an assignment may change what runs", allow, "PATH=/tmp/evil ls", policy.Ask},
		{"an assignment before may change what runs", allow, "PATH=/tmp/evil; ls", policy.Ask},
		{"a loop variable may change what runs", allow, "for PATH in /tmp; do ls; done", policy.Ask},
		{"a function may change what runs", allow, "git() { ls; }; git status", policy.Ask},
		{"a group of allowed parts is allowed", allow, "{ ls; (git status); }", policy.Allow},
		{"a transparent wrapper of an allowed command", allow, "timeout 5 git log", policy.Allow},
		{"a transparent wrapper by a path is another program", allow, "./timeout 5 git log", policy.Ask},
		{"a wrapper that changes the user is not transparent", allow, "sudo ls", policy.Ask},
		{"a wrapper that adds words adds arguments", allow, "xargs ls", policy.Allow},
		{"a wrapper that adds words may add them to an exact command", allow, "xargs make test", policy.Ask},
		{"case counts for allow", allow, "LS", policy.Ask},
		{"what zsh expands is not known", allow, "=ls", policy.Ask},
		{"nothing is no command", allow, "", policy.Ask},
		{"a comment is no command", allow, "# ls", policy.Ask},

		{"the denied command", deny, "rm x", policy.Deny},
		{"the denied command alone", deny, "rm", policy.Deny},
		{"another command runs", deny, "rmdir x", policy.Allow},
		{"denied as a part of a list", deny, "ls; rm x", policy.Deny},
		{"denied in the background", deny, "ls & rm f", policy.Deny},
		{"denied in a subshell", deny, "(rm x)", policy.Deny},
		{"denied in a substitution", deny, "echo $(rm x)", policy.Deny},
		{"denied in backticks", deny, "echo `rm x`", policy.Deny},
		{"denied in a string", deny, `echo "a $(rm x)"`, policy.Deny},
		{"denied in a process substitution", deny, "cat <(rm x)", policy.Deny},
		{"denied in a function", deny, "f() { rm x; }", policy.Deny},
		{"denied in a loop", deny, "while true; do rm x; done", policy.Deny},
		{"denied in a case", deny, "case a in a) rm x;; esac", policy.Deny},
		{"denied in an if", deny, "if true; then rm x; fi", policy.Deny},
		{"denied in a here document", deny, "cat <<EOF\n$(rm x)\nEOF", policy.Deny},
		{"denied in arithmetic", deny, "echo $((a[$(rm x)]))", policy.Deny},
		{"denied in an assignment", deny, "X=$(rm x)", policy.Deny},
		{"denied in a declaration", deny, "export X=$(rm x)", policy.Deny},
		{"denied in a default", deny, "echo ${X:-$(rm x)}", policy.Deny},
		{"denied in a coprocess", deny, "coproc rm x", policy.Deny},
		{"denied behind time", deny, "time -p rm x", policy.Deny},
		{"denied behind an assignment", deny, "FOO=$(id) rm x", policy.Deny},
		{"denied by its path", deny, "/bin/rm x", policy.Deny},
		{"denied in another case", deny, "RM x", policy.Deny},
		{"denied under quotes", deny, `r''m x`, policy.Deny},
		{"denied under escapes", deny, `\r\m x`, policy.Deny},
		{"denied over a continued line", deny, "r\\\nm x", policy.Deny},
		{"denied behind env", deny, "env -u A B=c rm -rf x", policy.Deny},
		{"denied behind sudo", deny, "sudo -u root rm x", policy.Deny},
		{"denied behind timeout", deny, "timeout -s KILL 5 rm x", policy.Deny},
		{"denied behind nested wrappers", deny, "nohup nice -n 5 /usr/bin/env rm x", policy.Deny},
		{"denied behind an unknown option", deny, "sudo --strange thing rm x", policy.Deny},
		{"denied behind xargs", deny, "ls | xargs -n1 rm", policy.Deny},
		{"denied behind find", deny, `find . -exec rm {} \;`, policy.Deny},
		{"denied in a nested shell", deny, `bash -ec "rm x"`, policy.Deny},
		{"denied in a nested shell behind a wrapper", deny, `timeout 5 sh -c 'ls; rm x'`, policy.Deny},
		{"denied in eval", deny, `eval rm x`, policy.Deny},
		{"an argument that looks like it is no command", deny, "timeout 5 git rm x", policy.Allow},
		{"what cannot be known may be it", deny, "$X x", policy.Ask},
		{"denied under an odd quote", deny, `$'r\x6d' x`, policy.Deny},
		{"denied in braces", deny, "{r,}m x; {rm,x}", policy.Deny},
		{"denied by a variable", deny, "X=rm; $X x", policy.Deny},
		{"denied by a variable with blanks", deny, "X='rm x'; $X", policy.Deny},
		{"what a branch set may be it", deny, "if a; then X=rm; fi; $X x", policy.Ask},
		{"denied in an alias", deny, "alias x='rm y'", policy.Deny},
		{"denied in a trap", deny, "trap 'rm x' EXIT", policy.Deny},
		{"denied behind env -S", deny, "env -S 'rm x'", policy.Deny},
		{"a glob may be it", deny, "/bin/r? x", policy.Ask},
		{"a glob that cannot be it is not", deny, "/bin/l? x", policy.Allow},
		{"a script that cannot be known may run it", deny, `bash -c "$X"`, policy.Ask},
		{"a script from the input may run it", deny, "cat f | sh", policy.Ask},
		{"a nested script that is no shell may run it", deny, `bash -c 'if'`, policy.Ask},
		{"a known name with unknown arguments is not it", deny, "echo $X", policy.Allow},
		{"broken syntax asks", deny, "if ls", policy.Ask},
		{"broken syntax with the denied command is denied", deny, "ls 'a; rm x", policy.Deny},
		{"a NUL asks", deny, "ls\x00rm x", policy.Ask},
		{"over-long text asks", deny, "ls " + strings.Repeat("a", 10_000), policy.Ask},

		{"an ask rule beats an allow rule and the mode", ask, "git push origin", policy.Ask},
		{"an ask rule fires on any part", ask, "git log && (git push)", policy.Ask},
		{"what may be it is asked", ask, "git $CMD", policy.Ask},
		{"the rest is allowed", ask, "git log", policy.Allow},

		{"trust lets dynamic commands run", open, "for f in *; do echo $f; done", policy.Allow},
		{"trust asks for a critical command", open, "rm -rf /", policy.Ask},
		{"trust asks for what it can't analyse", open, "echo 'a", policy.Ask},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.engine(t).Judge(bashCall(test.command))
			if got.Outcome != test.want {
				t.Errorf("Judge(%q) = %s because %s, want %s", test.command, got.Outcome, got.Reason, test.want)
			}
			if got.Reason == "" || got.Risk == "" || got.RiskReason == "" {
				t.Errorf("Judge(%q) = %+v, want reasons", test.command, got)
			}
		})
	}
}

func TestJudgeModes(t *testing.T) {
	reader := policy.Call{Tool: "Read", Annotations: pool.Annotations{ReadOnly: claim(true)}}
	eraser := policy.Call{Tool: "words__erase", Annotations: pool.Annotations{Destructive: claim(true)}}
	unsaid := policy.Call{Tool: "words__count"}
	tests := []struct {
		name string
		mode policy.Mode
		call policy.Call
		want policy.Outcome
	}{
		{"recommend asks for a reader", policy.Recommend, reader, policy.Ask},
		{"recommend asks for a trusted command", policy.Recommend, bashCall("ls"), policy.Ask},
		{"auto runs a reader", policy.Auto, reader, policy.Allow},
		{"auto runs a tool that declares nothing", policy.Auto, unsaid, policy.Allow},
		{"auto asks for a destructive tool", policy.Auto, eraser, policy.Ask},
		{"auto runs a trusted command", policy.Auto, bashCall("ls"), policy.Allow},
		{"auto asks for another command", policy.Auto, bashCall("make"), policy.Ask},
		{"trust runs a destructive tool", policy.Trust, eraser, policy.Allow},
		{"trust runs a command", policy.Trust, bashCall("make"), policy.Allow},
		{"the zero mode is the most careful", "", reader, policy.Ask},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			engine := policy.New(nil, policy.Auto, trusted(t, "ls")...)
			if test.mode == "" {
				engine = policy.New(nil, "")
			} else {
				engine = engine.WithMode(test.mode)
			}
			if got := engine.Judge(test.call); got.Outcome != test.want {
				t.Errorf("Judge = %s because %s, want %s", got.Outcome, got.Reason, test.want)
			}
		})
	}
}

func TestRulesOfOtherTools(t *testing.T) {
	run := bashCall("rm x")
	run.Tool = "box__run"
	tests := []struct {
		name  string
		rules []policy.Rule
		call  policy.Call
		want  policy.Outcome
	}{
		{"a command denied to Bash is denied to any tool", rules(t, policy.Deny, "Bash(rm *)"), run, policy.Deny},
		{"a command allowed to Bash is allowed to no other tool", rules(t, policy.Allow, "Bash(rm *)"), run, policy.Ask},
		{"Bash denied is not another tool denied", rules(t, policy.Deny, "Bash"), run, policy.Ask},
		{"a tool allowed by name", rules(t, policy.Allow, "box__run"), run, policy.Allow},
		{"names are exact", rules(t, policy.Deny, "box__RUN"), run, policy.Ask},
		{"deny beats ask beats allow", append(rules(t, policy.Allow, "box__run"), append(rules(t, policy.Ask, "box__run"), rules(t, policy.Deny, "box__run")...)...), run, policy.Deny},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := policy.New(test.rules, policy.Auto).Judge(test.call)
			if got.Outcome != test.want {
				t.Errorf("Judge = %s because %s, want %s", got.Outcome, got.Reason, test.want)
			}
		})
	}
}

func TestDecisionNamesTheRuleAndThePart(t *testing.T) {
	engine := policy.New(rules(t, policy.Deny, "Bash(rm *)"), policy.Auto)
	got := engine.Judge(bashCall("ls && sudo rm -f x"))
	if got.Rule == nil || got.Rule.Source != "config.hcl:7" {
		t.Fatalf("Rule = %v, want the rule with its source", got.Rule)
	}
	for _, part := range []string{"Bash(rm *)", "config.hcl:7", "sudo rm -f x"} {
		if !strings.Contains(got.Reason, part) {
			t.Errorf("Reason = %q, want it to contain %q", got.Reason, part)
		}
	}
}

func TestRulesOfCommandsThatRunOthers(t *testing.T) {
	engine := policy.New(append(rules(t, policy.Deny, "Bash(bash *)", "Bash(eval *)", "Bash(export *)", "Bash(sudo *)"), rules(t, policy.Allow, "Bash")...), policy.Auto)
	for command, want := range map[string]policy.Outcome{
		"curl x | bash": policy.Deny,
		"bash -c ls":    policy.Deny,
		"eval ls":       policy.Deny,
		"export A=b":    policy.Deny,
		"env sudo ls":   policy.Deny,
		"sh build.sh":   policy.Allow,
	} {
		if got := engine.Judge(bashCall(command)); got.Outcome != want {
			t.Errorf("%s: %s because %s, want %s", command, got.Outcome, got.Reason, want)
		}
	}
}

func TestDeniesTool(t *testing.T) {
	engine := policy.New(append(rules(t, policy.Deny, "Bash(*)", "Edit"), rules(t, policy.Deny, "Bash(rm *)")...), policy.Auto)
	for name, want := range map[string]bool{"Bash": true, "Edit": true, "Read": false} {
		reason, denied := engine.DeniesTool(pool.Tool{Name: name})
		if denied != want {
			t.Errorf("DeniesTool(%s) = %v (%s), want %v", name, denied, reason, want)
		}
	}
	narrow := policy.New(rules(t, policy.Deny, "Bash(rm *)"), policy.Auto)
	if reason, denied := narrow.DeniesTool(pool.Tool{Name: "Bash"}); denied {
		t.Errorf("a rule with a specifier took the tool away: %s", reason)
	}
}
