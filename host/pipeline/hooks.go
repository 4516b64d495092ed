package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
)

// hooks lets the hooks see the call once. They may warn, raise the risk, ask,
// deny or rewrite; they cannot allow what policy asks about. A rewritten input
// is validated and judged again, and what the hooks said is put on top of that.
func (p *Pipeline) hooks(ctx context.Context, c *call) error {
	if c.merged != nil {
		return c.obeyHooks()
	}
	merged, err := p.Hooks().BeforeTool(ctx, p.told(c))
	if err != nil {
		return err
	}
	p.record(c, hook.PreToolUse, merged.Reports)
	c.merged = &merged
	c.hear(merged.Warnings, merged.Notes)
	if merged.Outcome != policy.Deny && merged.Input != nil && !bytes.Equal(merged.Input, c.Input) {
		c.Input = merged.Input
		return errRewritten
	}
	return c.obeyHooks()
}

// told is what hooks are told of the call.
func (p *Pipeline) told(c *call) hook.Call {
	return hook.Call{
		SessionID: p.SessionID, RunID: c.RunID, CallID: c.ID, Workspace: p.Workspace,
		Tool: c.Tool, Input: c.Input, Decision: c.decision,
	}
}

// hear keeps what hooks have to say, once: a call may be judged twice.
func (c *call) hear(warnings, notes []string) {
	for _, warning := range warnings {
		if !slices.Contains(c.warnings, warning) {
			c.warnings = append(c.warnings, warning)
		}
	}
	for _, note := range notes {
		if !slices.Contains(c.notes, note) {
			c.notes = append(c.notes, note)
		}
	}
}

// record writes down what hooks had to say.
func (p *Pipeline) record(c *call, event hook.Event, reports []hook.Report) {
	for _, r := range reports {
		p.Log.Append(c.RunID, session.HookAnswered{
			CallID: c.ID, Event: string(event), Hook: r.Hook, Outcome: r.Outcome,
			Reason: r.Reason, Warnings: r.Warnings, Rewrote: r.Rewrote,
		})
	}
}

// obeyHooks makes the decision that policy took stricter where the hooks say so.
func (c *call) obeyHooks() error {
	m := c.merged
	c.raise(m.Risk, m.RiskReason)
	switch {
	case m.Outcome == policy.Deny:
		return refusedByHook(*m)
	case m.Outcome == policy.Ask && c.decision.Outcome == policy.Allow:
		c.decision.Outcome = policy.Ask
		c.decision.Reason = cmp.Or(m.Reason, fmt.Sprintf("hook %s wants a person to decide", m.By))
	}
	return nil
}

func refusedByHook(m hook.Merged) *Refusal {
	return &Refusal{
		Code: PolicyDenied, Reason: cmp.Or(m.Reason, fmt.Sprintf("hook %s refused the call", m.By)),
		Hint: fmt.Sprintf("the hook %s refused; do not try it another way", m.By),
	}
}

// askApprovers lets hooks answer before the person is asked. They may deny, and
// allow what is not reserved for a person. Their answer goes into the journal as
// that of a person does.
func (p *Pipeline) askApprovers(ctx context.Context, c *call) (settled bool, err error) {
	merged, err := p.Hooks().BeforeApproval(ctx, p.told(c))
	if err != nil {
		return false, err
	}
	p.record(c, hook.PermissionRequest, merged.Reports)
	c.hear(merged.Warnings, merged.Notes)
	c.raise(merged.Risk, merged.RiskReason)
	switch merged.Outcome {
	case policy.Deny:
		if err := p.settle(c, approval.Deny, merged); err != nil {
			return false, err
		}
		return false, refusedByHook(merged)
	case policy.Allow:
		if reason := p.reserved(c); reason != "" {
			c.hear([]string{fmt.Sprintf("%s: it would allow this call, which only a person may: %s", merged.By, reason)}, nil)
			return false, nil
		}
		err := p.settle(c, approval.Allow, merged)
		return err == nil, err
	}
	return false, nil
}

// reserved tells why only a person may allow the call; empty when a hook may in
// their name.
func (p *Pipeline) reserved(c *call) string {
	if c.decision.Risk == policy.Critical {
		return cmp.Or(c.decision.RiskReason, "its risk is critical")
	}
	return p.Policy().Reserved(p.judged(c))
}

// settle writes down what a hook decided in the person's place.
func (p *Pipeline) settle(c *call, verdict approval.Verdict, m hook.Merged) error {
	decision := approval.Decision{Verdict: verdict, By: "hook " + m.By, Message: m.Reason}
	request, err := p.Broker.Settle(p.card(c), decision)
	if err != nil {
		return err
	}
	p.Log.Append(c.RunID, session.ApprovalDecided{
		CallID: c.ID, ApprovalID: request.ID, Decision: string(verdict), By: decision.By, Message: m.Reason,
	})
	return nil
}
