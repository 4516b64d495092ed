package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Plugin is one provider that the workspace has.
type Plugin struct {
	Name string
	// Bundled tells that the program serves it, so that it has no command.
	Bundled bool
	// Layer is the last layer that says something of it.
	Layer Layer
	// Command is the program and its arguments. A program with a slash is an
	// absolute path; one without is to be found in PATH.
	Command []string
	// Env is added to the environment that every provider gets.
	Env map[string]string
	// PassEnv are the names of variables of the host's environment that it asks
	// for. It gets those that [Config.AllowEnv] allows.
	PassEnv []string
	Tools   Tools

	workspace string
	source    *source   // of the last block; nil without one
	block     hcl.Range // the header of the last block
	config    *configBlock
	faulty    bool // a block of it was already complained about
}

// configBlock is a plugin's config block, which is decoded late.
type configBlock struct {
	source *source
	block  *hcl.Block
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
func (p Plugin) HasConfig() bool { return p.config != nil }

// pluginBlock is one plugin block of one file.
type pluginBlock struct {
	name    string
	header  hcl.Range
	command []string
	env     map[string]string
	config  *hcl.Block
	faulty  bool
}

func pluginSchema() *hcl.BodySchema {
	return &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "command"}, {Name: "env"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "config"}},
	}
}

func (l *layer) decodePlugins(blocks hcl.Blocks, bundled []string) Diagnostics {
	var diags Diagnostics
	first := make(map[string]hcl.Range)
	for _, block := range blocks {
		if earlier, ok := first[block.Labels[0]]; ok {
			diags = append(diags, l.source.error(fmt.Sprintf("Plugin %q is declared twice", block.Labels[0]),
				fmt.Sprintf("The first one is at %s. Join the two blocks.", l.source.place(earlier)), block.DefRange))
			continue
		}
		first[block.Labels[0]] = block.DefRange
		plugin, faults := l.decodePlugin(block, bundled)
		diags = append(diags, faults...)
		if plugin != nil {
			l.plugins = append(l.plugins, plugin)
		}
	}
	return diags
}

// decodePlugin reads a plugin block; one without a usable name is nil.
func (l *layer) decodePlugin(block *hcl.Block, bundled []string) (*pluginBlock, Diagnostics) {
	s, name := l.source, block.Labels[0]
	if fault := nameFault(name); fault != "" {
		return nil, Diagnostics{s.error("Invalid plugin name", fault, block.LabelRanges[0])}
	}
	content, found := block.Body.Content(pluginSchema())
	diags := s.fromHCL(found)
	plugin := &pluginBlock{name: name, header: block.DefRange}
	if attribute, ok := content.Attributes["command"]; ok {
		if isBundled(name, bundled) {
			diags = append(diags, s.error("A bundled plugin has no command",
				fmt.Sprintf("%q is served by toolcrib itself. Remove the command, or choose another name for your plugin.", name), attribute.Range))
		} else {
			var faults Diagnostics
			plugin.command, faults = l.command(attribute)
			diags = append(diags, faults...)
		}
	}
	if attribute, ok := content.Attributes["env"]; ok {
		var faults Diagnostics
		plugin.env, faults = s.environment(attribute.Expr)
		diags = append(diags, faults...)
	}
	configs := content.Blocks.OfType("config")
	for i, config := range configs {
		if i == 0 {
			plugin.config = config
			continue
		}
		diags = append(diags, s.error("A plugin has one config block",
			fmt.Sprintf("The first one is at %s. Join the two blocks.", s.place(configs[0].DefRange)), config.DefRange))
	}
	plugin.faulty = diags.HasErrors()
	return plugin, diags
}

// nameFault says what is wrong with a plugin's name, which is the first part of
// the names of its tools.
func nameFault(name string) string {
	if name == "" {
		return "The name is empty. It is what the plugin's tools start with, as in words__count."
	}
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return fmt.Sprintf("A plugin's name has letters, digits, _ and -, and no %q.", r)
		}
	}
	if len(name) > maxName {
		return fmt.Sprintf("A plugin's name has at most %d characters.", maxName)
	}
	if strings.Contains(name, "__") {
		return "A plugin's name has no double underscore, since that ends it in the names of its tools."
	}
	return ""
}

// maxName leaves room for the tool's own name in the 64 characters of both.
const maxName = 32

// command reads the program and its arguments. A program with a slash is made
// absolute; a bare name stays one.
func (l *layer) command(attribute *hcl.Attribute) ([]string, Diagnostics) {
	values, diags := l.source.stringList(attribute.Expr)
	if diags.HasErrors() {
		return nil, diags
	}
	if len(values) == 0 || values[0].text == "" {
		return nil, Diagnostics{l.source.error("Empty command",
			`Name the program and its arguments, as in command = ["./bin/words"].`, attribute.Expr.Range())}
	}
	command := make([]string, len(values))
	for i, value := range values {
		if strings.ContainsRune(value.text, 0) {
			return nil, Diagnostics{l.source.error("Invalid command", "An argument has no NUL character.", value.at)}
		}
		command[i] = value.text
	}
	if strings.Contains(command[0], "/") && !filepath.IsAbs(command[0]) {
		command[0] = filepath.Join(l.root, command[0])
	}
	return command, nil
}

func (s *source) environment(expr hcl.Expression) (map[string]string, Diagnostics) {
	pairs, found := hcl.ExprMap(expr)
	if found.HasErrors() {
		value, found := expr.Value(nil)
		if found.HasErrors() {
			return nil, s.fromHCL(firstError(found))
		}
		return nil, Diagnostics{s.wrongType("an object of strings", value, expr)}
	}
	var diags Diagnostics
	env := make(map[string]string, len(pairs))
	for _, pair := range pairs {
		key, found := pair.Key.Value(nil)
		if found.HasErrors() || key.IsNull() || key.Type() != cty.String {
			diags = append(diags, s.error("Invalid environment name", "Write the name as it is, or in quotes.", pair.Key.Range()))
			continue
		}
		name := key.AsString()
		if name == "" || strings.ContainsAny(name, "=\x00") {
			diags = append(diags, s.error("Invalid environment name", "A name is not empty and has no = in it.", pair.Key.Range()))
			continue
		}
		value, faults := s.stringValue(pair.Value)
		diags = append(diags, faults...)
		if len(faults) == 0 {
			env[name] = value
		}
	}
	return env, diags
}

func isBundled(name string, bundled []string) bool {
	for _, known := range bundled {
		if known == name {
			return true
		}
	}
	return false
}

// missingCommand is the fault of a block that neither names a program nor a
// bundled plugin.
func (p Plugin) missingCommand(bundled []string) Diagnostic {
	detail := fmt.Sprintf("No bundled plugin has the name %q. ", p.Name)
	if near := nearest(p.Name, bundled); near != "" {
		detail += fmt.Sprintf("Did you mean %q? Otherwise name the program", near)
	} else {
		detail += "Name the program"
	}
	return p.source.error(fmt.Sprintf("Plugin %q has no command", p.Name), detail+` that serves it, as in command = ["./bin/words"].`, p.block)
}
