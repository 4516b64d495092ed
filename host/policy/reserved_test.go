package policy_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestReservedForAPerson(t *testing.T) {
	rules := []policy.Rule{}
	for effect, texts := range map[policy.Outcome][]string{
		policy.Deny: {"Bash(git push *)"},
		policy.Ask:  {"Bash(rm *)", "Bash(make *)", "Bash(tee *)"},
	} {
		for _, text := range texts {
			rule, err := policy.ParseRule(text, effect, policy.Place{Root: "/work"})
			if err != nil {
				t.Fatal(err)
			}
			rules = append(rules, rule)
		}
	}
	engine := policy.New(rules, policy.Auto)
	tests := map[string]struct {
		command  string
		reserved bool
	}{
		"what an ask rule asks about is not":          {"make test", false},
		"what the mode asks about is not":             {"frobnicate", false},
		"a critical command is, under an ask rule":    {"rm -rf /", true},
		"a protected path is, under an ask rule":      {"tee .git/config", true},
		"what a deny rule denies is":                  {"git push origin", true},
		"what a deny rule may be about is":            {"$X push origin", true},
		"a command that can't be analysed is":         {"echo 'unclosed", true},
		"a critical command without any rule is, too": {"mkfs.ext4 /dev/sda1", true},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			reason := engine.Reserved(policy.Call{
				Tool: "Bash", Workspace: "/work", Home: "/home/me",
				Subjects: []policy.Subject{{Kind: pool.SubjectCommand, Value: test.command}},
			})
			if (reason != "") != test.reserved {
				t.Errorf("%q is reserved because of %q, want reserved %v", test.command, reason, test.reserved)
			}
		})
	}
}
