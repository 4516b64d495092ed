package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// HookEvent is a moment in a session about which providers can be asked.
type HookEvent struct {
	// Name is that of sdk.HookName: "pre_tool_use".
	Name string
	// Payload is the JSON object that a hook which is a command would read.
	Payload json.RawMessage
}

// HookAnswer is what a provider says to an event.
type HookAnswer struct {
	// Output is the JSON object that a hook which is a command would print; nil
	// when the provider has nothing to say. What is in it was not looked at.
	Output json.RawMessage
}

// HookEvents are the names of the events that the provider wants to be asked
// about, in order: those of the last process that became ready, because a
// provider that crashed is started again to be asked. It returns nil before the
// first. A newer provider may name events that nobody here knows.
func (s *Supervisor) HookEvents() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.hookEvents)
}

// Hook asks the provider about an event and blocks until it answers or ctx ends,
// whose deadline the provider is told. It takes a lease and fails as
// [Supervisor.Lease] does, with an [ExitError] when the process dies, and when
// the answer is no JSON object. It is safe to ask about several events at once.
func (s *Supervisor) Hook(ctx context.Context, event HookEvent) (HookAnswer, error) {
	l, err := s.Lease(ctx)
	if err != nil {
		return HookAnswer{}, err
	}
	defer l.Release()
	g, doing := l.generation, fmt.Sprintf("answer to the event %q", event.Name)
	response, err := g.rpc.Hook(ctx, &proto.HookRequest{Event: event.Name, Payload: event.Payload})
	s.heard(g, err == nil || ctx.Err() == nil)
	if err != nil {
		return HookAnswer{}, g.failure(doing, err)
	}
	output := response.GetAnswer()
	if len(output) == 0 {
		return HookAnswer{}, nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(output, &object); err != nil || object == nil {
		return HookAnswer{}, &requestError{provider: g.spec.Name, doing: doing, err: errNoAnswerObject}
	}
	return HookAnswer{Output: output}, nil
}

var errNoAnswerObject = errors.New("it answered with something else than a JSON object; this is a fault of the provider")
