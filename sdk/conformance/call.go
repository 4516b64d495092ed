package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

const (
	// callTime bounds a call that nobody cancels, and sampleTime the first one
	// with an input made from a schema, of which nobody knows how long it lasts.
	callTime   = time.Minute
	sampleTime = 10 * time.Second
	// cancelGrace is what a cancelled call is told to have; after cancelMargin
	// more it is late.
	cancelGrace  = time.Second
	cancelMargin = 4 * time.Second
	// settleTime is how long a call runs before it is cancelled.
	settleTime = 200 * time.Millisecond

	stopGrace    = 2 * time.Second
	stopMargin   = 5 * time.Second
	leftoverTime = time.Second
	pollTime     = 10 * time.Millisecond
)

// errLate is the cause of a context that ended because a provider took too long.
var errLate = errors.New("it took too long")

// within is ctx, ended by errLate after d. It is no deadline: gRPC would tell the
// provider of one, which then ended its call in time by gRPC's doing.
func within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(d, func() { cancel(errLate) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// runningCall is the host's end of one call.
type runningCall struct {
	provider *provider
	stream   proto.Provider_CallClient
	sending  sync.Mutex // serialises the stream's writer
}

// send sends a message. Its error would only say that there is a better one to
// receive.
func (c *runningCall) send(message *proto.CallRequest) {
	c.sending.Lock()
	defer c.sending.Unlock()
	_ = c.stream.Send(message)
}

// begin starts a call and sends its first message.
func (p *provider) begin(ctx context.Context, tool string, input json.RawMessage, token []byte) (*runningCall, error) {
	stream, err := p.rpc.Call(ctx)
	if err != nil {
		return nil, p.explain(err)
	}
	c := &runningCall{provider: p, stream: stream}
	c.send(&proto.CallRequest{Message: &proto.CallRequest_Start{Start: &proto.CallStart{
		CallId: "conformance", Tool: tool, Input: input, PlanToken: token,
		InvokedBy: "conformance", Timeout: durationpb.New(callTime), HostFeatures: p.features,
	}}})
	return c, nil
}

// call runs a tool to its end.
func (p *provider) call(ctx context.Context, tool string, input json.RawMessage, token []byte) (*proto.Result, error) {
	return p.callWithin(ctx, callTime, tool, input, token)
}

func (p *provider) callWithin(ctx context.Context, d time.Duration, tool string, input json.RawMessage, token []byte) (*proto.Result, error) {
	ctx, cancel := within(ctx, d)
	defer cancel()
	c, err := p.begin(ctx, tool, input, token)
	if err != nil {
		return nil, err
	}
	return c.converse(ctx)
}

// converse reads a call to its end: its result, and nothing after it.
func (c *runningCall) converse(ctx context.Context) (*proto.Result, error) {
	var result *proto.Result
	for {
		response, err := c.stream.Recv()
		switch {
		case errors.Is(err, io.EOF) && result == nil:
			return nil, errors.New("it ended without a result")
		case errors.Is(err, io.EOF):
			return result, nil
		case err != nil && ctx.Err() != nil && c.provider.process.running():
			if result != nil {
				return nil, errors.New("the stream stays open after the result")
			}
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, c.provider.explain(err)
		case result != nil:
			return nil, fmt.Errorf("there is a message after the result, %T", response.GetMessage())
		}
		result = response.GetResult()
		c.answer(response)
	}
}

// answer takes handoffs and questions as a host does where nobody is there.
func (c *runningCall) answer(response *proto.CallResponse) {
	if h := response.GetHandoff(); h != nil {
		c.send(&proto.CallRequest{Message: &proto.CallRequest_HandoffResult{HandoffResult: &proto.HandoffResult{
			Id: h.GetId(), Status: string(sdk.HandoffNotExecuted), Reason: "nobody is there",
		}}})
	}
	if q := response.GetQuestion(); q != nil {
		c.send(&proto.CallRequest{Message: &proto.CallRequest_Answer{Answer: &proto.Answer{Id: q.GetId(), Cancelled: true}}})
	}
}

// cancelAfter runs a call and cancels it after d. over tells that the call had
// ended before. How it ends is the tool's affair; that it does not is an error.
func (p *provider) cancelAfter(ctx context.Context, d time.Duration, tool string, input json.RawMessage) (over bool, err error) {
	ctx, cancel := within(ctx, d+cancelGrace+cancelMargin)
	defer cancel()
	c, err := p.begin(ctx, tool, input, nil)
	if err != nil {
		return false, err
	}
	done := make(chan error, 1)
	go func() {
		_, err := c.converse(ctx)
		done <- err
	}()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err = <-done:
		over = true
	case <-timer.C:
		c.send(&proto.CallRequest{Message: &proto.CallRequest_Cancel{
			Cancel: &proto.CallCancel{Reason: "the suite cancels it", Grace: durationpb.New(cancelGrace)},
		}})
		err = <-done
	}
	switch {
	case errors.Is(err, errLate):
		return over, fmt.Errorf("it still runs %s after its cancellation", cancelGrace+cancelMargin)
	case !p.process.running():
		return over, err
	}
	return over, nil
}
