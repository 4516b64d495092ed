// Package pipeline takes one invocation through its stages:
//
//	resolve -> validate -> permission -> hooks -> approve -> run -> observe -> review -> shape -> persist -> render
//
// Each stage is a function of its own, in a file of its own, with a span of its
// own. A stage adds to the call or ends it with a [Refusal]; it cannot undo what
// an earlier one decided. A hook that rewrites the input sends the call back to
// validate, so that nothing runs that was not judged.
//
// Calls of a local session, a subagent, an MCP client or an external core take
// the same way. Who asked is written down ([InvokedBy]) and never decides.
package pipeline

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
)

// InvokedBy says who asked for a call. It is data for logs and cards.
type InvokedBy string

const (
	ByUser     InvokedBy = "user"
	ByProvider InvokedBy = "provider"
	ByToolshim InvokedBy = "toolshim"
	ByMCP      InvokedBy = "mcp"
	ByACP      InvokedBy = "acp"
	ByCore     InvokedBy = "core"
)

// Invocation is one request to run a tool.
type Invocation struct {
	// ID identifies the call; empty makes one.
	ID string
	// RunID groups calls that belong to one request of a person or a model;
	// empty makes one.
	RunID     string
	Tool      string
	Input     json.RawMessage // an object; empty is {}
	InvokedBy InvokedBy       // empty is ByUser
}

// Outcome is the result of a call that ran.
type Outcome struct {
	CallID  string `json:"call_id"`
	RunID   string `json:"run_id"`
	Tool    string `json:"tool"`
	IsError bool   `json:"is_error"`
	// Text is what a model sees: the text content within the tool's budget.
	Text       string          `json:"text"`
	Structured json.RawMessage `json:"structured,omitempty"`
	// Content is everything the tool answered, not shortened.
	Content []plugin.Content `json:"-"`
	// Files are the files that the call changed.
	Files []plugin.FileChange `json:"files,omitempty"`
	// SpillPath is the file with the whole text, when it did not fit.
	SpillPath string        `json:"spill_path,omitempty"`
	Duration  time.Duration `json:"-"`
}

// Pipeline runs invocations. All fields are set before the first call and not
// changed after; Run is safe for concurrent use.
type Pipeline struct {
	SessionID string
	Workspace string // absolute
	// Home is the absolute path of the person's home directory; empty when it is
	// not known.
	Home string
	// Pool, Policy and Hooks answer what holds at this moment.
	Pool   func() *pool.Pool
	Policy func() *policy.Engine
	Hooks  func() hook.Set
	// Supervisor finds a provider of the pool; nil when it is gone.
	Supervisor func(provider string) *plugin.Supervisor
	// Own runs the tools of an origin that is part of the host; nil for those of
	// a process.
	Own func(pool.Origin) Runner
	// Observers are the providers that look at changed files.
	Observers func() []*plugin.Supervisor
	Broker    *approval.Broker
	// Terminal takes handed-off commands; nil runs them in the background.
	Terminal *terminal.Terminal
	Log      *session.Log
	Tracer   trace.Tracer

	// ResultBytes is the budget of a result whose tool names none.
	ResultBytes int
	// Timeout bounds a call whose tool names no limit; 0 is none.
	Timeout time.Duration
	// ObserveTimeout is how long a result waits for observers.
	ObserveTimeout time.Duration
	// SpillDir takes whole results that did not fit. It is made when needed.
	SpillDir string

	schemas schemas
}

// Runner runs tools without a process. Its results and errors mean what those of
// [plugin.Lease.Call] do.
type Runner interface {
	Call(context.Context, plugin.CallRequest) (*plugin.Result, error)
}

// Stage names a stage, in errors and spans.
type Stage string

// call is one invocation on its way. Only the goroutine of Run touches it.
type call struct {
	Invocation
	started time.Time

	tool     pool.Tool
	plan     *plugin.Plan
	subjects []policy.Subject
	decision policy.Decision
	warnings []string
	engine   *policy.Engine    // that took the decision
	approved bool              // a person has seen the card and allowed it
	seen     *approval.Request // the card that they allowed; nil when it says nothing of the call any more
	renewed  bool              // the tool changed while the call waited
	settled  bool              // a hook has allowed it in the person's place
	merged   *hook.Merged      // what the hooks said; nil until they were asked
	notes    []string          // of hooks, for the model

	result    *plugin.Result
	text      string // of the result, within its budget
	spillPath string
}

type stage struct {
	name Stage
	run  func(*Pipeline, context.Context, *call) error
}

