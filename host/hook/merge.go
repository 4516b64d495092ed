package hook

import (
	"reflect"
	"slices"

	"github.com/toolcrib/toolcrib/host/policy"
)

// merge joins the answers to one input. Of several hooks with the same outcome
// the first declared one gives the reason.
func merge[H Hook](hooks []H, answers []Answer) Merged {
	var merged Merged
	for i, answer := range answers {
		merged = merged.with(answer.of(hooks[i].Name()))
	}
	return merged
}

// of is the answer as that of a hook.
func (a Answer) of(name string) Merged {
	one := Merged{Outcome: a.Outcome, Reason: a.Reason, Risk: a.Risk, Input: a.Input}
	if one.Outcome != "" {
		one.By = name
	}
	if one.Risk != "" {
		one.RiskReason = "the hook " + name + " says so"
		if a.RiskReason != "" {
			one.RiskReason = name + ": " + a.RiskReason
		}
	}
	one.Warnings = named(name, a.Warnings...)
	if a.Context != "" {
		one.Notes = []string{note(name, a.Context)}
	}
	report := Report{
		Hook: name, Outcome: string(a.Outcome), Reason: a.Reason, Warnings: a.Warnings, Rewrote: a.Input != nil,
	}
	if !report.empty() {
		one.Reports = []Report{report}
	}
	return one
}

// named are texts for a person, with the hook that they come from.
func named(name string, texts ...string) []string {
	var lines []string
	for _, text := range texts {
		lines = append(lines, name+": "+text)
	}
	return lines
}

// note is a text for a model.
func note(name, text string) string { return "hook " + name + ": " + text }

// with adds what later hooks say: the stricter outcome, the higher risk, the
// later input, and everything else once.
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
	m.Warnings = addNew(m.Warnings, later.Warnings)
	m.Notes = addNew(m.Notes, later.Notes)
	m.Reports = addNew(m.Reports, later.Reports)
	return m
}

// addNew appends the elements that are not there yet.
func addNew[E any](have, more []E) []E {
	for _, e := range more {
		if !slices.ContainsFunc(have, func(h E) bool { return reflect.DeepEqual(h, e) }) {
			have = append(slices.Clip(have), e)
		}
	}
	return have
}
