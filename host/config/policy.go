package config

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/policy"
)

// policyBlock is what the policy blocks of one file say.
type policyBlock struct {
	mode      policy.Mode // empty when not said
	modeRange hcl.Range
	rules     []policy.Rule
	places    []hcl.Range // of the rules
	trusted   []policy.TrustedCommand
	// readOnly is read_only_commands: "ask", "allow", or empty when not said.
	readOnly      string
	readOnlyRange hcl.Range
	// providers are trusted_providers.
	providers []string
}

// narrowed keeps what makes policy more careful. The mode stays: merging lets no
// workspace choose a wider one than the person's or the default.
func (p policyBlock) narrowed() policyBlock {
	narrow := policyBlock{mode: p.mode, modeRange: p.modeRange}
	if p.readOnly == askReadOnly {
		narrow.readOnly, narrow.readOnlyRange = p.readOnly, p.readOnlyRange
	}
	for i, rule := range p.rules {
		if rule.Effect != policy.Allow {
			narrow.rules = append(narrow.rules, rule)
			narrow.places = append(narrow.places, p.places[i])
		}
	}
	return narrow
}

func policySchema() *hcl.BodySchema {
	return &hcl.BodySchema{Attributes: []hcl.AttributeSchema{
		{Name: "approval_mode"}, {Name: "trusted_commands"}, {Name: "read_only_commands"}, {Name: "trusted_providers"}, {Name: "deny"}, {Name: "ask"}, {Name: "allow"},
	}}
}

func (l *layer) decodePolicy(blocks hcl.Blocks) Diagnostics {
	s := l.source
	var diags Diagnostics
	for i, block := range blocks {
		if i > 0 {
			diags = append(diags, s.error("Policy is declared twice",
				fmt.Sprintf("The first block is at %s. Join the two blocks.", s.place(blocks[0].DefRange)), block.DefRange))
		}
		// The rules of every block count: a deny rule is not to be lost over a
		// fault elsewhere.
		content, found := block.Body.Content(policySchema())
		diags = append(diags, s.fromHCL(found)...)
		if attribute, ok := content.Attributes["approval_mode"]; ok && i == 0 {
			diags = append(diags, l.decodeMode(attribute)...)
		}
		if attribute, ok := content.Attributes["read_only_commands"]; ok && i == 0 {
			diags = append(diags, l.decodeReadOnly(attribute)...)
		}
		for _, effect := range []policy.Outcome{policy.Deny, policy.Ask, policy.Allow} {
			if attribute, ok := content.Attributes[string(effect)]; ok {
				diags = append(diags, l.decodeRules(attribute, effect)...)
			}
		}
		if attribute, ok := content.Attributes["trusted_providers"]; ok {
			values, found := l.source.stringList(attribute.Expr)
			diags = append(diags, found...)
			for _, value := range values {
				l.policy.providers = append(l.policy.providers, value.text)
			}
		}
		if attribute, ok := content.Attributes["trusted_commands"]; ok {
			diags = append(diags, l.decodeTrusted(attribute)...)
		}
	}
	return diags
}

func (l *layer) decodeMode(attribute *hcl.Attribute) Diagnostics {
	s := l.source
	text, diags := s.stringValue(attribute.Expr)
	if diags.HasErrors() {
		return diags
	}
	mode, err := policy.ParseMode(text)
	if err != nil {
		detail := "Use recommend, auto or trust."
		var names []string
		for _, known := range policy.Modes() {
			names = append(names, string(known))
		}
		if near := nearest(text, names); near != "" {
			detail += fmt.Sprintf(" Did you mean %q?", near)
		}
		return Diagnostics{s.error(fmt.Sprintf("Unknown approval mode %q", text), detail, attribute.Expr.Range())}
	}
	if mode == policy.Trust && l.kind == LayerWorkspace {
		return Diagnostics{s.error("A workspace cannot trust itself",
			`Only you can let nearly everything run unasked: for one session with "/mode approval trust confirm", or in your own configuration. Use "auto" or "recommend" here.`,
			attribute.Expr.Range())}
	}
	l.policy.mode, l.policy.modeRange = mode, attribute.Range
	return nil
}

// The values of read_only_commands.
const (
	askReadOnly   = "ask"
	allowReadOnly = "allow"
)

func (l *layer) decodeReadOnly(attribute *hcl.Attribute) Diagnostics {
	text, diags := l.source.stringValue(attribute.Expr)
	if diags.HasErrors() {
		return diags
	}
	if text != askReadOnly && text != allowReadOnly {
		return Diagnostics{l.source.error(fmt.Sprintf("Unknown value %q", text),
			`Use "ask", or "allow" to let shell commands run unasked that are proven to read only, and only in the workspace.`, attribute.Expr.Range())}
	}
	l.policy.readOnly, l.policy.readOnlyRange = text, attribute.Range
	return nil
}

func (l *layer) decodeTrusted(attribute *hcl.Attribute) Diagnostics {
	values, diags := l.source.stringList(attribute.Expr)
	for _, value := range values {
		command, err := policy.ParseTrusted(value.text, l.source.place(value.at))
		if err != nil {
			diags = append(diags, l.source.ruleFault("Invalid trusted command", err, value.at))
			continue
		}
		l.policy.trusted = append(l.policy.trusted, command)
	}
	return diags
}

// ruleFault puts the fault of a rule at its list element.
func (s *source) ruleFault(summary string, err error, at hcl.Range) Diagnostic {
	var fault *policy.RuleError
	if !errors.As(err, &fault) {
		return s.error(summary, err.Error(), at)
	}
	return s.error(summary, fmt.Sprintf("In %q, %s. To mend it, %s.", fault.Text, fault.Problem, fault.Hint), at)
}
