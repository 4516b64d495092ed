package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/policy"
)

// ruleAt is a rule and where it was written.
type ruleAt struct {
	policy.Rule
	source *source
	at     hcl.Range
}

// declaredRule is an element of a list of rules: a string, or an object that
// comes with examples.
type declaredRule struct {
	textAt
	matches, misses []textAt
}

// checkRules reads a list of rules. A bad one is reported and left out, and does
// not void the others. One that allows nothing is a warning, since what it was
// meant for asks; one that should forbid something is an error.
func checkRules(r *reader, _ *written, s *setting) bool {
	effect := policy.Outcome(s.spec.Name)
	elements, ok := r.elements(s.expr, "a list of strings")
	for _, element := range elements {
		d, ok := r.rule(element)
		if !ok {
			continue
		}
		rule, err := policy.ParseRule(d.text, effect, policy.Place{Source: r.source.place(d.at), Root: r.layer.root})
		if err != nil {
			fault := r.source.ruleFault("Invalid rule", err, d.at)
			if effect == policy.Allow {
				fault.Severity = Warning
			}
			r.diags = append(r.diags, fault)
			continue
		}
		r.checkExamples(rule, d)
		s.rules = append(s.rules, ruleAt{rule, r.source, d.at})
	}
	return ok
}

// checkExamples reports the examples of a rule that it treats otherwise.
func (r *reader) checkExamples(rule policy.Rule, d declaredRule) {
	check := func(examples []textAt, want bool, summary string) {
		for _, example := range examples {
			if rule.Matches(example.text, r.layer.root) != want {
				r.fault(summary, fmt.Sprintf("The rule is %s. Change the rule or the example.", rule.Text), example.at)
			}
		}
	}
	check(d.matches, true, "The example does not match its rule")
	check(d.misses, false, "The example matches its rule")
}

// rule reads one element of a list of rules. ok is false when it is none, which
// was reported.
func (r *reader) rule(element hcl.Expression) (declaredRule, bool) {
	if pairs, found := hcl.ExprMap(element); !found.HasErrors() {
		return r.ruleWithExamples(pairs, element.Range())
	}
	text, ok := r.openText(element)
	return declaredRule{textAt: text}, ok
}

// openText is the text of an expression that is shown to people.
func (r *reader) openText(expr hcl.Expression) (textAt, bool) {
	text, ok := r.text(expr)
	if ok && text.sensitive {
		r.fault("A sensitive value would be shown", "Rules are shown to people. Write the rule without it.", text.at)
	}
	return text, ok && !text.sensitive
}

// ruleWithExamples reads { rule = "...", match = [...], not_match = [...] }.
func (r *reader) ruleWithExamples(pairs []hcl.KeyValuePair, at hcl.Range) (declaredRule, bool) {
	var rule declaredRule
	before := len(r.diags)
	for _, pair := range pairs {
		name, ok := r.key(pair.Key, "Invalid key")
		if !ok {
			continue
		}
		switch name {
		case "rule":
			rule.textAt, _ = r.openText(pair.Value)
		case "match":
			rule.matches, _ = r.texts(pair.Value)
		case "not_match":
			rule.misses, _ = r.texts(pair.Value)
		default:
			r.fault("Unsupported argument", "A rule has rule, match and not_match."+didYouMean(name, []string{"rule", "match", "not_match"}), pair.Key.Range())
		}
	}
	missing := strings.TrimSpace(rule.text) == ""
	if missing && len(r.diags) == before {
		r.fault("The rule is missing", `Write { rule = "Bash(git push *)", match = ["git push origin"] }.`, at)
	}
	return rule, !missing
}
