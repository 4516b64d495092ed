package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
)

// approve asks a person when the outcome so far is ask, unless a hook answers in
// their place.
func (p *Pipeline) approve(ctx context.Context, c *call) error {
	if c.decision.Outcome != policy.Ask {
		return nil
	}
	if settled, err := p.askApprovers(ctx, c); settled || err != nil {
		c.settled = settled
		return err
	}
	card := p.card(c)
	if c.stands(card) {
		c.approved = true
		return nil
	}
	if _, err := p.ask(ctx, c, card); err != nil {
		return err
	}
	c.approved, c.seen = true, &card
	return nil
}

// card is what the person is shown.
func (p *Pipeline) card(c *call) approval.Request {
	request := approval.Request{
		RunID:      c.RunID,
		CallID:     c.ID,
		Kind:       approval.KindTool,
		Tool:       c.Tool,
		Origin:     origin(c.tool.Origin),
		InvokedBy:  string(c.InvokedBy),
		Input:      c.Input,
		Subject:    p.subjectLine(c),
		Risk:       string(c.decision.Risk),
		RiskReason: c.decision.RiskReason,
		Reason:     c.decision.Reason,
		Warnings:   c.warnings,
	}
	for _, s := range c.subjects {
		if s.Kind == pool.SubjectCommand {
			request.Kind = approval.KindShell
		}
	}
	if c.plan != nil {
		request.PreviewKind, request.Preview = c.plan.PreviewKind, c.plan.Preview
	}
	return request
}

func origin(o pool.Origin) string {
	switch {
	case o.Kind == pool.OriginBuiltin:
		return "builtin"
	case o.Server != "":
		return fmt.Sprintf("%s %s, server %s", o.Kind, o.Provider, o.Server)
	default:
		return fmt.Sprintf("%s %s", o.Kind, o.Provider)
	}
}

// subjectLine says what the call acts on: its commands and paths, else its
// input. Paths in the workspace are told from there.
func (p *Pipeline) subjectLine(c *call) string {
	values := make([]string, len(c.subjects))
	for i, s := range c.subjects {
		values[i] = s.Value
		if rel, err := filepath.Rel(p.Workspace, s.Value); s.Kind == pool.SubjectPath && err == nil && filepath.IsLocal(rel) {
			values[i] = rel
		}
	}
	if len(values) == 0 {
		return string(c.Input)
	}
	return strings.Join(values, ", ")
}

// ask puts the request to the broker and writes both ends of it down. Every
// decision but an allow is an error.
func (p *Pipeline) ask(ctx context.Context, c *call, request approval.Request) (approval.Decision, error) {
	var id string
	decision, err := p.Broker.Ask(ctx, request, func(queued approval.Request) {
		id = queued.ID
		p.Log.Append(c.RunID, session.ApprovalAsked{
			CallID: c.ID, ApprovalID: id, Subject: request.Subject, Risk: request.Risk,
		})
	})
	if id != "" {
		p.Log.Append(c.RunID, session.ApprovalDecided{
			CallID: c.ID, ApprovalID: id, Decision: string(decision.Verdict), By: decision.By, Message: decision.Message,
		})
	}
	return decision, refused(c, request, decision, err)
}

// refused is nil for an allow.
func refused(c *call, request approval.Request, decision approval.Decision, err error) error {
	switch {
	case errors.Is(err, approval.ErrNobody):
		return &Refusal{
			Code: NobodyToAsk, Err: err,
			Reason: fmt.Sprintf("%s needs approval and nobody is here to give it (%s)", c.Tool, request.Reason),
			Hint:   "run it in a session, or with `toolcrib call --yes` if you agree; a rule in policy { allow = [...] } settles it for good",
		}
	case err != nil:
		return &Refusal{
			Code: Cancelled, Err: err,
			Reason: fmt.Sprintf("the call was cancelled while it waited for approval: %v", err),
			Hint:   "nothing was done; call again if it is still wanted",
		}
	case decision.Verdict == approval.Allow:
		return nil
	case decision.Verdict == approval.Cancel:
		return &Refusal{
			Code: Cancelled, Reason: cmp.Or(decision.Message, "the person closed the card"),
			Hint: "nothing was done; ask the person what they want instead",
		}
	default:
		return &Refusal{
			Code: PersonDenied, Reason: cmp.Or(decision.Message, "the person denied the call"),
			Hint: "nothing was done; do not try it another way, ask the person",
		}
	}
}
