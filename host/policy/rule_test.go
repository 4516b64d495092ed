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
		{"a glob in the name", "mcp__*", `a tool's name has no "*"`, 5},
		{"a blank in the name", "Bash (ls)", `a tool's name has no " "`, 4},
		{"text after the parenthesis", "Bash(ls) x", "its parenthesis is not closed", 4},
		{"an odd character in the name", "Bäsh", `a tool's name has no "ä"`, 1},
		{"a specifier of another tool", "Read(./x)", "Read takes no specifier", 5},
		{"empty parentheses", "Bash()", "the parentheses are empty", 5},
		{"a prefix of nothing", "Bash(:*)", "it names no command", 5},
		{"a list", "Bash(a && b)", "it is not one plain command", 5},
		{"a redirection", "Bash(a > b)", "it is not one plain command", 5},
		{"a star inside", "Bash(git * main)", "a pattern has a star only at its end, after a blank or a colon, and no expansion", 9},
		{"a variable", "Bash(echo $X)", "a pattern has a star only at its end, after a blank or a colon, and no expansion", 10},
		{"an input of Bash other than its command", "Bash(run_in_background:true)", `no command is called "run_in_background:true"`, 22},
		{"an assignment", "Bash(A=b c)", "it is not one plain command", 5},
		{"a command in the background", "Bash(a &)", "it is not one plain command", 5},
		{"broken syntax", "Bash(if)", "it is not valid shell (1:1: `if` must be followed by a statement list)", 5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := policy.ParseRule(test.text, policy.Deny, "config.hcl:1")
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
	} {
		if _, err := policy.ParseRule(text, policy.Deny, ""); err != nil {
			t.Errorf("ParseRule: %v", err)
		}
	}
}

func TestParseTrustedRefuses(t *testing.T) {
	for _, text := range []string{"", "ls; rm", "ls $X", "A=b ls", "ls > f", "if"} {
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
		rule, err := policy.ParseRule(text, policy.Deny, "x:1")
		if err == nil {
			if _, err := policy.ParseRule(rule.Text, policy.Deny, "x:1"); err != nil {
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
