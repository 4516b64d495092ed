package sdk

import (
	"context"

	"github.com/google/jsonschema-go/jsonschema"
)

// Provider is a set of tools under one name. It must not be copied after
// [Serve].
type Provider struct {
	// Name is the provider's own; the workspace may declare it under another.
	Name    string
	Version string

	// Tools are offered from the start, unless Configure answers others.
	Tools []Tool

	// Config makes the provider configurable; see [NewConfig]. Nil: it takes
	// no config block.
	Config Config

	// Observe looks at files that other tools changed. Nil: the provider is
	// not asked.
	//
	// callID names the call that changed them. What is found after an answer of
	// [ObservedPending] goes to [Provider.ReportFindings] with it.
	Observe func(ctx context.Context, callID string, files []FileChange) (*Observation, error)

	// Hooks are asked about events of a session, by their names, and have a say
	// in what happens. Nil: the provider is not asked. They are not changed once
	// it is served.
	Hooks map[HookName]HookFunc

	offer offer
}

// Config is a provider's configuration: its schema and what to do with it.
type Config interface {
	// Schema is the JSON Schema of an object.
	Schema() *jsonschema.Schema
	// Configure takes the config block as a JSON object. Tools that are not
	// nil replace Provider.Tools. Errors that are [ConfigError] are shown at
	// the attribute they name.
	Configure(ctx context.Context, env Environment, config []byte) ([]Tool, error)
}

// NewConfig makes a Config of a function, with the schema inferred from T. A
// field without omitempty is required. It panics when the schema cannot be
// inferred.
func NewConfig[T any](configure func(ctx context.Context, env Environment, config T) ([]Tool, error)) Config {
	return typedConfig[T]{schema: mustInfer[T]("config", "config"), configure: configure}
}

type typedConfig[T any] struct {
	schema    *jsonschema.Schema
	configure func(ctx context.Context, env Environment, config T) ([]Tool, error)
}

func (c typedConfig[T]) Schema() *jsonschema.Schema { return c.schema }

func (c typedConfig[T]) Configure(ctx context.Context, env Environment, config []byte) ([]Tool, error) {
	value, err := decode[T](config)
	if err != nil {
		return nil, err
	}
	return c.configure(ctx, env, value)
}

// ConfigError is a fault of one attribute of the config block. Several are
// joined with [errors.Join].
type ConfigError struct {
	// Path leads from the config block to the attribute: {"bash", "timeout"}.
	Path    []string
	Summary string
	Detail  string
}

func (e *ConfigError) Error() string { return e.Summary }

// ObservationState says what an observer knows so far.
type ObservationState string

const (
	ObservedClean   ObservationState = "clean"
	ObservedIssues  ObservationState = "issues"
	ObservedPending ObservationState = "pending"
)

// Observation is what an observer found in changed files.
type Observation struct {
	State   ObservationState
	Content []Content
}
