package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Hook is a program that is asked about calls, or told of them.
type Hook struct {
	Name string
	// Layer is the last layer that says something of it, as that of a [Plugin].
	Layer Layer
	// Event is when it runs, one of [HookEvents].
	Event string
	// Matcher is what the names of tools are matched with; empty is every tool.
	// docs/configuration.md has the grammar.
	Matcher string
	// Command is the program and its arguments, as those of a [Plugin].
	Command []string
	// Timeout ends it; 0 is the default.
	Timeout time.Duration
	// OnError says what becomes of a call when the hook fails: "block" or
	// "warn". Empty is "block".
	OnError string

	source *source
	block  hcl.Range
}

// Source is where the hook was last declared, as "file:line".
func (h Hook) Source() string { return h.source.place(h.block) }

// HookEvents are the events that a hook may name.
func HookEvents() []string {
	return []string{
		"pre_tool_use", "post_tool_use", "post_tool_failure", "permission_request",
		"session_start", "session_end", "stop", "user_prompt",
	}
}

// Pool is what the configuration says of the tools that a model sees.
type Pool struct {
	// VisibleTokens bounds the model's list, in tokens as the pool estimates
	// them; 0 is no bound.
	VisibleTokens int
	// NoLearning keeps the tool search from remembering which queries led to a
	// call of which tool.
	NoLearning bool
}

// Tools is what the configuration says of the tools of one provider.
type Tools struct {
	// Load of tools that ByName does not say anything of; empty leaves each
	// tool its own.
	Load pool.Load
	// ByName are overrides for tools, by the provider's own name of the tool or
	// a pattern of it with *: "always", "deferred" or "off".
	ByName map[string]pool.Load
}

// hooks makes the hooks of what the layers say, the person's first.
func (c *Config) hooks(j *joined) Diagnostics {
	var diags Diagnostics
	var others []string // that a misspelt name may have been meant for
	for _, m := range j.ofType("hook") {
		if m.missing() == nil {
			others = append(others, m.label)
		}
	}
	for _, m := range j.ofType("hook") {
		last := m.blocks[len(m.blocks)-1]
		hook := Hook{
			Name: m.label, Layer: m.layer, Event: m.text("event"), Matcher: m.text("matcher"), Command: m.texts("command"),
			OnError: m.text("on_error"), source: last.source, block: last.header,
		}
		if s := m.last("timeout"); s != nil {
			hook.Timeout = s.scalar.(time.Duration)
		}
		if missing := m.missing(); len(missing) > 0 {
			if !slices.ContainsFunc(m.blocks, func(b *block) bool { return b.faulty }) {
				diags = append(diags, last.source.error(fmt.Sprintf("Hook %q is incomplete", m.label), "Add "+strings.Join(missing, " and ")+"."+didYouMean(m.label, others), last.header))
			}
			continue
		}
		c.Hooks = append(c.Hooks, hook)
	}
	slices.SortStableFunc(c.Hooks, func(a, b Hook) int { return cmp.Compare(rank(a.Layer), rank(b.Layer)) })
	return diags
}

// missing are the required attributes that no layer gives, with examples.
func (m *merged) missing() []string {
	var missing []string
	for _, spec := range m.spec.Attributes {
		if spec.Required && m.last(spec.Name) == nil {
			missing = append(missing, fmt.Sprintf("an argument %q, as in %s = %s", spec.Name, spec.Name, spec.Example))
		}
	}
	return missing
}

func (c *Config) pool(j *joined) {
	m := j.find("pool", "")
	if s := m.last("visible_tokens"); s != nil {
		c.Pool.VisibleTokens = s.scalar.(int)
	}
	if s := m.last("learn"); s != nil {
		c.Pool.NoLearning = s.scalar == false
	}
}
