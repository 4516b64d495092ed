package policy_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestAsksAlways(t *testing.T) {
	destroys := pool.Annotations{Destructive: new(true)}
	command := []pool.SubjectField{{Field: "command", Kind: pool.SubjectCommand}}
	for claim, test := range map[string]struct {
		mode  policy.Mode
		rule  string
		as    policy.Outcome
		tool  pool.Tool
		wants bool
	}{
		"mode recommend asks about all":               {policy.Recommend, "Other", policy.Ask, pool.Tool{Name: "Read"}, true},
		"mode auto does not ask about harmless tools": {policy.Auto, "Other", policy.Ask, pool.Tool{Name: "Read"}, false},
		"mode auto asks about destructive ones":       {policy.Auto, "Other", policy.Ask, pool.Tool{Name: "Drop", Annotations: destroys}, true},
		"but not when a rule may allow it":            {policy.Auto, "Drop", policy.Allow, pool.Tool{Name: "Drop", Annotations: destroys}, false},
		"nor when the command decides":                {policy.Auto, "Other", policy.Ask, pool.Tool{Name: "Bash", Annotations: destroys, Subjects: command}, false},
		"mode trust asks about none":                  {policy.Trust, "Other", policy.Ask, pool.Tool{Name: "Drop", Annotations: destroys}, false},
		"a rule without a specifier asks in any mode": {policy.Trust, "Drop", policy.Ask, pool.Tool{Name: "Drop"}, true},
		"a rule with one does not":                    {policy.Trust, "Bash(rm *)", policy.Ask, pool.Tool{Name: "Bash"}, false},
	} {
		t.Run(claim, func(t *testing.T) {
			rule, err := policy.ParseRule(test.rule, test.as, policy.Place{})
			if err != nil {
				t.Fatal(err)
			}
			reason, asks := policy.New([]policy.Rule{rule}, test.mode).AsksAlways(test.tool)
			if asks != test.wants || asks == (reason == "") {
				t.Errorf("asks = %t (%q), want %t", asks, reason, test.wants)
			}
		})
	}
}
