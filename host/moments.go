package host

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/session"
)

// begin tells the hooks that the session has started, each once, however often it
// is called. done is closed when all have answered; Close does not wait for their
// answers, and ends them.
func (s *hooks) begin() (done <-chan struct{}) {
	finished := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.host.options.NoSession {
		close(finished)
		return finished
	}
	set := (*s.declared.Load()).Then(s.ofProviders())
	if !s.opened {
		set = s.embedded.Then(set)
	}
	s.opened = true
	s.running.Go(func() {
		defer close(finished)
		moment := hook.Moment{Event: hook.SessionStart, Resumed: s.host.options.SessionID != ""}
		if told, err := s.tell(s.host.closing, set, moment); err == nil {
			s.note(told)
		}
	})
	return finished
}

// late tells hooks that came after the session had started.
func (s *hooks) late() {
	s.mu.Lock()
	opened := s.opened
	s.mu.Unlock()
	if opened {
		s.begin()
	}
}

// end tells the hooks that the session ends, and waits for them for a while.
// Whoever is still being told of its start has been cancelled.
func (s *hooks) end() {
	s.mu.Lock()
	s.ended = true
	opened := s.opened
	s.mu.Unlock()
	s.running.Wait()
	if !opened {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	told, err := s.tell(ctx, s.set(), hook.Moment{Event: hook.SessionEnd})
	if err != nil {
		s.host.events.Append("", session.Notice{Level: session.Warning, Text: fmt.Sprintf(
			"hooks at session_end took longer than %s and were ended; give them less to do", closeTimeout)})
		return
	}
	s.note(told)
}

// tell runs the hooks of a moment and records what they had to say.
func (s *hooks) tell(ctx context.Context, set hook.Set, m hook.Moment) (hook.Replied, error) {
	m.SessionID, m.Workspace = s.host.sessionID, s.host.workspace
	replied, err := set.AtMoment(ctx, m)
	for _, r := range replied.Reports {
		s.host.events.Append(m.RunID, session.HookAnswered{
			Event: string(m.Event), Hook: r.Hook, Outcome: r.Outcome, Reason: r.Reason, Warnings: r.Warnings,
		})
	}
	return replied, err
}

// note shows what hooks have to say to a model where there is none to hear it.
func (s *hooks) note(told hook.Replied) {
	for _, text := range told.Notes {
		s.host.events.Append("", session.Notice{Level: session.Info, Text: text})
	}
}

// await waits for done as long as Open waits for a provider.
func (s *hooks) await(ctx context.Context, done <-chan struct{}) {
	timer := time.NewTimer(s.host.options.StartTimeout)
	defer timer.Stop()
	select {
	case <-done:
	case <-ctx.Done():
	case <-timer.C:
	}
}

// PromptReply is what hooks say to a prompt that may go to a model.
type PromptReply struct {
	// RunID is for the calls that the prompt leads to.
	RunID string
	// Notes are for the model, each with its hook's name.
	Notes []string
}

// PromptError is a prompt that a hook refused. It must not go to a model.
type PromptError struct{ Hook, Reason string }

func (e *PromptError) Error() string {
	return fmt.Sprintf("the hook %s refused the prompt: %s", e.Hook, e.Reason)
}

// Prompt runs the user_prompt hooks on what a person has sent to a model, and
// blocks until all have answered. The error is a *[PromptError], or that of ctx.
func (h *Host) Prompt(ctx context.Context, text string) (PromptReply, error) {
	reply := PromptReply{RunID: "run_" + rand.Text()[:8]}
	told, err := h.hooks.tell(ctx, h.hooks.set(), hook.Moment{Event: hook.UserPrompt, RunID: reply.RunID, Prompt: text})
	switch {
	case err != nil:
		return reply, err
	case told.Blocked:
		return reply, &PromptError{Hook: told.By, Reason: told.Reason}
	}
	reply.Notes = told.Notes
	return reply, nil
}

// Turn is a model's turn that is about to end.
type Turn struct {
	RunID string
	// Again tells that it went on before because EndTurn said so.
	Again bool
}

// TurnReply is what hooks say to it.
type TurnReply struct {
	// GoOn tells that the model is to go on, because of Reason.
	GoOn   bool
	Reason string
	// Notes are for the model, each with its hook's name.
	Notes []string
}

// EndTurn runs the stop hooks and blocks until all have answered. The error is
// that of ctx.
func (h *Host) EndTurn(ctx context.Context, turn Turn) (TurnReply, error) {
	told, err := h.hooks.tell(ctx, h.hooks.set(), hook.Moment{Event: hook.Stop, RunID: turn.RunID, Again: turn.Again})
	return TurnReply{GoOn: told.Blocked, Reason: told.Reason, Notes: told.Notes}, err
}
