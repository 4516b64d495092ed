package plugin

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// Supervisor is one provider's life. It is safe for concurrent use.
type Supervisor struct {
	options Options
	calls   atomic.Uint64
	// life ends when the provider is stopped for good.
	life context.Context
	end  context.CancelCauseFunc
	work sync.WaitGroup // the goroutines of attempts and generations

	// notifying keeps the callbacks in order. It is taken before mu.
	notifying sync.Mutex

	mu      sync.Mutex
	spec    Spec
	state   State
	reason  string
	current *generation // nil when none serves
	attempt *attempt    // nil when none is under way

	// What the last generation that was ready said of itself.
	version    string
	sum        string
	wanted     Program // by the last start or reload
	hookEvents []string
	tools      *proto.ToolSet
	source     pool.Source

	recent    crashTimes
	notBefore time.Time // of the next start
	crashes   int
	lastCrash *Crash

	// stray are the lines on standard output that have been told of.
	stray map[string]bool

	// What the callbacks have not been told yet.
	newTools, newStatus bool
	newCrashes          []Crash
	newStray            []string
	newFindings         []Findings
}

// NewSupervisor makes the supervisor of a provider and starts nothing.
func NewSupervisor(spec Spec, options Options) *Supervisor {
	s := &Supervisor{
		options: options.withDefaults(),
		spec:    spec,
		state:   Stopped,
		wanted:  Program{Command: spec.Program.Command(), SHA256: spec.Program.SHA256()},
		source:  pool.Source{Provider: spec.Name, Kind: spec.Kind},
	}
	s.life, s.end = context.WithCancelCause(context.Background())
	return s
}

// ConfigWarnings are what the process that serves finds doubtful in its config
// block; nil when none serves.
func (s *Supervisor) ConfigWarnings() []Diagnostic {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return nil
	}
	return slices.Clone(s.current.warnings)
}

// Source is what the provider offers, for the pool. It stays what it was while
// the provider is being started again. Its revision grows with every change.
func (s *Supervisor) Source() pool.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source
}

// Reset lets a disabled provider be started again by the next call.
func (s *Supervisor) Reset() {
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent, s.notBefore = nil, time.Time{}
	if s.state == Disabled {
		s.setState(Crashed, s.reason)
	}
}

// Stop ends the provider for good: its calls have StopGrace to finish. It
// returns when nothing is left of it. When ctx ends, the process is killed.
func (s *Supervisor) Stop(ctx context.Context) {
	s.mu.Lock()
	g := s.current
	s.current = nil
	s.setState(Draining, "")
	if g != nil {
		g.drain()
		s.work.Go(func() { g.stop(s.options.StopGrace) })
	}
	s.end(ErrStopped)
	s.mu.Unlock()
	s.notify()

	done := make(chan struct{})
	go func() {
		s.work.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		if g != nil {
			g.discard()
		}
		<-done
	}
	s.mu.Lock()
	s.setState(Stopped, "")
	s.mu.Unlock()
	s.notify()
}

// setState changes what Status tells; mu is held.
func (s *Supervisor) setState(state State, reason string) {
	s.newStatus = s.newStatus || s.state != state || s.reason != reason
	s.state, s.reason = state, reason
}

// notify tells the callbacks what changed; mu is not held.
func (s *Supervisor) notify() {
	s.notifying.Lock()
	defer s.notifying.Unlock()
	s.mu.Lock()
	crashes, stray, findings := s.newCrashes, s.newStray, s.newFindings
	tools, status, source := s.newTools, s.newStatus, s.source
	s.newCrashes, s.newStray, s.newFindings, s.newTools, s.newStatus = nil, nil, nil, false, false
	s.mu.Unlock()
	for _, line := range stray {
		s.options.OnStray(line)
	}
	for _, crash := range crashes {
		s.options.OnCrash(crash)
	}
	for _, found := range findings {
		s.options.OnFindings(found)
	}
	if tools {
		s.options.OnTools(source)
	}
	if status {
		s.options.OnStatus(s.Status())
	}
}
