package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pool"
)

// answered reports whether somebody was asked, for which the call had to wait.
func (c *call) answered() bool { return c.approved || c.settled }

// rejudged prepares a call that was answered to be judged once more, if the tool
// or the policy became another one while it waited. The answer was not for that.
func (p *Pipeline) rejudged(ctx context.Context, c *call) (again bool, err error) {
	renewed := p.renewed(c)
	if !renewed && p.Policy() == c.engine {
		return false, nil
	}
	c.approved, c.settled, c.plan = false, false, nil
	if renewed {
		c.renewed, c.seen = true, nil
		warning := fmt.Sprintf("%s changed while you were asked about it; read this card as a new one", c.Tool)
		if !slices.Contains(c.warnings, warning) {
			c.warnings = append(c.warnings, warning)
		}
	}
	return true, p.stage(ctx, stage{"resolve", (*Pipeline).resolve}, c)
}

// renewed reports whether the tool is another one than was asked about: gone,
// denied, from elsewhere, or described otherwise.
func (p *Pipeline) renewed(c *call) bool {
	entry, ok := p.Pool().Lookup(c.Tool)
	return !ok || entry.State != pool.Visible || !reflect.DeepEqual(entry.Tool, c.tool)
}

// stands reports whether a card says nothing that the person has not approved: they
// are not asked again only because policy changed while they looked at it.
func (c *call) stands(card approval.Request) bool {
	seen := c.seen
	return seen != nil && seen.Subject == card.Subject && seen.Risk == card.Risk && seen.RiskReason == card.RiskReason &&
		seen.PreviewKind == card.PreviewKind && seen.Preview == card.Preview &&
		bytes.Equal(seen.Input, card.Input) && slices.Equal(seen.Warnings, card.Warnings)
}

// afterChange tells whoever called that the tool it knew is another one.
func afterChange(c *call, err error) error {
	var refusal *Refusal
	if c.renewed && errors.As(err, &refusal) && (refusal.Code == InvalidInput || refusal.Code == UnknownTool) {
		refusal.Reason = fmt.Sprintf("%s changed while the call waited for approval: %s", c.Tool, refusal.Reason)
		refusal.Hint = "search for the tool again, for example with ToolSearch; " + refusal.Hint
	}
	return err
}
