package policy_test

import (
	"errors"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

func TestParseRuleRefuses(t *testing.T) {
	tests := []struct {
		name, text, problem string
		offset              int
	}{
		{"nothing", " ", "it is empty", 0},
		{"no name", "(ls)", "the tool's name is missing", 0},
		{"an open parenthesis", "Bash(ls *", "its parenthesis is not closed", 4},
		{"a server without a tool", "mcp__github__", "the name of the tool is missing", 0},
		{"a glob with a specifier", "mcp__*(x)", "a rule about several tools takes no specifier", 7},
		{"a blank in the name", "Bash (ls)", `a tool's name has no " "`, 4},
		{"text after the parenthesis", "Bash(ls) x", "its parenthesis is not closed", 4},
		{"an odd character in the name", "Bäsh", `a tool's name has no "ä"`, 1},
		{"a specifier of another tool", "WebSearch(x)", "WebSearch takes no such specifier", 10},
		{"a host without domain", "WebFetch(example.com)", "it names no domain", 9},
		{"a URL as a domain", "WebFetch(domain:https://x.dev)", "a domain is the name of a host alone", 16},
		{"a path with open brackets", "Read([x)", "its brackets are not closed, or its backslash quotes nothing", 5},
		{"another's home directory", "Read(~mia/x)", "whose home directory that is, is not known", 5},
		{"empty parentheses", "Bash()", "the parentheses are empty", 5},
		{"a prefix of nothing", "Bash(:*)", "it names no command", 5},
		{"a list", "Bash(a && b)", "it is not one plain command", 5},
		{"a redirection", "Bash(a > b)", "it is not one plain command", 5},
		{"a variable", "Bash(echo $X)", "a pattern has stars and no expansion", 10},
		{"a substitution", "Bash(echo $(x))", "a pattern has stars and no expansion", 10},
		{"a command in the background", "Bash(a &)", "it is not one plain command", 5},
		{"broken syntax", "Bash(if)", "it is not valid shell (1:1: `if` must be followed by a statement list)", 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := policy.ParseRule(test.text, policy.Deny, policy.Place{Source: "config.hcl:1"})
			var fault *policy.RuleError
			if !errors.As(err, &fault) {
				t.Fatalf("ParseRule(%q) = %v, want a RuleError", test.text, err)
			}
			if fault.Problem != test.problem || fault.Offset != test.offset || fault.Hint == "" {
				t.Errorf("ParseRule(%q) = %+v, want problem %q at %d and a hint", test.text, fault, test.problem, test.offset)
			}
		})
	}
}

func TestParseRuleAccepts(t *testing.T) {
	for _, text := range []string{
		"Read", "mcp__github__search", "Bash", "Bash(*)", "Bash(ls)", "Bash(ls *)", "Bash(ls:*)", " Bash(ls *) ",
		"Bash(bash *)", "Bash(bash -c *)", "Bash(eval *)", "Bash(watch:*)", "Bash(source *)", "Bash(export *)", "Bash(xargs)",
		"Bash(npm run test:unit *)", `Bash(git commit -m "a b" *)`, "Bash(go vet ./...)", `Bash(echo "(" ')')`,
		"Bash(git * main)", "Bash(run_in_background:true)", "Bash(A=b c)", "Bash(curl * | sh)", "*", "mcp__*", "mcp__a", "mcp__a__*", "Read(!x)",
		"Read(./secrets/**)", "Edit(/src/**)", "Read(//etc/**)", "Read(~/x)", "Write(x)", "LSP(path:src/**)", "WebFetch(domain:*.x.dev)",
		"Agent(reviewer)", "Task(*)", "Agent(model:opus)", "words__count(path:docs/**)", "mcp__a__b(message:x*)",
	} {
		if _, err := policy.ParseRule(text, policy.Deny, policy.Place{Source: ""}); err != nil {
			t.Errorf("ParseRule: %v", err)
		}
	}
}

func TestParseRuleRefusesAnAllow(t *testing.T) {
	tests := []struct{ name, text, problem string }{
		{"any tool", "*", "an allow rule names one tool, or all of one provider"},
		{"several tools", "B*", "an allow rule names one tool, or all of one provider"},
		{"all servers", "mcp__*", "an allow rule names one tool, or all of one provider"},
		{"some servers", "mcp__e*__echo", "an allow rule names one tool, or all of one provider"},
		{"a path for one writer", "Write(src/**)", "an allow rule with paths is written for Edit, for all tools of its kind"},
		{"a path for one reader", "Grep(src/**)", "an allow rule with paths is written for Read, for all tools of its kind"},
		{"a path above", "Read(../x)", "it leaves the folder it is relative to"},
		{"a negation", "Read(!x)", "an allow rule takes nothing back"},
		{"a field", "mcp__a__b(message:x)", "mcp__a__b takes no such specifier"},
		{"a pipeline", "Bash(curl * | sh)", "it is not one plain command"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := policy.ParseRule(test.text, policy.Allow, policy.Place{})
			var fault *policy.RuleError
			if !errors.As(err, &fault) || fault.Problem != test.problem || fault.Hint == "" {
				t.Errorf("ParseRule(%q) = %v, want the problem %q and a hint", test.text, err, test.problem)
			}
		})
	}
}

func TestParseTrustedRefuses(t *testing.T) {
	for _, text := range []string{"", "ls; rm", "ls $X", "A=b ls", "ls > f", "if", "git * x"} {
		var fault *policy.RuleError
		if _, err := policy.ParseTrusted(text, ""); !errors.As(err, &fault) {
			t.Errorf("ParseTrusted(%q) = %v, want a RuleError", text, err)
		}
	}
}

func TestParseModeNamesTheModes(t *testing.T) {
	for _, mode := range policy.Modes() {
		if got, err := policy.ParseMode(string(mode)); got != mode || err != nil {
			t.Errorf("ParseMode(%s) = %s, %v", mode, got, err)
		}
	}
	if _, err := policy.ParseMode("yolo"); err == nil {
		t.Error("ParseMode(yolo) succeeded")
	}
}

// FuzzParseRule checks that a rule that is accepted says what it was made of,
// and that one that is refused says where.
func FuzzParseRule(f *testing.F) {
	for _, seed := range []string{"Read", "Bash(git push *)", "Bash(ls:*)", "Bash(", "()", "Bash(a 'b c' *)", "Bash($(x))", "\x00(", "Bash(a\\)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rule, err := policy.ParseRule(text, policy.Deny, policy.Place{Source: "x:1"})
		if err == nil {
			if _, err := policy.ParseRule(rule.Text, policy.Deny, policy.Place{Source: "x:1"}); err != nil {
				t.Errorf("the text of rule %q does not parse: %v", text, err)
			}
			return
		}
		var fault *policy.RuleError
		if !errors.As(err, &fault) || fault.Offset < 0 || fault.Offset > len(text) || fault.Problem == "" || fault.Hint == "" {
			t.Errorf("ParseRule(%q) = %v, want a positioned RuleError", text, err)
		}
	})
}
