package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
)

// run hands the call to its provider and waits for the result.
func (p *Pipeline) run(ctx context.Context, c *call) error {
	lease, err := p.lease(ctx, c)
	if err != nil {
		return err
	}
	defer lease.Release()

	limit := c.tool.Timeout
	if limit == 0 {
		limit = p.Timeout
	}
	ctx, clock, stop := withDeadline(ctx, limit)
	defer stop()
	p.Log.Append(c.RunID, session.ToolStarted{CallID: c.ID, Provider: c.tool.Origin.Provider})
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
	c.result, err = lease.Call(ctx, request, &conversation{p: p, c: c, clock: clock, partial: make(map[string][]byte)})
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errDeadline):
		return timedOut(c, limit, err)
	case ctx.Err() != nil:
		return &Refusal{
			Code: Cancelled, Err: err, Reason: fmt.Sprintf("the call was cancelled while it ran: %v", context.Cause(ctx)),
			Hint: "part of it may have been done; look before you call again",
		}
	default:
		return err
	}
}

func timedOut(c *call, limit time.Duration, err error) *Refusal {
	return &Refusal{
		Code: TimedOut, Err: err, Reason: fmt.Sprintf("%s did not answer within %s", c.Tool, limit),
		Hint: "part of it may have been done; look, then call again with less to do",
	}
}
