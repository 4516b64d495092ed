package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/policy"
)

// The values of read_only_commands.
const (
	askReadOnly   = "ask"
	allowReadOnly = "allow"
)

func modeNames() []string {
	var names []string
	for _, mode := range policy.Modes() {
		names = append(names, string(mode))
	}
	return names
}

func widerMode(earlier, now any) bool {
	return policy.Mode(now.(string)).Wider(policy.Mode(earlier.(string)))
}

func checkMode(r *reader, _ *written, s *setting) bool {
	if policy.Mode(s.text()) != policy.Trust || !s.layer.Foreign() {
		return true
	}
	r.fault("A workspace cannot trust itself",
		`Only you can let nearly everything run unasked: for one session with "/mode approval trust confirm", or in your own configuration. Use "auto" or "recommend" here.`,
		s.expr.Range())
	return false
}

func checkTrusted(r *reader, _ *written, s *setting) bool {
	for _, item := range s.items {
		command, err := policy.ParseTrusted(item.text, r.source.place(item.at))
		if err != nil {
			r.diags = append(r.diags, r.source.ruleFault("Invalid trusted command", err, item.at))
			continue
		}
		s.trusted = append(s.trusted, command)
	}
	return true
}

// ruleFault puts the fault of a rule at its list element.
func (s *source) ruleFault(summary string, err error, at hcl.Range) Diagnostic {
	var fault *policy.RuleError
	if !errors.As(err, &fault) {
		return s.error(summary, err.Error(), at)
	}
	return s.error(summary, fmt.Sprintf("In %q, %s. To mend it, %s.", fault.Text, fault.Problem, fault.Hint), at)
}

// policy makes the policy of what the layers say.
func (c *Config) policy(j *joined) Diagnostics {
	c.Policy = Policy{Mode: policy.Auto}
	m := j.find("policy", "")
	if m == nil {
		return nil
	}
	if s := m.last("approval_mode"); s != nil {
		c.Policy.Mode = policy.Mode(s.text())
	}
	if s := m.last("read_only_commands"); s != nil {
		c.Policy.ReadOnlyCommands = s.text() == allowReadOnly
		c.Policy.Grants.ReadOnlyCommands = c.Policy.ReadOnlyCommands && s.layer.Foreign()
	}
	var rules []ruleAt
	for _, foreign := range []bool{false, true} {
		for _, effect := range []policy.Outcome{policy.Deny, policy.Ask, policy.Allow} {
			for _, s := range m.said[string(effect)] {
				if s.layer.Foreign() == foreign {
					rules = append(rules, s.rules...)
				}
			}
		}
	}
	for _, rule := range rules {
		c.Policy.Rules = append(c.Policy.Rules, rule.Rule)
	}
	c.Policy.TrustedProviders = m.texts("trusted_providers")
	for _, s := range m.said["trusted_commands"] {
		c.Policy.Trusted = append(c.Policy.Trusted, s.trusted...)
	}
	c.grants(m)
	return append(c.unknownProviders(m), c.unknownTools(rules)...)
}

// unknownProviders warns of trusted providers that do not exist. The person's own
// file may name those of other workspaces, unless it looks like a slip.
func (c *Config) unknownProviders(m *merged) Diagnostics {
	names := c.providers()
	var diags Diagnostics
	for _, s := range m.said["trusted_providers"] {
		for _, item := range s.items {
			near := nearest(item.text, names)
			if slices.Contains(names, item.text) || near == "" && !s.layer.Foreign() {
				continue
			}
			diags = append(diags, s.source.warning(fmt.Sprintf("No plugin is declared as %q", item.text),
				"It is trusted in vain. Declare it, or take it out."+didYouMean(item.text, names), item.at))
		}
	}
	return diags
}

func (c *Config) providers() []string {
	var names []string
	for _, plugin := range c.Plugins {
		names = append(names, plugin.Name)
	}
	return names
}

// grants are what would ask without the workspace's file.
func (c *Config) grants(m *merged) {
	g := &c.Policy.Grants
	for _, s := range m.said["trusted_providers"] {
		if s.layer.Foreign() {
			for _, item := range s.items {
				g.TrustedProviders = append(g.TrustedProviders, item.text)
			}
		}
	}
	for _, s := range m.said["trusted_commands"] {
		if s.layer.Foreign() {
			g.Trusted = append(g.Trusted, s.trusted...)
		}
	}
	for _, s := range m.said["allow"] {
		for _, rule := range s.rules {
			if s.layer.Foreign() {
				g.Allow = append(g.Allow, rule.Rule)
			}
		}
	}
}

// unknownTools warns of rules for tools that do not exist, as far as that is
// known before a provider runs.
func (c *Config) unknownTools(rules []ruleAt) Diagnostics {
	providers := c.providers()
	var diags Diagnostics
	for _, rule := range rules {
		name, near, unknown := rule.UnknownTool(providers)
		if !unknown {
			continue
		}
		detail := "No bundled tool is called that, and a plugin's tools have its name in front, as in jira__search."
		if provider, _, named := strings.Cut(name, "__"); named {
			detail = fmt.Sprintf("No plugin is declared as %q.", provider)
			name = provider
		}
		diags = append(diags, rule.source.warning(fmt.Sprintf("The rule %s matches nothing", rule.Text), detail+didYouMean(name, near), rule.at))
	}
	return diags
}
