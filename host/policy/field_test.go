package policy_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

// TestCommandsThatOtherAgentsLetThrough holds commands that agents in the field
// ran unasked. Here the tools that they misuse are all trusted, and read-only
// commands run unasked.
func TestCommandsThatOtherAgentsLetThrough(t *testing.T) {
	commands := []string{
		"env rm -rf x", "timeout 5 sh x", "nohup sh x", "ls > f", "ls & rm f", "git branch -D main", "git diff --output=f",
		"GIT_EXTERNAL_DIFF=x git diff", "date -s 2020-01-01", `find . -de\lete`, "find . -{delete,print}", "uniq in out", "./ls",
		"/tmp/evil/cat x", "sort -o f g", "sed -i s/a/b/ f", `awk 'BEGIN{system("id")}'`, "xargs rm < list", "git -c core.pager=x log",
		"tar --checkpoint-action=exec=x",
	}
	readOnly := policy.New(nil, policy.Auto).WithReadOnlyCommands(true)
	trusting := policy.New(nil, policy.Auto, trusted(t, "ls", "cat", "git log", "git diff", "date", "find", "uniq", "sort", "awk")...).WithReadOnlyCommands(true)
	for name, engine := range map[string]*policy.Engine{"read-only commands": readOnly, "trusted commands": trusting} {
		for _, command := range commands {
			t.Run(name+"/"+command, func(t *testing.T) {
				if got := engine.Judge(bashCall(command)); got.Outcome != policy.Ask {
					t.Errorf("%q: %s because %s, want ask", command, got.Outcome, got.Reason)
				}
			})
		}
	}
}

func TestCommandsThatOtherAgentsAskAboutForNothing(t *testing.T) {
	engine := policy.New(rules(t, policy.Allow, "Bash(git log *)"), policy.Auto, trusted(t, "ls")...)
	for _, command := range []string{"timeout 5 git log", "NO_COLOR=1 ls", "ls -la /tmp", "git log 2>&1 | ls", "(git log; ls)"} {
		t.Run(command, func(t *testing.T) {
			if got := engine.Judge(bashCall(command)); got.Outcome != policy.Allow {
				t.Errorf("%q: %s because %s, want allow", command, got.Outcome, got.Reason)
			}
		})
	}
}

func TestReadOnlyCommandsAskUnlessThePersonSaysOtherwise(t *testing.T) {
	engine := policy.New(nil, policy.Auto)
	if got := engine.Judge(bashCall("ls")); got.Outcome != policy.Ask {
		t.Errorf("ls: %s because %s, want ask", got.Outcome, got.Reason)
	}
	engine = engine.WithReadOnlyCommands(true)
	if got := engine.Judge(bashCall("ls")); got.Outcome != policy.Allow || got.Basis != policy.ByReadOnly {
		t.Errorf("ls: %s because %s, want allow", got.Outcome, got.Reason)
	}
	if got := engine.WithMode(policy.Recommend).Judge(bashCall("ls")); got.Outcome != policy.Ask {
		t.Errorf("ls in mode recommend: %s because %s, want ask", got.Outcome, got.Reason)
	}
}
