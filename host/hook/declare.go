package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/host/policy"
)

// defaultTimeout is how long a declared hook may take that names no limit.
const defaultTimeout = time.Minute

// Asker takes an event to whatever answers it: a program, or a provider. It may
// be used from several goroutines.
type Asker interface {
	// Ask blocks until there is an answer or ctx ends. payload is the JSON
	// object that tells of the event, and the output the JSON object that answers
	// it, both as docs/hooks.md has them; an empty output has no opinion. A
	// [*BlockedError] is an answer, too.
	Ask(ctx context.Context, event Event, payload json.RawMessage) (output []byte, err error)
}

// BlockedError is the answer of a hook that blocks without any JSON.
type BlockedError struct{ Reason string }

func (e *BlockedError) Error() string { return "blocked: " + e.Reason }

// Declaration is a hook of one event, as a configuration or a provider has it.
type Declaration struct {
	Name    string
	Event   Event
	Matcher Matcher // for the events of tools
	// Timeout ends an attempt; 0 is a minute.
	Timeout time.Duration
	OnError OnError // empty is Block
	// Personal tells that the person themself declared the hook, so that it may
	// answer approvals in their name.
	Personal bool
	Asker    Asker
}

// Declare makes the hook, which has the one interface that its event asks for.
func Declare(d Declaration) (Hook, error) {
	if d.Event.Title() == "" {
		return nil, fmt.Errorf("hook %q: there is no event %q", d.Name, d.Event)
	}
	one := declared{d}
	switch d.Event {
	case PreToolUse:
		return guard{one}, nil
	case PermissionRequest:
		return approver{one}, nil
	case PostToolUse, PostToolFailure:
		return reviewer{one}, nil
	}
	return follower{one}, nil
}

// declared is what all declared hooks have in common.
type declared struct{ Declaration }

func (d declared) Name() string     { return d.Declaration.Name }
func (d declared) OnError() OnError { return cmp.Or(d.Declaration.OnError, Block) }

// ask gets the answer to an event within the timeout.
func (d declared) ask(ctx context.Context, p payload) (parsed, error) {
	text, err := p.marshal()
	if err != nil {
		return parsed{}, err
	}
	limit := cmp.Or(d.Timeout, defaultTimeout)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it did not answer within %s", limit))
	defer cancel()
	output, err := d.Asker.Ask(ctx, d.Event, text)
	var blocked *BlockedError
	switch {
	case ctx.Err() != nil:
		return parsed{}, context.Cause(ctx)
	case errors.As(err, &blocked):
		return parsed{outcome: policy.Deny, reason: limited(cmp.Or(blocked.Reason, "it gave no reason"), maxMessageBytes)}, nil
	case err != nil:
		return parsed{}, err
	}
	return parse(d.Event, output)
}

// denied is the reason of an answer that denies; ok is false for any other.
// Ending the turn denies, too: the call is part of the turn.
func (p parsed) denied() (reason string, ok bool) {
	return p.reason, p.outcome == policy.Deny || p.ended
}

func (p parsed) warnings() []string {
	if p.systemMessage == "" {
		return nil
	}
	return []string{p.systemMessage}
}

// answer is what an output says of a call that has not run.
func (p parsed) answer() Answer {
	a := Answer{Outcome: p.outcome, Reason: p.reason, Warnings: p.warnings(), Input: p.input, Context: p.context}
	if _, denied := p.denied(); denied {
		a.Outcome, a.Input = policy.Deny, nil
	}
	return a
}

type guard struct{ declared }

func (g guard) BeforeTool(ctx context.Context, call Call) (Answer, error) {
	if !g.Matcher.Matches(call.Tool) {
		return Answer{}, nil
	}
	out, err := g.ask(ctx, PreToolUse.ofCall(call))
	return out.answer(), err
}

type approver struct{ declared }

func (a approver) BeforeApproval(ctx context.Context, call Call) (Answer, error) {
	if !a.Matcher.Matches(call.Tool) {
		return Answer{}, nil
	}
	out, err := a.ask(ctx, PermissionRequest.ofCall(call))
	if err != nil {
		return Answer{}, err
	}
	answer := out.answer()
	if answer.Outcome == policy.Allow && !a.Personal {
		answer.Outcome, answer.Reason = "", ""
		answer.Warnings = append(answer.Warnings, "it would allow this call; only a hook of your own configuration may do that for you")
	}
	return answer, nil
}

type reviewer struct{ declared }

func (r reviewer) AfterTool(ctx context.Context, call Call, result Result) (Review, error) {
	if result.Failed != (r.Event == PostToolFailure) || !r.Matcher.Matches(call.Tool) {
		return Review{}, nil
	}
	out, err := r.ask(ctx, r.Event.ofResult(call, result))
	if err != nil {
		return Review{}, err
	}
	review := Review{Warnings: out.warnings(), Context: out.context, Text: out.result}
	review.Reason, review.Block = out.denied()
	return review, nil
}

type follower struct{ declared }

func (f follower) AtMoment(ctx context.Context, moment Moment) (Reply, error) {
	if moment.Event != f.Event {
		return Reply{}, nil
	}
	out, err := f.ask(ctx, moment.payload())
	if err != nil {
		return Reply{}, err
	}
	reply := Reply{Warnings: out.warnings(), Context: out.context}
	reply.Reason, reply.Block = out.denied()
	if f.Event == Stop && out.ended {
		// The hook wants the turn to end, which blocking would keep it from.
		reply.Reason, reply.Block = "", false
	}
	return reply, nil
}

var (
	_ Guard    = guard{}
	_ Approver = approver{}
	_ Reviewer = reviewer{}
	_ Follower = follower{}
	_ Tolerant = declared{}
)
