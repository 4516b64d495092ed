package config

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Plugin is one provider that the workspace has.
type Plugin struct {
	Name string
	// Bundled tells that the program serves it, so that it has no command.
	Bundled bool
	// Layer is the last layer that says something of it; of a plugin that a
	// workspace's file says something of, never the person's flags.
	Layer Layer
	// Command is the program and its arguments. A program with a slash is an
	// absolute path; one without is to be found in PATH.
	Command []string
	// Env is added to the environment that every provider gets.
	Env map[string]string
	// PassEnv are the names of variables of the host's environment that it asks
	// for. It gets those that [Config.AllowEnv] allows; see [Plugin.Passed].
	PassEnv []string
	Tools   Tools

	allowEnv  []string // of the configuration
	workspace string
	source    *source        // of the last block; nil without one
	block     hcl.Range      // the header of the last block
	config    []*configBlock // of the layers, the earlier ones first
}

// configBlock is what one file writes into a plugin's config block, which is
// decoded late.
type configBlock struct {
	source *source
	scope  *hcl.EvalContext
	layer  Layer
	body   hcl.Body
	header hcl.Range
}

// Source is where the plugin was last declared, as "file:line"; empty for a
// bundled one that no file mentions.
func (p Plugin) Source() string {
	if p.source == nil {
		return ""
	}
	return p.source.place(p.block)
}

// HasConfig reports whether a config block was written for it.
func (p Plugin) HasConfig() bool { return len(p.config) > 0 }

// plugins makes the plugins of what the layers say, the bundled ones first.
func (c *Config) plugins(j *joined) Diagnostics {
	for _, name := range c.bundled {
		c.Plugins = append(c.Plugins, Plugin{Name: name, Bundled: true, Layer: LayerBuiltin, workspace: c.Workspace})
	}
	var diags Diagnostics
	for _, m := range j.ofType("plugin") {
		i := slices.IndexFunc(c.Plugins, func(p Plugin) bool { return p.Name == m.label })
		if i < 0 {
			i = len(c.Plugins)
			c.Plugins = append(c.Plugins, Plugin{Name: m.label, workspace: c.Workspace})
		}
		p := &c.Plugins[i]
		p.fill(m)
		if p.Bundled || len(p.Command) > 0 {
			continue
		}
		if !slices.ContainsFunc(m.blocks, func(b *block) bool { return b.faulty }) {
			diags = append(diags, p.missingCommand(c.names(j)))
		}
		c.Plugins = slices.Delete(c.Plugins, i, i+1)
	}
	return diags
}

// names are the plugins that a name may have been meant for.
func (c *Config) names(j *joined) []string {
	names := slices.Clone(c.bundled)
	for _, m := range j.ofType("plugin") {
		if m.last("command") != nil {
			names = append(names, m.label)
		}
	}
	return names
}

func (p *Plugin) fill(m *merged) {
	last := m.blocks[len(m.blocks)-1]
	p.Layer, p.source, p.block = m.layer, last.source, last.header
	p.Command = m.texts("command")
	p.Env = m.byKey("env")
	p.PassEnv = m.texts("pass_env")
	p.Tools.Load = pool.Load(m.text("load"))
	for name, load := range m.byKey("tools") {
		if p.Tools.ByName == nil {
			p.Tools.ByName = make(map[string]pool.Load)
		}
		p.Tools.ByName[name] = pool.Load(load)
	}
	for _, b := range m.blocks {
		if b.config != nil {
			p.config = append(p.config, &configBlock{b.source, b.scope, b.layer, b.config.Body, b.config.DefRange})
		}
	}
}

// missingCommand is the fault of a block that neither names a program nor a
// bundled plugin.
func (p Plugin) missingCommand(known []string) Diagnostic {
	detail := fmt.Sprintf("No bundled plugin has the name %q. ", p.Name)
	if near := nearest(p.Name, known); near != "" {
		detail += fmt.Sprintf("Did you mean %q? Otherwise name the program", near)
	} else {
		detail += "Name the program"
	}
	return p.source.error(fmt.Sprintf("Plugin %q has no command", p.Name), detail+` that serves it, as in command = ["./bin/words"].`, p.block)
}
