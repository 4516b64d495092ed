package config

import (
	"cmp"

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
	// Set are settings from the command line, each a path and an HCL value, as in
	// policy.approval_mode="recommend" or plugin.words.command=["./x"]. They are
	// the person's own word, and hold against all files.
	Set []string
	// Vars are values of variables by name. They hold against those that the
	// environment gives as TOOLCRIB_VAR_name.
	Vars map[string]string
	// LookupEnv reads the environment; nil is [os.LookupEnv].
	LookupEnv func(name string) (value string, ok bool)
}

// Config is what the layers say together. It is immutable.
type Config struct {
	// Workspace is the path of the workspace's root, absolute and without links.
	Workspace string
	// Files are the absolute paths of the files that were read, for watching:
	// configurations, and what they read with the function file.
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

	bundled   []string
	layers    []*layer
	joined    *joined                // of the layers
	variables []map[string]*variable // the person's and the workspace's
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

// merge makes the exported fields of the layers.
func (c *Config) merge(restricted bool) Diagnostics {
	j := join(c.layers, restricted)
	c.joined = j
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
	restricted := &Config{Workspace: c.Workspace, Files: c.Files, bundled: c.bundled, layers: c.layers, variables: c.variables}
	// The faults of merging were reported when the whole was loaded.
	restricted.merge(true)
	return restricted
}
