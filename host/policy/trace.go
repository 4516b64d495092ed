package policy

// Step is one thing that was looked at on the way to a decision.
type Step struct {
	// Step says what: deny, ask or allow for a rule, else a basis of decisions.
	Step string `json:"step"`
	// Rule and Source are the rule that was looked at, if it was one.
	Rule   string `json:"rule,omitempty"`
	Source string `json:"source,omitempty"`
	// Part is the part of the call that it is about.
	Part string `json:"part,omitempty"`
	// Matched tells whether the rule applies.
	Matched bool    `json:"matched"`
	Outcome Outcome `json:"outcome,omitempty"`
	Why     string  `json:"why,omitempty"`
}

// trace collects steps; nil collects nothing.
type trace struct{ steps []Step }

func (t *trace) add(step Step) {
	if t != nil {
		t.steps = append(t.steps, step)
	}
}

// rule notes whether a rule applies to a part of the call.
func (t *trace) rule(rule *Rule, part string, matched bool, why string) {
	if t == nil {
		return
	}
	step := Step{Step: string(rule.Effect), Rule: rule.Text, Source: rule.Source, Part: part, Matched: matched, Why: why}
	if matched {
		step.Outcome = rule.Effect
	}
	t.steps = append(t.steps, step)
}
