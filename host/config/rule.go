package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/toolcrib/toolcrib/host/policy"
)

// declaredRule is an element of a list of rules: a string, or an object that
// comes with examples.
type declaredRule struct {
	text            string
	at              hcl.Range
	matches, misses []stringAt
}

// decodeRules reads the rules of one effect. A bad one is reported and left out,
// and does not void the others. One that allows nothing is a warning, since what
// it was meant for asks; one that should forbid something is an error.
func (l *layer) decodeRules(attribute *hcl.Attribute, effect policy.Outcome) Diagnostics {
	declared, diags := l.source.ruleList(attribute.Expr)
	for _, d := range declared {
		rule, err := policy.ParseRule(d.text, effect, policy.Place{Source: l.source.place(d.at), Root: l.root})
		if err != nil {
			fault := l.source.ruleFault("Invalid rule", err, d.at)
			if effect == policy.Allow {
				fault.Severity = Warning
			}
			diags = append(diags, fault)
			continue
		}
		diags = append(diags, l.checkExamples(rule, d)...)
		l.policy.rules = append(l.policy.rules, rule)
		l.policy.places = append(l.policy.places, d.at)
	}
	return diags
}

// checkExamples reports the examples of a rule that it treats otherwise.
func (l *layer) checkExamples(rule policy.Rule, d declaredRule) Diagnostics {
	var diags Diagnostics
	for want, examples := range map[bool][]stringAt{true: d.matches, false: d.misses} {
		for _, example := range examples {
			if rule.Matches(example.text, l.root) == want {
				continue
			}
			summary, detail := "The example does not match its rule", "Change the rule or the example."
			if !want {
				summary = "The example matches its rule"
			}
			diags = append(diags, l.source.error(summary, fmt.Sprintf("The rule is %s. %s", rule.Text, detail), example.at))
		}
	}
	return diags
}

// ruleList evaluates a list of rules. Elements that are none are reported and
// left out.
func (s *source) ruleList(expr hcl.Expression) ([]declaredRule, Diagnostics) {
	elements, found := hcl.ExprList(expr)
	if found.HasErrors() {
		_, diags := s.stringList(expr)
		return nil, diags
	}
	var rules []declaredRule
	var diags Diagnostics
	for _, element := range elements {
		pairs, found := hcl.ExprMap(element)
		if found.HasErrors() {
			text, faults := s.stringValue(element)
			diags = append(diags, faults...)
			if len(faults) == 0 {
				rules = append(rules, declaredRule{text: text, at: element.Range()})
			}
			continue
		}
		rule, faults := s.ruleWithExamples(pairs, element.Range())
		diags = append(diags, faults...)
		if rule.text != "" {
			rules = append(rules, rule)
		}
	}
	return rules, diags
}

// ruleWithExamples reads { rule = "...", match = [...], not_match = [...] }.
func (s *source) ruleWithExamples(pairs []hcl.KeyValuePair, at hcl.Range) (declaredRule, Diagnostics) {
	rule := declaredRule{at: at}
	var diags Diagnostics
	for _, pair := range pairs {
		key, found := pair.Key.Value(nil)
		if found.HasErrors() || key.IsNull() || key.Type() != cty.String {
			diags = append(diags, s.error("Invalid key", "Write rule, match or not_match.", pair.Key.Range()))
			continue
		}
		var faults Diagnostics
		switch name := key.AsString(); name {
		case "rule":
			rule.text, faults = s.stringValue(pair.Value)
			rule.at = pair.Value.Range()
		case "match":
			rule.matches, faults = s.stringList(pair.Value)
		case "not_match":
			rule.misses, faults = s.stringList(pair.Value)
		default:
			detail := "A rule has rule, match and not_match."
			if near := nearest(name, []string{"rule", "match", "not_match"}); near != "" {
				detail += fmt.Sprintf(" Did you mean %q?", near)
			}
			faults = Diagnostics{s.error("Unsupported argument", detail, pair.Key.Range())}
		}
		diags = append(diags, faults...)
	}
	if strings.TrimSpace(rule.text) == "" && !diags.HasErrors() {
		diags = append(diags, s.error("The rule is missing", `Write { rule = "Bash(git push *)", match = ["git push origin"] }.`, at))
	}
	return rule, diags
}
