package config

import (
	"cmp"
	"path/filepath"

	"github.com/adrg/xdg"

	"github.com/toolcrib/toolcrib/host/policy"
)

// Options say what Load reads. The zero value is what a session uses.
type Options struct {
	// UserFile is the person's own file; empty is the XDG place. A file that
	// does not exist is no fault.
	UserFile string
	// Bundled are the providers that exist without a plugin block and without
	// a command. Nil is "builtin" alone.
	Bundled []string
	// Version is the program's, for required_version. One that is no version
	// number satisfies every requirement.
	Version string
}

// Config is what the layers say together. It is immutable.
type Config struct {
	// Workspace is the absolute path of the workspace's root.
	Workspace string
	// Files are the absolute paths of the files that were read, for watching.
	Files []string
	// Plugins are the bundled ones first, then the others as they are declared.
	Plugins []Plugin
	// Hooks are in declared order, those of the person before the workspace's.
	Hooks  []Hook
	Policy Policy
	Pool   Pool
	// AllowEnv are names of environment variables, or patterns of them with *,
	// that the person lets providers have when [Plugin.PassEnv] asks for them.
	AllowEnv []string

	bundled []string
	layers  []*layer
}

// Policy is the policy of all layers.
type Policy struct {
	Mode policy.Mode
	// Rules of the person come before those of the workspace.
	Rules   []policy.Rule
	Trusted []policy.TrustedCommand
	// ReadOnlyCommands tells that shell commands run unasked that are proven to
	// read only, and only in the workspace.
	ReadOnlyCommands bool
	// TrustedProviders are believed when they say that a tool only reads.
	TrustedProviders []string
	// Grants are what the workspace's file lets run that would ask without it.
	Grants Grants
}

// Grants are rules and trusted commands that a workspace's file adds.
type Grants struct {
	Allow            []policy.Rule
	Trusted          []policy.TrustedCommand
	ReadOnlyCommands bool
	TrustedProviders []string
}

// Engine makes an engine of the policy in a mode; the empty mode is the
// configured one.
func (p Policy) Engine(mode policy.Mode) *policy.Engine {
	return policy.New(p.Rules, cmp.Or(mode, p.Mode), p.Trusted...).
		WithReadOnlyCommands(p.ReadOnlyCommands).WithTrustedProviders(p.TrustedProviders...)
}

// Load reads the configuration that holds in dir. It always returns a Config:
// with faults, what could be made of the rest. It never starts anything.
func Load(dir string, options Options) (*Config, Diagnostics) {
	var diags Diagnostics
	bundled := options.Bundled
	if bundled == nil {
		bundled = []string{"builtin"}
	}
	userFile := options.UserFile
	if userFile == "" {
		userFile = filepath.Join(xdg.ConfigHome, "toolcrib", "config.hcl")
	}
	base, err := filepath.Abs(dir)
	if err != nil {
		return &Config{Workspace: dir, bundled: bundled}, Diagnostics{plain("Cannot find the workspace", err.Error()+". Give an absolute path.")}
	}
	found := locate(base, userFile)
	c := &Config{Workspace: found.root, bundled: bundled}
	diags = append(diags, found.diags...)

	user, userDiags := readSource(userFile, base)
	diags = append(diags, userDiags...)
	table := Blocks()
	if user != nil {
		diags = append(diags, c.read(&layer{kind: LayerUser, root: filepath.Dir(user.path)}, user, table, options.Version)...)
	}
	if found.source != nil {
		diags = append(diags, c.read(&layer{kind: LayerWorkspace, root: c.Workspace}, found.source, table, options.Version)...)
	}
	return c, append(diags, c.merge(false)...).sorted()
}

// read adds a file to the layers.
func (c *Config) read(l *layer, s *source, table []Block, running string) Diagnostics {
	c.Files = append(c.Files, s.path)
	c.layers = append(c.layers, l)
	body, diags := s.parse()
	if body == nil {
		return diags
	}
	if diags := s.checkVersion(body, running); diags.HasErrors() {
		return diags
	}
	all, diags := s.structure(body, table)
	r := &reader{evaluator: evaluator{source: s}, layer: l, bundled: c.bundled}
	for _, w := range all {
		l.blocks = append(l.blocks, r.read(w))
	}
	return append(diags, r.diags...)
}

// merge makes the exported fields of the layers.
func (c *Config) merge(restricted bool) Diagnostics {
	j := join(c.layers, restricted)
	diags := append(j.diags, c.plugins(j)...)
	diags = append(diags, c.hooks(j)...)
	diags = append(diags, c.policy(j)...)
	c.pool(j)
	c.AllowEnv = j.find("environment", "").texts("allow")
	for i := range c.Plugins {
		c.Plugins[i].allowEnv = c.AllowEnv
	}
	return diags
}

// Plugin finds a plugin by its name.
func (c *Config) Plugin(name string) (Plugin, bool) {
	for _, plugin := range c.Plugins {
		if plugin.Name == name {
			return plugin, true
		}
	}
	return Plugin{}, false
}

// Restricted is the configuration for a workspace that the person has not
// trusted: of the workspace's files, only what makes it more careful.
func (c *Config) Restricted() *Config {
	restricted := &Config{Workspace: c.Workspace, Files: c.Files, bundled: c.bundled, layers: c.layers}
	// The faults of merging were reported when the whole was loaded.
	restricted.merge(true)
	return restricted
}
