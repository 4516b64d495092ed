package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Tool is one callable. Most authors use [NewTool]; implement Tool by hand when
// the schema is not known at compile time.
//
// Call may be called from several goroutines at once. ctx ends when the host
// cancels the call or its deadline passes. A returned error becomes a result
// with IsError set, whose text is the error's: it is read by a model, so it
// should say what to do next.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, call *Call, input json.RawMessage) (*Result, error)
}

// Planner is a tool that can say what a call would do without doing it.
// Plan has no side effects. An error refuses the call.
type Planner interface {
	Plan(ctx context.Context, input json.RawMessage) (*Plan, error)
}

// Interrupter is a tool that wants to hear of a cancellation before its context
// ends, to finish what is better finished.
type Interrupter interface {
	Interrupt(callID, reason string)
}

// Load says whether a model sees a tool from the start.
type Load int

const (
	// LoadDefault leaves it to the host.
	LoadDefault Load = iota
	// LoadAlways puts the tool into the model's first list.
	LoadAlways
	// LoadDeferred leaves the tool to be found by search.
	LoadDeferred
)

// Spec describes a tool. Name and Description are required.
type Spec struct {
	// Name is unique in the provider: letters, digits, _ and -.
	Name        string
	Title       string
	Description string

	// InputSchema and OutputSchema are inferred by NewTool when nil.
	InputSchema  *jsonschema.Schema
	OutputSchema *jsonschema.Schema

	// Claims about every call of the tool. The host may raise a risk by them;
	// it lowers one only for providers that the person trusts.
	ReadOnly, Destructive, Idempotent, OpenWorld bool

	// Subjects name the input fields that permission rules match.
	Subjects []SubjectField
	Load     Load

	// MaxResultBytes bounds what a model sees of a result; 0 leaves it to the host.
	MaxResultBytes int
	// Timeout bounds one call; 0 leaves it to the host. It pauses while a
	// person is being asked.
	Timeout time.Duration

	// SearchHints and ExampleQueries help a model to find a deferred tool.
	SearchHints    []string
	ExampleQueries []string
	// Server names the upstream a tool comes from, for providers with several.
	Server string
	// ActivationScope says where the tool applies, as a glob; empty: everywhere.
	ActivationScope string
}

// SubjectKind is what a permission rule matches.
type SubjectKind string

const (
	SubjectCommand SubjectKind = "command"
	SubjectPath    SubjectKind = "path"
	SubjectDomain  SubjectKind = "domain"
	SubjectAgent   SubjectKind = "agent"
)

// Access is what happens to a path.
type Access string

const (
	AccessRead  Access = "read"
	AccessWrite Access = "write"
)

// SubjectField declares a top-level input property as a subject.
type SubjectField struct {
	Field  string
	Kind   SubjectKind
	Access Access // for paths
}

// Subject is one thing a call acts on.
type Subject struct {
	Kind   SubjectKind
	Value  string
	Access Access // for paths
}

// Option adds an ability to a tool made by NewTool.
type Option[In any] func(*abilities[In])

type abilities[In any] struct {
	plan      func(ctx context.Context, in In) (*Plan, error)
	interrupt func(callID, reason string)
}

// WithPlan makes the tool a [Planner].
func WithPlan[In any](plan func(ctx context.Context, in In) (*Plan, error)) Option[In] {
	return func(a *abilities[In]) { a.plan = plan }
}

// WithInterrupt makes the tool an [Interrupter].
func WithInterrupt[In any](interrupt func(callID, reason string)) Option[In] {
	return func(a *abilities[In]) { a.interrupt = interrupt }
}

// NewTool makes a tool of a function, with both schemas inferred from its types
// unless spec has them. In must be a struct or a map with string keys. Out may
// be *[Result] for full control, string for plain text, or any type that marshals to
// JSON, which becomes the structured result and, as JSON text, its content.
//
// NewTool panics when a schema cannot be inferred, which is a mistake in the
// program and shows at its start.
func NewTool[In, Out any](spec Spec, call func(ctx context.Context, call *Call, in In) (Out, error), options ...Option[In]) Tool {
	if spec.InputSchema == nil {
		spec.InputSchema = mustInfer[In](spec.Name, "input")
	}
	if spec.OutputSchema == nil && structured[Out]() {
		spec.OutputSchema = mustInfer[Out](spec.Name, "output")
	}
	t := &typedTool[In, Out]{spec: spec, call: call}
	for _, option := range options {
		option(&t.abilities)
	}
	switch {
	case t.plan != nil && t.interrupt != nil:
		return struct {
			*typedTool[In, Out]
			plannedTool[In]
			interruptibleTool
		}{t, plannedTool[In]{t.plan}, interruptibleTool{t.interrupt}}
	case t.plan != nil:
		return struct {
			*typedTool[In, Out]
			plannedTool[In]
		}{t, plannedTool[In]{t.plan}}
	case t.interrupt != nil:
		return struct {
			*typedTool[In, Out]
			interruptibleTool
		}{t, interruptibleTool{t.interrupt}}
	}
	return t
}

type typedTool[In, Out any] struct {
	spec Spec
	call func(ctx context.Context, call *Call, in In) (Out, error)
	abilities[In]
}

func (t *typedTool[In, Out]) Spec() Spec { return t.spec }

func (t *typedTool[In, Out]) Call(ctx context.Context, call *Call, input json.RawMessage) (*Result, error) {
	in, err := decode[In](input)
	if err != nil {
		return nil, err
	}
	out, err := t.call(ctx, call, in)
	if err != nil {
		return nil, err
	}
	return resultOf(out)
}

type plannedTool[In any] struct {
	plan func(ctx context.Context, in In) (*Plan, error)
}

func (t plannedTool[In]) Plan(ctx context.Context, input json.RawMessage) (*Plan, error) {
	in, err := decode[In](input)
	if err != nil {
		return nil, err
	}
	return t.plan(ctx, in)
}

type interruptibleTool struct {
	interrupt func(callID, reason string)
}

func (t interruptibleTool) Interrupt(callID, reason string) { t.interrupt(callID, reason) }

func decode[In any](input json.RawMessage) (In, error) {
	var in In
	if len(input) == 0 {
		return in, nil
	}
	if err := json.Unmarshal(input, &in); err != nil {
		return in, fmt.Errorf("input: %w", err)
	}
	return in, nil
}

// structured reports whether Out is shown as structured content.
func structured[Out any]() bool {
	switch any(*new(Out)).(type) {
	case *Result, string:
		return false
	}
	return true
}

func mustInfer[T any](tool, side string) *jsonschema.Schema {
	schema, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("sdk: tool %q: %s schema: %v", tool, side, err))
	}
	return schema
}
