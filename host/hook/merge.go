package hook

import (
	"slices"

	"github.com/toolcrib/toolcrib/host/policy"
)

// merge joins the answers to one input. Of several hooks with the same outcome
// the first declared one gives the reason.
func merge(hooks []Hook, answers []Answer) Merged {
	var merged Merged
	for i, answer := range answers {
		name := hooks[i].Name()
		one := Merged{Outcome: answer.Outcome, Reason: answer.Reason, Risk: answer.Risk, Input: answer.Input}
		if one.Outcome != "" {
			one.By = name
		}
		if one.Risk != "" {
			one.RiskReason = "the hook " + name + " says so"
			if answer.RiskReason != "" {
				one.RiskReason = name + ": " + answer.RiskReason
			}
		}
		for _, warning := range answer.Warnings {
			one.Warnings = append(one.Warnings, name+": "+warning)
		}
		merged = merged.with(one)
	}
	return merged
}

// with adds what later hooks say: the stricter outcome, the higher risk, the
// later input, and every warning once.
func (m Merged) with(later Merged) Merged {
	if policy.Stricter(m.Outcome, later.Outcome) != m.Outcome {
		m.Outcome, m.Reason, m.By = later.Outcome, later.Reason, later.By
	}
	if later.Risk.Higher(m.Risk) {
		m.Risk, m.RiskReason = later.Risk, later.RiskReason
	}
	if later.Input != nil {
		m.Input = later.Input
	}
	for _, warning := range later.Warnings {
		if !slices.Contains(m.Warnings, warning) {
			m.Warnings = append(slices.Clip(m.Warnings), warning)
		}
	}
	return m
}
