package sdk

import (
	"context"
	"time"
)

// Call is one running call: who asked, and the way back to the host while it
// runs. Its methods may be used from several goroutines.
type Call struct {
	// ID is the host's id of the call.
	ID string
	// InvokedBy says who asked: "user", "provider", "mcp". It is data for
	// logs; a tool must not behave differently by it.
	InvokedBy string
	// PlanToken is the token of this call's plan; nil without a plan.
	PlanToken []byte
	// Environment is where the provider works.
	Environment Environment

	// CanHandoff reports whether the host can run a command in the person's
	// foreground shell.
	CanHandoff bool

	host callHost
}

// callHost is the host's side of a running call.
type callHost interface {
	progress(message string, fraction *float64) error
	output(stream Stream, data []byte) error
	handoff(ctx context.Context, h Handoff) (*HandoffResult, error)
	ask(ctx context.Context, q Question) (*Answer, error)
}

// Environment is where a provider works.
type Environment struct {
	// Workspace is the absolute path of the workspace.
	Workspace string
	// ScratchDir is private to the process and removed after it.
	ScratchDir string
}

// Stream names a standard stream.
type Stream string

const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
)

// Progress tells a person how far a call is. fraction is 0 to 1, or negative
// when it is not known.
func (c *Call) Progress(message string, fraction float64) error {
	if fraction < 0 {
		return c.host.progress(message, nil)
	}
	return c.host.progress(message, &fraction)
}

// Output shows output while the call runs. It is not part of the result. It
// blocks while the host is behind.
func (c *Call) Output(stream Stream, data []byte) error { return c.host.output(stream, data) }

// Handoff runs a command in the person's foreground shell and blocks until it
// ended. It fails with ErrNoForeground when CanHandoff is false.
func (c *Call) Handoff(ctx context.Context, h Handoff) (*HandoffResult, error) {
	if !c.CanHandoff {
		return nil, ErrNoForeground
	}
	return c.host.handoff(ctx, h)
}

// Ask puts a question to the person and blocks until it is answered. Where
// nobody can answer, the answer is cancelled.
func (c *Call) Ask(ctx context.Context, q Question) (*Answer, error) { return c.host.ask(ctx, q) }

// Handoff is a command for the foreground shell.
type Handoff struct {
	Command string
	// Dir is absolute; empty is the shell's current directory.
	Dir string
	// Timeout interrupts the command; 0 is no limit of its own.
	Timeout time.Duration
}

// HandoffStatus says how a handed-off command ended.
type HandoffStatus string

const (
	HandoffCompleted   HandoffStatus = "completed"
	HandoffFailed      HandoffStatus = "failed" // ended with a non-zero exit code
	HandoffInterrupted HandoffStatus = "interrupted"
	HandoffTimedOut    HandoffStatus = "timed_out"
	HandoffNotExecuted HandoffStatus = "not_executed"
	// HandoffUntracked: it ended, and neither exit code nor output are known.
	HandoffUntracked HandoffStatus = "completed_untracked"
)

// HandoffResult is how a handed-off command ended.
type HandoffResult struct {
	Status HandoffStatus
	// ExitCode is nil when unknown.
	ExitCode *int
	Signal   string
	StartDir string
	EndDir   string
	Duration time.Duration
	// Output is bounded and free of control sequences; OutputBytes counts all
	// that the command printed.
	Output      string
	OutputBytes int64
	Truncated   bool
	// Reason says why the command was not executed.
	Reason string
}

// Question is asked of the person while a call runs.
type Question struct {
	Text          string
	Options       []Choice
	AllowFreeText bool
	MultiSelect   bool
}

// Choice is one offered answer.
type Choice struct {
	Label       string
	Description string
}

// Answer is what the person said. Selected are indexes into Options.
type Answer struct {
	Cancelled bool
	Text      string
	Selected  []int
}
