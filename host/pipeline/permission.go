package pipeline

import (
	"context"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
)

// permission judges the call by policy. A deny ends it; whether it asks is for
// approve, after the hooks have spoken.
func (p *Pipeline) permission(_ context.Context, c *call) error {
	c.engine = p.Policy()
	c.decision = c.engine.Judge(p.judged(c))
	if c.plan != nil && c.decision.Outcome != policy.Deny {
		c.raise(policy.Risk(c.plan.Risk), c.plan.RiskReason)
	}
	p.Log.Append(c.RunID, session.ToolJudged{
		CallID: c.ID, Outcome: string(c.decision.Outcome), Reason: c.decision.Reason,
	})
	if c.decision.Outcome == policy.Deny {
		return &Refusal{
			Code: PolicyDenied, Reason: c.decision.Reason,
			Hint: "do not try the same thing another way; ask the person or use another tool",
		}
	}
	return nil
}

// judged is the call as policy sees it.
func (p *Pipeline) judged(c *call) policy.Call {
	return policy.Call{
		Tool:        c.tool.Name,
		Origin:      c.tool.Origin,
		Annotations: c.tool.Annotations,
		Subjects:    c.subjects,
		Input:       c.Input,
		Workspace:   p.Workspace,
		Home:        p.Home,
	}
}

// raise takes over a higher risk. Nothing lowers one, and a critical one asks in
// every mode.
func (c *call) raise(risk policy.Risk, reason string) {
	if !risk.Higher(c.decision.Risk) {
		return
	}
	c.decision.Risk, c.decision.RiskReason = risk, reason
	if risk == policy.Critical && c.decision.Outcome == policy.Allow {
		c.decision.Outcome, c.decision.Reason = policy.Ask, "critical calls are always asked about"
	}
}
