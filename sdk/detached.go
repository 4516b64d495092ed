package sdk

import "context"

// Detached returns a call that no host listens to, for running a tool without
// one, as in its tests: progress and output go nowhere, [Call.CanHandoff] is
// false, and every question is cancelled.
func Detached(environment Environment) *Call {
	return &Call{ID: "detached", InvokedBy: "user", Environment: environment, host: nobody{}}
}

type nobody struct{}

var _ callHost = nobody{}

func (nobody) progress(string, *float64) error { return nil }
func (nobody) output(Stream, []byte) error     { return nil }
func (nobody) handoff(context.Context, Handoff) (*HandoffResult, error) {
	return nil, ErrNoForeground
}
func (nobody) ask(context.Context, Question) (*Answer, error) {
	return &Answer{Cancelled: true}, nil
}
