package sdk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	gproto "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// ErrNoForeground is the error of [Call.Handoff] where the host has no shell of
// a person. Run the command in the background instead.
var ErrNoForeground = errors.New("there is no foreground shell for this call; run the command in the background")

// errOver is the error of a call's methods after its result.
var errOver = errors.New("the call is over")

// outputChunk bounds the data of one output message.
const outputChunk = 32 << 10

type callStream = grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse]

// runningCall is the provider's end of one call.
type runningCall struct {
	stream callStream

	// sending serialises the stream's writer. over ends writing: gRPC forbids
	// it once the handler has returned.
	sending sync.Mutex
	over    bool

	// waiting are the handoffs and questions that the host has not answered.
	mu      sync.Mutex
	waiting map[string]chan<- *proto.CallRequest
	lastID  int
}

var _ callHost = (*runningCall)(nil)

// Call runs one tool on this goroutine while another reads what the host says.
func (s *server) Call(stream callStream) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	start := first.GetStart()
	if start == nil {
		return status.Error(codes.InvalidArgument, "the first message of a call must be start")
	}
	r := &runningCall{stream: stream}
	tool, err := s.begin(start.GetTool())
	if err != nil {
		return r.finish(Errorf("%v", err))
	}
	defer s.calls.Done()

	ctx, cancel := context.WithCancelCause(stream.Context())
	defer cancel(nil)
	go r.listen(ctx, cancel, tool, start.GetCallId())

	call := &Call{
		ID:          start.GetCallId(),
		InvokedBy:   start.GetInvokedBy(),
		PlanToken:   start.GetPlanToken(),
		Environment: *s.environment.Load(),
		host:        r,
	}
	for _, feature := range start.GetHostFeatures() {
		call.CanHandoff = call.CanHandoff || feature == FeatureHandoff
	}
	return r.finish(runTool(ctx, tool, call, start))
}

// begin finds a tool and counts the call, unless the provider is stopping.
func (s *server) begin(name string) (Tool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stopping:
		return nil, errStopping
	default:
	}
	tool, err := s.provider.offer.find(name)
	if err != nil {
		return nil, err
	}
	s.calls.Add(1)
	return tool, nil
}

func runTool(ctx context.Context, tool Tool, call *Call, start *proto.CallStart) *Result {
	result, err := func() (result *Result, err error) {
		defer recovered(fmt.Sprintf("tool %q", start.GetTool()), &err)
		return tool.Call(ctx, call, start.GetInput())
	}()
	switch {
	case err != nil:
		return Errorf("%v", err)
	case result == nil:
		return &Result{}
	}
	return result
}

// finish sends the result, the last message of a call.
func (r *runningCall) finish(result *Result) error {
	message := &proto.CallResponse{Message: &proto.CallResponse_Result{Result: protoResult(result)}}
	if size := gproto.Size(message); size > MaxMessageBytes {
		message.Message = &proto.CallResponse_Result{Result: protoResult(Errorf(
			"the result has %d bytes and a result may have %d; ask for less, or for a part at a time",
			size, MaxMessageBytes))}
	}
	r.sending.Lock()
	defer r.sending.Unlock()
	r.over = true
	return r.stream.Send(message)
}

// listen takes what the host sends until the call is over.
func (r *runningCall) listen(ctx context.Context, cancel context.CancelCauseFunc, tool Tool, callID string) {
	for {
		request, err := r.stream.Recv()
		if err != nil {
			cancel(errors.New("the host gave the call up"))
			return
		}
		switch message := request.GetMessage().(type) {
		case *proto.CallRequest_Cancel:
			go interrupt(ctx, cancel, tool, callID, message.Cancel)
		case *proto.CallRequest_HandoffResult:
			r.deliver(message.HandoffResult.GetId(), request)
		case *proto.CallRequest_Answer:
			r.deliver(message.Answer.GetId(), request)
		}
	}
}

