package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
)

// validate checks the input by the tool's schema, then by the provider's plan,
// and collects what the call acts on.
func (p *Pipeline) validate(ctx context.Context, c *call) error {
	faults, err := p.schemas.validate(c.tool.InputSchema, c.Input)
	if err != nil {
		return &Refusal{
			Code: ToolHidden, Err: err, Reason: fmt.Sprintf("the schema of %s cannot be used: %v", c.Tool, err),
			Hint: "use another tool; this is a fault of its provider",
		}
	}
	if len(faults) > 0 {
		return invalid(c, faults)
	}
	c.subjects = p.declaredSubjects(c.tool, c.Input)
	if !c.tool.Plans {
		return nil
	}
	return p.askPlan(ctx, c)
}

func invalid(c *call, faults []string) *Refusal {
	return &Refusal{
		Code:   InvalidInput,
		Reason: "the input does not fit:\n  " + strings.Join(faults, "\n  "),
		Hint:   fmt.Sprintf("correct the input and call again; the schema is %s", c.tool.InputSchema),
	}
}

// askPlan lets the provider say what the call would do.
func (p *Pipeline) askPlan(ctx context.Context, c *call) error {
	lease, err := p.lease(ctx, c)
	if err != nil {
		return err
	}
	defer lease.Release()
	plan, err := lease.Plan(ctx, plugin.PlanRequest{CallID: c.ID, Tool: c.tool.ProviderName, Input: c.Input})
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	if len(plan.Errors) > 0 {
		faults := make([]string, len(plan.Errors))
		for i, e := range plan.Errors {
			faults[i] = strings.TrimPrefix(e.Path+": "+e.Message, ": ")
		}
		return invalid(c, faults)
	}
	c.plan = plan
	for _, s := range plan.Subjects {
		c.addSubject(p.subject(s.Kind, s.Value, s.Access))
	}
	p.Log.Append(c.RunID, session.ToolPlanned{
		CallID: c.ID, PreviewKind: plan.PreviewKind, Preview: plan.Preview, Risk: plan.Risk,
	})
	return nil
}

// declaredSubjects reads the fields that the tool's description names.
func (p *Pipeline) declaredSubjects(tool pool.Tool, input json.RawMessage) []policy.Subject {
	if len(tool.Subjects) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(input, &fields) != nil {
		return nil
	}
	var subjects []policy.Subject
	for _, declared := range tool.Subjects {
		for _, value := range stringsOf(fields[declared.Field]) {
			subjects = append(subjects, p.subject(declared.Kind, value, declared.Access))
		}
	}
	return subjects
}

// stringsOf reads a string or a list of strings.
func stringsOf(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) == nil {
		return many
	}
	return nil
}

// subject makes paths absolute, so that rules see what is touched. One with ..
// stays as it is, since where that leads depends on the links before it.
func (p *Pipeline) subject(kind pool.SubjectKind, value string, access pool.Access) policy.Subject {
	if kind == pool.SubjectPath {
		if !filepath.IsAbs(value) {
			value = p.Workspace + "/" + value
		}
		if !strings.Contains(value, "/..") {
			value = filepath.Clean(value)
		}
	}
	return policy.Subject{Kind: kind, Value: value, Access: access}
}

func (c *call) addSubject(s policy.Subject) {
	for _, have := range c.subjects {
		if have == s {
			return
		}
	}
	c.subjects = append(c.subjects, s)
}

// lease takes the provider of the call's tool; the caller releases it.
func (p *Pipeline) lease(ctx context.Context, c *call) (*plugin.Lease, error) {
	supervisor := p.Supervisor(c.tool.Origin.Provider)
	if supervisor == nil {
		return nil, &Refusal{
			Code: UnknownTool, Reason: fmt.Sprintf("provider %q of %s was removed", c.tool.Origin.Provider, c.Tool),
			Hint: "use another tool",
		}
	}
	return supervisor.Lease(ctx)
}
