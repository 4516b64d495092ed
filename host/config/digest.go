package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// ConfigDigest changes when the plugin's config block says something else, and
// not when only its comments, blanks or order change. It is empty without a
// config block.
func (p Plugin) ConfigDigest() string {
	if !p.HasConfig() {
		return ""
	}
	var bodies []any
	for _, part := range p.config {
		bodies = append(bodies, part.normal(part.body))
	}
	return digest(bodies)
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

// normal is a body without its layout: the values of its arguments, or their text
// where they have no value, and its blocks in order.
func (b *configBlock) normal(body hcl.Body) any {
	attributes, inner := contents(body)
	values := make(map[string]any)
	for _, attribute := range attributes {
		e := evaluator{source: b.source, scope: b.scope}
		if value, _, ok := e.value(attribute.Expr); ok {
			if plain, err := jsonOf(value); err == nil {
				values[attribute.Name] = plain
				continue
			}
		}
		values[attribute.Name] = string(attribute.Expr.Range().SliceBytes(b.source.text))
	}
	var blocks []normalBlock
	for _, block := range inner {
		blocks = append(blocks, normalBlock{block.Type, block.Labels, b.normal(block.Body)})
	}
	return struct {
		Values map[string]any
		Blocks []normalBlock
	}{values, blocks}
}
