package pipeline

import (
	"context"
	"sync"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/session"
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

	// judged are the commands that the call was judged for. Each may be handed
	// off once. mu guards them: handoffs come concurrently.
	mu     sync.Mutex
	judged []command
}

func newConversation(p *Pipeline, c *call, clock *deadline) *conversation {
	return &conversation{p: p, c: c, clock: clock, partial: make(map[string][]byte), judged: p.judgedCommands(c)}
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
