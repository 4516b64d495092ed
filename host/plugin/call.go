package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// maxRequests bounds the handoffs and questions of one call that wait at once.
const maxRequests = 16

// CallRequest is one call of a tool.
type CallRequest struct {
	CallID string
	Tool   string // as the provider calls it
	Input  json.RawMessage
	// PlanToken is that of the call's plan; nil without one.
	PlanToken []byte
	InvokedBy string
	// Timeout is told to the provider. Whoever calls ends ctx when it is over,
	// because only they know when the clock has to stand still.
	Timeout time.Duration
	// CanHandoff tells that Handler.Handoff can run a command in the foreground.
	CanHandoff bool
}

// Handler answers a provider while its call runs. Progress and Output are called
// one at a time and in order; while one blocks, the provider blocks too. Handoff
// and Question may block as long as they need and are called concurrently; they
// must return soon after ctx ended.
type Handler interface {
	// Progress tells how far the call is; fraction is nil when unknown.
	Progress(message string, fraction *float64)
	// Output is told what the call printed. data is not kept by the caller.
	Output(stream string, data []byte)
	// Handoff runs a command in the foreground shell. An error is told to the
	// provider as a command that was not executed.
	Handoff(ctx context.Context, h *proto.Handoff) (*proto.HandoffResult, error)
	// Question asks the person. An error is told to the provider as a question
	// that nobody answered.
	Question(ctx context.Context, q *proto.Question) (*proto.Answer, error)
}

// Call runs one tool and blocks until its result. The tool's own failure is a
// result, with IsError set; the error of Call is an [ExitError], [ErrTooLarge],
// or the cause of ctx's end.
//
// When ctx ends, the provider is told and has the supervisor's CancelGrace to
// answer; its result is then returned as usual. A provider that does not answer
// is left to itself: the call is over for the host.
func (l *Lease) Call(ctx context.Context, request CallRequest, handler Handler) (*Result, error) {
	l.supervisor.calls.Add(1)
	g := l.generation
	doing := fmt.Sprintf("run tool %q", request.Tool)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("provider %q had to %s: %w", g.spec.Name, doing, context.Cause(ctx))
	}
	streamCtx, abandon := context.WithCancel(g.life)
	defer abandon()
	stream, err := g.rpc.Call(streamCtx)
	if err != nil {
		return nil, g.failure(doing, err)
	}
	c := &call{stream: stream, handler: handler, abandon: abandon}
	// The error of Send only says that there is a better one to receive.
	if err := c.send(startMessage(request)); err == nil {
		stop := context.AfterFunc(ctx, func() {
			c.cancel(context.Cause(ctx), l.supervisor.options.CancelGrace)
		})
		defer stop()
	}
	result, err := c.converse(ctx)
	l.supervisor.heard(g, err == nil || ctx.Err() == nil)
	if err == nil {
		return result, nil
	}
	return nil, callError(ctx, g, doing, err)
}

// callError says why a call has no result. That the process died explains more
// than that the call was cancelled, too.
func callError(ctx context.Context, g *generation, doing string, err error) error {
	var exit *ExitError
	failure := g.failure(doing, err)
	switch {
	case errors.As(failure, &exit):
		return failure
	case ctx.Err() != nil:
		return g.unanswered(doing+" and did not stop when it was told to", context.Cause(ctx))
	}
	return failure
}

func startMessage(request CallRequest) *proto.CallRequest {
	start := &proto.CallStart{
		CallId:    request.CallID,
		Tool:      request.Tool,
		Input:     request.Input,
		PlanToken: request.PlanToken,
		InvokedBy: request.InvokedBy,
	}
	if request.Timeout > 0 {
		start.Timeout = durationpb.New(request.Timeout)
	}
	if request.CanHandoff {
		start.HostFeatures = []string{sdk.FeatureHandoff}
	}
	return &proto.CallRequest{Message: &proto.CallRequest_Start{Start: start}}
}

var errTooManyRequests = fmt.Errorf("it asked for more than %d things at once; this is a fault of the provider", maxRequests)

// call is the host's end of a running call.
type call struct {
	stream  grpc.BidiStreamingClient[proto.CallRequest, proto.CallResponse]
	handler Handler
	abandon context.CancelFunc

	sending sync.Mutex // serialises the stream's writer
}

func (c *call) send(message *proto.CallRequest) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.stream.Send(message)
}

// cancel tells the provider and gives it grace to end the call by a result.
func (c *call) cancel(cause error, grace time.Duration) {
	timer := time.AfterFunc(grace, c.abandon)
	context.AfterFunc(c.stream.Context(), func() { timer.Stop() })
	_ = c.send(&proto.CallRequest{Message: &proto.CallRequest_Cancel{
		Cancel: &proto.CallCancel{Reason: utf8(cause.Error()), Grace: durationpb.New(grace)},
	}})
}

// converse takes what the provider sends up to its result. When there will be
// none, it does not wait for handlers that are still busy, as with a command that
// does not heed its interrupt: the caller is to know at once.
func (c *call) converse(ctx context.Context) (*Result, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	var requests sync.WaitGroup
	slots := make(chan struct{}, maxRequests)
	for {
		response, err := c.stream.Recv()
		if err != nil {
			return nil, err
		}
		switch message := response.GetMessage().(type) {
		case *proto.CallResponse_Result:
			end()
			requests.Wait()
			return resultOf(message.Result), nil
		case *proto.CallResponse_Progress:
			c.handler.Progress(message.Progress.GetMessage(), message.Progress.Fraction)
		case *proto.CallResponse_Output:
			c.handler.Output(message.Output.GetStream(), message.Output.GetData())
		case *proto.CallResponse_Handoff, *proto.CallResponse_Question:
			select {
			case slots <- struct{}{}:
			default:
				return nil, errTooManyRequests
			}
			requests.Go(func() {
				_ = c.send(c.answer(ctx, response)) // a broken stream is seen by Recv
				<-slots
			})
		}
	}
}

// answer asks the handler and gives its answer the id of the question.
func (c *call) answer(ctx context.Context, response *proto.CallResponse) *proto.CallRequest {
	if h := response.GetHandoff(); h != nil {
		result, err := c.handler.Handoff(ctx, h)
		if err != nil {
			result = &proto.HandoffResult{Status: string(sdk.HandoffNotExecuted), Reason: err.Error()}
		}
		result.Id = h.GetId()
		for _, text := range []*string{&result.Output, &result.Reason, &result.StartDir, &result.EndDir} {
			*text = utf8(*text)
		}
		return &proto.CallRequest{Message: &proto.CallRequest_HandoffResult{HandoffResult: result}}
	}
	q := response.GetQuestion()
	answer, err := c.handler.Question(ctx, q)
	if err != nil {
		answer = &proto.Answer{Cancelled: true}
	}
	answer.Id, answer.Text = q.GetId(), utf8(answer.GetText())
	return &proto.CallRequest{Message: &proto.CallRequest_Answer{Answer: answer}}
}

// utf8 makes s a string that a message can carry.
func utf8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