// judging repeats when a hook rewrote the input, or when the tool or the policy
// became another one while somebody was asked; the rest runs once.
var (
	judging = []stage{
		{"validate", (*Pipeline).validate},
		{"permission", (*Pipeline).permission},
		{"hooks", (*Pipeline).hooks},
		{"approve", (*Pipeline).approve},
	}
	running = []stage{
		{"run", (*Pipeline).run},
		{"observe", (*Pipeline).observe},
		{"review", (*Pipeline).review},
		{"shape", (*Pipeline).shape},
	}
)

// errRewritten sends a call back to validate.
var errRewritten = errors.New("a hook rewrote the input")

// Run takes one invocation through all stages and blocks until it ended. The
// error is a *[Refusal], also when ctx ends. The event log holds the end of the
// call, however it ended, before Run returns.
func (p *Pipeline) Run(ctx context.Context, invocation Invocation) (*Outcome, error) {
	c := &call{Invocation: withDefaults(invocation), started: time.Now()}
	ctx, span := p.Tracer.Start(ctx, "toolcrib.invoke")
	defer span.End()

	p.Log.Append(c.RunID, session.ToolCalled{
		CallID: c.ID, Tool: c.Tool, Input: c.Input, InvokedBy: string(c.InvokedBy),
	})
	err := p.stages(ctx, c)
	if failed, ok := failure(err); ok {
		p.span(ctx, "review", func() { p.reviewFailure(ctx, c, failed) })
	}
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	p.span(ctx, "persist", func() { p.persist(c, err) })
	var outcome *Outcome
	p.span(ctx, "render", func() { outcome = p.render(c, err) })
	return outcome, err
}

// span runs a stage that cannot fail.
func (p *Pipeline) span(ctx context.Context, name Stage, run func()) {
	_, span := p.Tracer.Start(ctx, "toolcrib."+string(name))
	defer span.End()
	run()
}

func (p *Pipeline) stages(ctx context.Context, c *call) error {
	if err := p.stage(ctx, stage{"resolve", (*Pipeline).resolve}, c); err != nil {
		return err
	}
	for {
		err := p.each(ctx, judging, c)
		if errors.Is(err, errRewritten) {
			continue
		}
		if err != nil {
			return afterChange(c, err)
		}
		again := false
		if c.answered() {
			again, err = p.rejudged(ctx, c)
		}
		if err != nil {
			return afterChange(c, err)
		}
		if !again {
			return p.each(ctx, running, c)
		}
	}
}

func (p *Pipeline) each(ctx context.Context, stages []stage, c *call) error {
	for _, s := range stages {
		if err := p.stage(ctx, s, c); err != nil {
			return err
		}
	}
	return nil
}

// stage runs one stage in its span and turns what it returns into a refusal.
func (p *Pipeline) stage(ctx context.Context, s stage, c *call) error {
	if ctx.Err() != nil && c.result == nil { // what has run keeps its result
		return cancelled(ctx, s.name, c)
	}
	ctx, span := p.Tracer.Start(ctx, "toolcrib."+string(s.name))
	defer span.End()
	err := s.run(p, ctx, c)
	var refusal *Refusal
	switch {
	case err == nil, errors.Is(err, errRewritten):
		return err
	case ctx.Err() != nil && c.result == nil && !errors.As(err, &refusal):
		return cancelled(ctx, s.name, c)
	case errors.As(err, &refusal):
		refusal.Stage, refusal.Tool = s.name, c.Tool
	default:
		refusal = &Refusal{
			Code: ProviderFailed, Stage: s.name, Tool: c.Tool, Reason: err.Error(), Err: err,
			Hint: "the call may be tried again; `toolcrib plugins` shows the state of its provider",
		}
	}
	span.SetStatus(codes.Error, refusal.Reason)
	return refusal
}

func cancelled(ctx context.Context, at Stage, c *call) *Refusal {
	return &Refusal{
		Code: Cancelled, Stage: at, Tool: c.Tool, Err: context.Cause(ctx),
		Reason: fmt.Sprintf("the call was cancelled before it ran: %v", context.Cause(ctx)),
		Hint:   "nothing was done; call again if it is still wanted",
	}
}

func withDefaults(i Invocation) Invocation {
	if i.ID == "" {
		i.ID = "call_" + newID()
	}
	if i.RunID == "" {
		i.RunID = "run_" + newID()
	}
	if len(i.Input) == 0 {
		i.Input = json.RawMessage(`{}`)
	}
	if i.InvokedBy == "" {
		i.InvokedBy = ByUser
	}
	return i
}

// newID returns 8 characters, enough to tell the calls of a session apart and
// short enough to type after /details.
func newID() string { return rand.Text()[:8] }
