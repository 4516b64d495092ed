package plugin

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// Lease is the right to use one generation of a provider. The generation is not
// stopped before all its leases are released. Its methods are safe for
// concurrent use until Release.
type Lease struct {
	supervisor *Supervisor
	generation *generation
	release    sync.Once
}

// Release gives the lease back. Releasing twice is the same as once.
func (l *Lease) Release() {
	l.release.Do(func() { l.supervisor.release(l.generation) })
}

// PlanRequest asks what a call would do.
type PlanRequest struct {
	CallID string
	Tool   string // as the provider calls it
	Input  json.RawMessage
}

// Plan asks the provider what a call would do, without doing it. It waits for the
// supervisor's PlanTimeout at most.
func (l *Lease) Plan(ctx context.Context, request PlanRequest) (*Plan, error) {
	ctx, cancel := context.WithTimeout(ctx, l.supervisor.options.PlanTimeout)
	defer cancel()
	plan, err := l.generation.plan(ctx, request)
	l.supervisor.heard(l.generation, err == nil || ctx.Err() == nil)
	return plan, err
}

// Observes reports whether a process of the provider runs that wants to see
// changed files. Only then is a lease for [Lease.Observe] worth taking.
func (s *Supervisor) Observes() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current != nil && s.current.observes
}

// Observe shows changed files to the provider. timeout tells it how long the
// host waits; the wait itself is ctx's.
func (l *Lease) Observe(ctx context.Context, callID string, files []FileChange, timeout time.Duration) (*Observation, error) {
	return l.generation.observe(ctx, callID, files, timeout)
}
