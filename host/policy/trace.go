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

// explain notes what all rules of a set have to do with the call.
func (j *judgement) explain(set *ruleSet, f *findings) {
	if j.trace == nil {
		return
	}
	for i := range set.rules {
		rule := &set.rules[i]
		switch {
		case f.sure != nil && f.sure.rule == i:
			j.trace.rule(rule, f.sure.part, true, "")
		case f.doubt != nil && f.doubt.rule == i:
			j.trace.rule(rule, f.doubt.part, false, "it may match what is only known when it runs")
		default:
			j.trace.rule(rule, "", false, j.apart(rule))
		}
	}
}

// apart says why a rule does not match, or did not need to.
func (j *judgement) apart(rule *Rule) string {
	switch {
	case rule.command != nil:
		if len(j.scripts) == 0 {
			return "the call runs no shell command"
		}
		return "no part of the command matches, or an earlier rule decided"
	case rule.path != nil:
		return "no file that is known to be touched matches, or an earlier rule decided"
	case rule.domain != "":
		return "the host is another"
	case rule.agent != "":
		return "the agent is another"
	case rule.parameter != nil:
		return "the input has no such field, or another value"
	}
	return "it is about another tool"
}

// explainAllow notes the allow rules and trusted commands that nothing was said
// of yet.
func (j *judgement) explainAllow() {
	if j.trace == nil {
		return
	}
	type key struct{ rule, source string }
	said := make(map[key]bool)
	for _, step := range j.trace.steps {
		said[key{step.Rule, step.Source}] = true
	}
	for _, set := range []*ruleSet{j.engine.allow, j.engine.trusted} {
		for i := range set.rules {
			rule := &set.rules[i]
			if !said[key{rule.Text, rule.Source}] {
				j.trace.rule(rule, "", false, j.notAllowing(rule))
			}
		}
	}
}

// notAllowing says why an allow rule does not apply, or was not needed.
func (j *judgement) notAllowing(rule *Rule) string {
	switch {
	case rule.command != nil && len(j.scripts) > 0:
		return "it covers no part that was looked at"
	case rule.path != nil && rule.tool.family() && capability(j.call.Tool) != "":
		return "it does not cover all paths of the call, as they are written and where they lead"
	}
	return j.apart(rule)
}
