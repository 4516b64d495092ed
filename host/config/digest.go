package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// ConfigDigest changes when the plugin's config block says something else, and
// not when only its comments, blanks or order change. It is empty without a
// config block.
func (p Plugin) ConfigDigest() string {
	if p.config == nil {
		return ""
	}
	native, ok := p.config.block.Body.(*hclsyntax.Body)
	if !ok {
		return digest(p.config.source.text)
	}
	return digest(normalBody(native, p.config.source.text))
}

// Digest changes when the configuration says something else.
func (c *Config) Digest() string {
	type plugin struct {
		Name    string
		Command []string
		Env     map[string]string // marshals in order
		PassEnv []string
		Tools   Tools
		Config  string
	}
	var plugins []plugin
	for _, p := range c.Plugins {
		plugins = append(plugins, plugin{p.Name, p.Command, p.Env, p.PassEnv, p.Tools, p.ConfigDigest()})
	}
	var hooks []string
	for _, h := range c.Hooks {
		hooks = append(hooks, h.Digest())
	}
	return digest(struct {
		Workspace string
		Plugins   []plugin
		Hooks     []string
		Mode      string
		Rules     any
		Trusted   any
		ReadOnly  bool
		Providers []string
		Pool      Pool
		AllowEnv  []string
	}{
		c.Workspace, plugins, hooks, string(c.Policy.Mode), c.Policy.Rules, c.Policy.Trusted, c.Policy.ReadOnlyCommands,
		c.Policy.TrustedProviders, c.Pool, c.AllowEnv,
	})
}

// Digest changes when the hook does something else.
func (h Hook) Digest() string {
	return digest(struct {
		Name, Event, Matcher string
		Command              []string
		Timeout              time.Duration
		OnError              string
	}{h.Name, h.Event, h.Matcher, h.Command, h.Timeout, h.OnError})
}

func digest(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // the values are our own, of types that marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// normalBlock is a block without its layout.
type normalBlock struct {
	Type   string
	Labels []string
	Body   any
}

// normalBody is a body without its layout: the values of its arguments, or their
// text where they have no value, and its blocks in order.
func normalBody(body *hclsyntax.Body, text []byte) any {
	values := make(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(body.Attributes)) {
		expr := body.Attributes[name].Expr
		value, found := expr.Value(nil)
		if !found.HasErrors() {
			if plain, err := jsonOf(value); err == nil {
				values[name] = plain
				continue
			}
		}
		values[name] = string(expr.Range().SliceBytes(text))
	}
	var blocks []normalBlock
	for _, block := range body.Blocks {
		blocks = append(blocks, normalBlock{block.Type, block.Labels, normalBody(block.Body, text)})
	}
	return struct {
		Values map[string]any
		Blocks []normalBlock
	}{values, blocks}
}