// interrupt tells the tool of a cancellation and ends the call's context when
// the tool has taken note, at the latest when the grace is over.
func interrupt(ctx context.Context, cancel context.CancelCauseFunc, tool Tool, callID string, request *proto.CallCancel) {
	defer cancel(errors.New(request.GetReason()))
	interrupter, ok := tool.(Interrupter)
	if !ok {
		return
	}
	noted := make(chan struct{})
	go func() {
		defer close(noted)
		var err error // recovered has printed it
		defer recovered("interrupt", &err)
		interrupter.Interrupt(callID, request.GetReason())
	}()
	grace := time.NewTimer(request.GetGrace().AsDuration())
	defer grace.Stop()
	select {
	case <-noted:
	case <-grace.C:
	case <-ctx.Done():
	}
}

func (r *runningCall) send(message *proto.CallResponse) error {
	r.sending.Lock()
	defer r.sending.Unlock()
	if r.over {
		return errOver
	}
	return r.stream.Send(message)
}

func (r *runningCall) progress(message string, fraction *float64) error {
	return r.send(&proto.CallResponse{Message: &proto.CallResponse_Progress{
		Progress: &proto.Progress{Message: utf8(message), Fraction: fraction},
	}})
}

func (r *runningCall) output(stream Stream, data []byte) error {
	for len(data) > 0 {
		chunk := data[:min(len(data), outputChunk)]
		data = data[len(chunk):]
		err := r.send(&proto.CallResponse{Message: &proto.CallResponse_Output{
			Output: &proto.Output{Stream: string(stream), Data: chunk},
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *runningCall) handoff(ctx context.Context, h Handoff) (*HandoffResult, error) {
	reply, err := r.roundTrip(ctx, func(id string) *proto.CallResponse {
		request := &proto.Handoff{Id: id, Command: h.Command, Dir: h.Dir}
		if h.Timeout > 0 {
			request.Timeout = durationpb.New(h.Timeout)
		}
		return &proto.CallResponse{Message: &proto.CallResponse_Handoff{Handoff: request}}
	})
	if err != nil {
		return nil, fmt.Errorf("hand the command off: %w", err)
	}
	return handoffResult(reply.GetHandoffResult()), nil
}

func (r *runningCall) ask(ctx context.Context, q Question) (*Answer, error) {
	reply, err := r.roundTrip(ctx, func(id string) *proto.CallResponse {
		request := &proto.Question{Id: id, Text: utf8(q.Text), AllowFreeText: q.AllowFreeText, MultiSelect: q.MultiSelect}
		for _, o := range q.Options {
			request.Options = append(request.Options, &proto.Option{Label: utf8(o.Label), Description: utf8(o.Description)})
		}
		return &proto.CallResponse{Message: &proto.CallResponse_Question{Question: request}}
	})
	if err != nil {
		return nil, fmt.Errorf("ask the person: %w", err)
	}
	return answer(reply.GetAnswer()), nil
}

// roundTrip sends what message makes of a fresh id and blocks until the host
// answered that id or ctx ended.
func (r *runningCall) roundTrip(ctx context.Context, message func(id string) *proto.CallResponse) (*proto.CallRequest, error) {
	reply := make(chan *proto.CallRequest, 1)
	r.mu.Lock()
	r.lastID++
	id := strconv.Itoa(r.lastID)
	if r.waiting == nil {
		r.waiting = make(map[string]chan<- *proto.CallRequest)
	}
	r.waiting[id] = reply
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		delete(r.waiting, id)
		r.mu.Unlock()
	}()
	if err := r.send(message(id)); err != nil {
		return nil, err
	}
	select {
	case request := <-reply:
		return request, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-r.stream.Context().Done():
		return nil, errOver
	}
}

// deliver hands an answer to who waits for it. An answer that nobody waits for
// came too late and is dropped.
func (r *runningCall) deliver(id string, request *proto.CallRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reply, ok := r.waiting[id]; ok {
		delete(r.waiting, id)
		reply <- request
	}
}
