package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/policy"
)

// hooks lets the hooks see the call once. They may warn, raise the risk, ask,
// deny or rewrite; they cannot allow what policy asks about. A rewritten input
// is validated and judged again, and what the hooks said is put on top of that.
func (p *Pipeline) hooks(ctx context.Context, c *call) error {
	if len(p.Hooks) == 0 {
		return nil
	}
	if c.merged != nil {
		return c.obeyHooks()
	}
	merged, err := hook.Run(ctx, p.Hooks, hook.Call{
		SessionID: p.SessionID, RunID: c.RunID, CallID: c.ID, Workspace: p.Workspace,
		Tool: c.Tool, Input: c.Input, Decision: c.decision,
	})
	if err != nil {
		return err
	}
	c.merged = &merged
	c.warnings = append(c.warnings, merged.Warnings...)
	if merged.Outcome != policy.Deny && merged.Input != nil && !bytes.Equal(merged.Input, c.Input) {
		c.Input = merged.Input
		return errRewritten
	}
	return c.obeyHooks()
}

// obeyHooks makes the decision that policy took stricter where the hooks say so.
func (c *call) obeyHooks() error {
	m := c.merged
	c.raise(m.Risk, m.RiskReason)
	switch {
	case m.Outcome == policy.Deny:
		return &Refusal{
			Code: PolicyDenied, Reason: cmp.Or(m.Reason, fmt.Sprintf("hook %s refused the call", m.By)),
			Hint: "a hook of this workspace refused; do not try it another way",
		}
	case m.Outcome == policy.Ask && c.decision.Outcome == policy.Allow:
		c.decision.Outcome = policy.Ask
		c.decision.Reason = cmp.Or(m.Reason, fmt.Sprintf("hook %s wants a person to decide", m.By))
	}
	return nil
}
