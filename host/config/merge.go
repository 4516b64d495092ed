package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/policy"
)

// merge makes Plugins and Policy of the layers, the earlier ones first.
func (c *Config) merge() Diagnostics {
	var diags Diagnostics
	for _, name := range c.bundled {
		c.Plugins = append(c.Plugins, Plugin{Name: name, Bundled: true, Layer: LayerBuiltin, workspace: c.Workspace})
	}
	for _, layer := range c.layers {
		for _, block := range layer.plugins {
			c.mergePlugin(layer, block)
		}
		diags = append(diags, c.mergePolicy(layer)...)
	}
	diags = append(diags, c.unknownTools()...)
	if c.Policy.Mode == "" {
		c.Policy.Mode = policy.Auto
	}
	c.Plugins = slices.DeleteFunc(c.Plugins, func(p Plugin) bool {
		useless := !p.Bundled && len(p.Command) == 0
		if useless && !p.faulty {
			diags = append(diags, p.missingCommand(c.bundled))
		}
		return useless
	})
	return diags
}

// unknownTools warns of rules for tools that do not exist, as far as that is
// known before a provider runs.
func (c *Config) unknownTools() Diagnostics {
	var providers []string
	for _, plugin := range c.Plugins {
		providers = append(providers, plugin.Name)
	}
	var diags Diagnostics
	for _, l := range c.layers {
		for i, rule := range l.policy.rules {
			name, near, unknown := rule.UnknownTool(providers)
			if !unknown {
				continue
			}
			detail := "No bundled tool is called that, and a plugin's tools have its name in front, as in jira__search."
			if provider, _, named := strings.Cut(name, "__"); named {
				detail = fmt.Sprintf("No plugin is declared as %q.", provider)
				name = provider
			}
			if meant := nearest(name, near); meant != "" {
				detail += fmt.Sprintf(" Did you mean %q?", meant)
			}
			diags = append(diags, l.source.warning(fmt.Sprintf("The rule %s matches nothing", rule.Text), detail, l.policy.places[i]))
		}
	}
	return diags
}

func (c *Config) mergePlugin(l *layer, block *pluginBlock) {
	i := 0
	for i < len(c.Plugins) && c.Plugins[i].Name != block.name {
		i++
	}
	if i == len(c.Plugins) {
		c.Plugins = append(c.Plugins, Plugin{Name: block.name, workspace: c.Workspace})
	}
	plugin := &c.Plugins[i]
	plugin.Layer, plugin.faulty = l.kind, plugin.faulty || block.faulty
	plugin.source, plugin.block = l.source, block.header
	if len(block.command) > 0 {
		plugin.Command = block.command
	}
	if len(block.env) > 0 {
		env := maps.Clone(plugin.Env)
		if env == nil {
			env = make(map[string]string)
		}
		maps.Copy(env, block.env)
		plugin.Env = env
	}
	if block.config != nil {
		plugin.config = &configBlock{source: l.source, block: block.config}
	}
}

func (c *Config) mergePolicy(l *layer) Diagnostics {
	p := l.policy
	c.Policy.Rules = append(c.Policy.Rules, p.rules...)
	c.Policy.Trusted = append(c.Policy.Trusted, p.trusted...)
	c.Policy.TrustedProviders = append(c.Policy.TrustedProviders, p.providers...)
	if l.kind == LayerWorkspace {
		c.Policy.Grants.TrustedProviders = append(c.Policy.Grants.TrustedProviders, p.providers...)
		c.Policy.Grants.Trusted = append(c.Policy.Grants.Trusted, p.trusted...)
		c.Policy.Grants.ReadOnlyCommands = p.readOnly == allowReadOnly
		for _, rule := range p.rules {
			if rule.Effect == policy.Allow {
				c.Policy.Grants.Allow = append(c.Policy.Grants.Allow, rule)
			}
		}
	}
	diags := c.mergeReadOnly(l)
	if p.mode == "" {
		return diags
	}
	earlier := c.Policy.Mode
	if earlier != "" && p.mode.Wider(earlier) {
		return append(diags, l.source.warning("The approval mode is not widened",
			fmt.Sprintf("Your own configuration says %q, which is more careful than %q, so it stays. Change it there, or take this line out.", earlier, p.mode),
			p.modeRange))
	}
	c.Policy.Mode = p.mode
	return diags
}

// mergeReadOnly takes over read_only_commands; a later layer may only narrow what
// an earlier one says.
func (c *Config) mergeReadOnly(l *layer) Diagnostics {
	wanted, earlier := l.policy.readOnly, c.readOnly
	switch {
	case wanted == "":
		return nil
	case earlier == askReadOnly && wanted == allowReadOnly:
		c.Policy.Grants.ReadOnlyCommands = false
		return Diagnostics{l.source.warning("Read-only commands still ask",
			`Your own configuration says read_only_commands = "ask", so it stays. Change it there, or take this line out.`, l.policy.readOnlyRange)}
	}
	c.readOnly = wanted
	c.Policy.ReadOnlyCommands = wanted == allowReadOnly
	return nil
}
