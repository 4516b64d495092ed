package config

import (
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Hook is a program that is asked about calls, or told of them.
type Hook struct {
	Name string
	// Layer is the last layer that says something of it.
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
