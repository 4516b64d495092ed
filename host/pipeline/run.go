package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/shape"
)

// run hands the call to its provider and waits for the result.
func (p *Pipeline) run(ctx context.Context, c *call) error {
	if path, moved := c.decision.Footing.Moved(); moved {
		return &Refusal{
			Code: Moved, Reason: fmt.Sprintf("%s leads elsewhere than when the call was judged", path),
			Hint: "nothing was done; call again, so that it is judged as it is now",
		}
	}
	limit := c.tool.Timeout
	if limit == 0 {
		limit = p.Timeout
	}
	ctx, clock, stop := withDeadline(ctx, limit)
	defer stop()
	request := plugin.CallRequest{
		CallID:     c.ID,
		Tool:       c.tool.ProviderName,
		Input:      c.Input,
		InvokedBy:  string(c.InvokedBy),
		Timeout:    limit,
		CanHandoff: p.Terminal != nil,
	}
	if c.plan != nil {
		request.PlanToken = c.plan.Token
	}
	err := p.attempt(ctx, c, request, clock)
	if repeatable(c, err) && ctx.Err() == nil {
		p.Log.Append(c.RunID, session.Notice{Level: session.Warning, Text: fmt.Sprintf(
			"%s may be repeated without harm, so it is called once more: %v", c.Tool, err)})
		err = p.attempt(ctx, c, request, clock)
	}
	return p.ended(ctx, c, limit, err)
}

// ended tells how a call ended that has reached its provider. A tool that still
// succeeds when it is cancelled keeps its result; one that gives up is a refusal,
// with what it had to say.
func (p *Pipeline) ended(ctx context.Context, c *call, limit time.Duration, err error) error {
	if err == nil && (ctx.Err() == nil || !c.result.IsError) {
		return nil
	}
	if ctx.Err() == nil {
		return err
	}
	refusal := &Refusal{
		Code: Cancelled, Err: context.Cause(ctx),
		Reason: fmt.Sprintf("the call was cancelled while it ran: %v", context.Cause(ctx)),
		Hint:   "part of it may have been done; look before you call again",
	}
	if errors.Is(context.Cause(ctx), errDeadline) {
		refusal.Code = TimedOut
		refusal.Reason = fmt.Sprintf("%s did not finish within %s", c.Tool, limit)
		refusal.Hint = "part of it may have been done; look, then call again with less to do"
	}
	if c.result != nil {
		if said := shape.Text(plugin.Text(c.result.Content), p.ResultBytes, "").Text; said != "" {
			refusal.Reason += "\n" + said
		}
	}
	return refusal
}

// attempt makes one call of one process of the provider.
func (p *Pipeline) attempt(ctx context.Context, c *call, request plugin.CallRequest, clock *deadline) error {
	if own := p.Own(c.tool.Origin); own != nil {
		p.Log.Append(c.RunID, session.ToolStarted{CallID: c.ID, Provider: c.tool.Origin.Provider})
		var err error
		c.result, err = own.Call(ctx, request)
		return err
	}
	clock.pause() // the tool's time is not for starting its provider
	lease, err := p.lease(ctx, c)
	clock.resume()
	if err != nil {
		return err
	}
	defer lease.Release()
	p.Log.Append(c.RunID, session.ToolStarted{CallID: c.ID, Provider: c.tool.Origin.Provider})
	c.result, err = lease.Call(ctx, request, newConversation(p, c, clock))
	return err
}

// repeatable reports whether a failed call does no more harm when it is made
// again: the process died, and the tool says that twice is the same as once. The
// plan of a call is that of the process that died, so a call with one is not.
func repeatable(c *call, err error) bool {
	var exit *plugin.ExitError
	idempotent := c.tool.Annotations.Idempotent
	return errors.As(err, &exit) && idempotent != nil && *idempotent && c.plan == nil
}
