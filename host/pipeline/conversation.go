package pipeline

import (
	"context"
	"errors"
	"unicode/utf8"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// conversation answers what a provider sends while its call runs.
type conversation struct {
	p     *Pipeline
	c     *call
	clock *deadline
	// partial is the begin of a character whose rest comes with the next
	// output of the stream.
	partial map[string][]byte
}

func (v *conversation) Progress(message string, fraction *float64) {
	v.p.Log.Append(v.c.RunID, session.ToolProgress{CallID: v.c.ID, Message: message, Fraction: fraction})
}

func (v *conversation) Output(stream string, data []byte) {
	data = append(v.partial[stream], data...)
	whole := len(data) - len(partialRune(data))
	v.partial[stream] = data[whole:]
	if whole > 0 {
		v.p.Log.Append(v.c.RunID, session.ToolOutput{CallID: v.c.ID, Stream: stream, Text: string(data[:whole])})
	}
}

// partialRune is the incomplete character at the end of data; empty for none.
func partialRune(data []byte) []byte {
	for i := len(data) - 1; i >= 0 && i >= len(data)-utf8.UTFMax; i-- {
		if utf8.RuneStart(data[i]) {
			if utf8.FullRune(data[i:]) {
				return nil
			}
			return data[i:]
		}
	}
	return nil
}

// Question asks the person. A person who declines and a session without a
// person both give a cancelled answer.
func (v *conversation) Question(ctx context.Context, q *proto.Question) (*proto.Answer, error) {
	v.clock.pause()
	defer v.clock.resume()
	request := v.p.card(v.c)
	request.Kind = approval.KindQuestion
	request.Reason = "the tool asks while it runs"
	request.Question = &approval.Question{
		Text: q.GetText(), AllowFreeText: q.GetAllowFreeText(), MultiSelect: q.GetMultiSelect(),
	}
	for _, option := range q.GetOptions() {
		request.Question.Options = append(request.Question.Options, approval.Option{
			Label: option.GetLabel(), Description: option.GetDescription(),
		})
	}
	decision, err := v.p.ask(ctx, v.c, request)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return &proto.Answer{Id: q.GetId(), Cancelled: true}, nil
	}
	answer := &proto.Answer{Id: q.GetId(), Text: decision.Text}
	for _, i := range decision.Selected {
		answer.Selected = append(answer.Selected, uint32(i))
	}
	return answer, nil
}

// Handoff runs a command in the person's shell. A command other than the one
// that was judged is judged now: a provider's word is not an approval.
func (v *conversation) Handoff(ctx context.Context, h *proto.Handoff) (*proto.HandoffResult, error) {
	v.clock.pause()
	defer v.clock.resume()
	if v.p.Terminal == nil {
		return notExecuted(h, "there is no foreground shell"), nil
	}
	if err := v.judgeHandoff(ctx, h.GetCommand()); err != nil {
		var refusal *Refusal
		if errors.As(err, &refusal) && ctx.Err() == nil {
			return notExecuted(h, refusal.Text()), nil
		}
		return nil, err
	}
	v.p.Log.Append(v.c.RunID, session.HandoffStarted{CallID: v.c.ID, Command: h.GetCommand()})
	result, err := v.p.Terminal.Run(ctx, terminal.Handoff{
		ID: v.c.ID, Command: contained(h.GetCommand()), Dir: h.GetDir(), Timeout: h.GetTimeout().AsDuration(),
	})
	if err != nil {
		result = terminal.Result{Status: terminal.NotExecuted, Reason: err.Error()}
	}
	v.p.Log.Append(v.c.RunID, session.HandoffEnded{
		CallID: v.c.ID, Status: string(result.Status), ExitCode: result.ExitCode,
		Signal: result.Signal, Duration: result.Duration,
	})
	return handoffResult(h, result), nil
}

// judgeHandoff takes a command through permission and approve, unless it is the
// very command that the call was judged for.
func (v *conversation) judgeHandoff(ctx context.Context, command string) error {
	subject := policy.Subject{Kind: pool.SubjectCommand, Value: command}
	for _, judged := range v.c.subjects {
		if judged == subject {
			return nil
		}
	}
	handed := *v.c
	handed.subjects = []policy.Subject{subject}
	handed.plan = nil
	if err := v.p.permission(ctx, &handed); err != nil {
		return err
	}
	return v.p.approve(ctx, &handed)
}

func notExecuted(h *proto.Handoff, reason string) *proto.HandoffResult {
	return &proto.HandoffResult{Id: h.GetId(), Status: string(terminal.NotExecuted), Reason: reason}
}

func handoffResult(h *proto.Handoff, r terminal.Result) *proto.HandoffResult {
	answer := &proto.HandoffResult{
		Id: h.GetId(), Status: string(r.Status), Signal: r.Signal,
		StartDir: r.StartDir, EndDir: r.EndDir, Duration: durationpb.New(r.Duration),
		Output: r.Output, OutputBytes: uint64(r.OutputBytes), Truncated: r.Truncated, Reason: r.Reason,
	}
	if r.ExitCode != nil {
		code := int32(*r.ExitCode)
		answer.ExitCode = &code
	}
	return answer
}
