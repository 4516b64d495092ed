package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

// BenchmarkJudge decides a command of 200 parts under 10,000 rules of all kinds.
// The target is 2 ms.
func BenchmarkJudge(b *testing.B) {
	var all []policy.Rule
	for i := range 2000 {
		all = append(all, rules(b, policy.Deny,
			fmt.Sprintf("Bash(deny%d run *)", i), fmt.Sprintf("Read(secrets%d/**)", i), fmt.Sprintf("WebFetch(domain:x%d.example.com)", i))...)
		all = append(all, rules(b, policy.Ask, fmt.Sprintf("Bash(ask%d * push)", i))...)
		all = append(all, rules(b, policy.Allow, fmt.Sprintf("Bash(tool%d *)", i))...)
	}
	var parts []string
	for i := range 200 {
		parts = append(parts, fmt.Sprintf("tool%d build ./src/f%d --out 'a b' 2>&1", i*7, i%20))
	}
	call := bashCall(strings.Join(parts, " && "))
	engine := policy.New(all, policy.Auto)
	if got := engine.Judge(call); got.Outcome != policy.Allow {
		b.Fatalf("%s because %s", got.Outcome, got.Reason)
	}
	for b.Loop() {
		engine.Judge(call)
	}
	b.ReportMetric(float64(len(all)), "rules")
}
