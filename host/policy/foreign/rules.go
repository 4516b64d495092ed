package foreign

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolcrib/toolcrib/host/policy"
)

// Rules are what a file of another agent says, in our words.
type Rules struct {
	Rules []Rule
	// Unequal lists what has no equal here, and why.
	Unequal []string
}

// Rule is one rule with its examples.
type Rule struct {
	Effect          policy.Outcome
	Text            string
	Matches, Misses []string
	justification   string
	foreign         string
}

// add keeps a rule that policy understands, with those examples that hold.
func (r *Rules) add(rule Rule) {
	parsed, err := policy.ParseRule(rule.Text, rule.Effect, policy.Place{})
	if err != nil {
		r.unequal("%s %s: %v", rule.Effect, rule.foreign, err)
		return
	}
	rule.Matches = r.examples(parsed, rule, rule.Matches, true)
	rule.Misses = r.examples(parsed, rule, rule.Misses, false)
	r.Rules = append(r.Rules, rule)
}

func (r *Rules) examples(parsed policy.Rule, rule Rule, examples []string, want bool) []string {
	var held []string
	for _, example := range examples {
		if parsed.Matches(example, "/") == want {
			held = append(held, example)
			continue
		}
		r.unequal("the example %q of %s: it holds for the rules together, or there and not here", example, rule.foreign)
	}
	return held
}

func (r *Rules) unequal(format string, args ...any) {
	r.Unequal = append(r.Unequal, fmt.Sprintf(format, args...))
}

// WriteHCL writes a policy block, and what has no equal as comments below it.
func (r *Rules) WriteHCL(w io.Writer) error {
	var out strings.Builder
	out.WriteString("policy {\n")
	for _, effect := range []policy.Outcome{policy.Deny, policy.Ask, policy.Allow} {
		r.writeList(&out, effect)
	}
	out.WriteString("}\n")
	if len(r.Unequal) > 0 {
		out.WriteString("\n# These have no equal, and are left out:\n")
	}
	for _, note := range r.Unequal {
		fmt.Fprintf(&out, "#   %s\n", strings.Join(strings.Fields(note), " "))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (r *Rules) writeList(out *strings.Builder, effect policy.Outcome) {
	open := false
	for _, rule := range r.Rules {
		if rule.Effect != effect {
			continue
		}
		if !open {
			fmt.Fprintf(out, "  %s = [\n", effect)
			open = true
		}
		if rule.justification != "" {
			fmt.Fprintf(out, "    # %s\n", strings.Join(strings.Fields(rule.justification), " "))
		}
		out.WriteString("    " + element(rule) + ",\n")
	}
	if open {
		out.WriteString("  ]\n")
	}
}

// element is a rule as an element of a list: a string, or an object when it has
// examples.
func element(rule Rule) string {
	if len(rule.Matches) == 0 && len(rule.Misses) == 0 {
		return literal(rule.Text)
	}
	text := "{ rule = " + literal(rule.Text)
	if len(rule.Matches) > 0 {
		text += ", match = " + list(rule.Matches)
	}
	if len(rule.Misses) > 0 {
		text += ", not_match = " + list(rule.Misses)
	}
	return text + " }"
}

// literal is a text as a string of HCL (its native syntax, "Template
// Expressions").
func literal(text string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{")
	return `"` + escape.Replace(text) + `"`
}

func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = literal(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
