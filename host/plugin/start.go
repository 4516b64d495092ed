package plugin

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/toolcrib/toolcrib/host/executable"
)

// attempt is one start, for which any number of callers wait.
type attempt struct {
	done chan struct{}
	err  error // set before done is closed
}

// DisabledError tells that a provider died too often to be started again.
type DisabledError struct {
	Provider  string
	LastCrash Crash
}

func (e *DisabledError) Error() string {
	return fmt.Sprintf("provider %q is disabled: it died %d times within %s, the last time because %s; mend it, then reload the workspace",
		e.Provider, crashLimit, crashWindow, e.LastCrash.Reason)
}

// Start starts the provider, unless it runs, and waits until its tools are
// known. ctx bounds the wait, not the provider.
func (s *Supervisor) Start(ctx context.Context) error {
	lease, err := s.Lease(ctx)
	if err != nil {
		return err
	}
	lease.Release()
	return nil
}

// Lease waits for a running process and keeps it from being replaced until the
// lease is released. A provider that crashed, or was not started yet, is started
// first. It fails with [ErrStopped], a [DisabledError], the end of ctx, or what
// kept the provider from starting.
func (s *Supervisor) Lease(ctx context.Context) (*Lease, error) {
	for {
		lease, pending, err := s.tryLease()
		if lease != nil || err != nil {
			return lease, err
		}
		select {
		case <-pending.done:
			if pending.err != nil {
				return nil, pending.err
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for a provider to start: %w", context.Cause(ctx))
		}
	}
}

// tryLease returns a lease, or the attempt to wait for, or why there is neither.
func (s *Supervisor) tryLease() (*Lease, *attempt, error) {
	s.mu.Lock()
	if g := s.current; g != nil && g.alive() {
		g.leases++
		s.mu.Unlock()
		return &Lease{supervisor: s, generation: g}, nil, nil
	}
	defer s.notify()
	defer s.mu.Unlock()
	if s.current != nil {
		s.noteExit(s.current)
	}
	switch {
	case s.life.Err() != nil:
		return nil, nil, fmt.Errorf("provider %q: %w", s.spec.Name, ErrStopped)
	case s.state == Disabled:
		return nil, nil, &DisabledError{Provider: s.spec.Name, LastCrash: *s.lastCrash}
	case s.attempt == nil:
		s.beginAttempt()
	}
	return nil, s.attempt, nil
}

// beginAttempt starts the provider in a goroutine; mu is held.
func (s *Supervisor) beginAttempt() {
	a, spec := &attempt{done: make(chan struct{})}, s.spec
	s.attempt = a
	delay := s.notBefore.Sub(s.options.Now())
	if delay > 0 {
		s.setState(Backoff, s.reason)
	} else {
		s.setState(Starting, "")
	}
	s.work.Go(func() {
		g, err := s.startAfter(delay, spec)
		s.endAttempt(a, g, err)
	})
}

func (s *Supervisor) startAfter(delay time.Duration, spec Spec) (*generation, error) {
	if delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-s.life.Done():
			return nil, fmt.Errorf("provider %q: %w", spec.Name, ErrStopped)
		}
		s.mu.Lock()
		s.setState(Starting, "")
		s.mu.Unlock()
		s.notify()
	}
	return s.launch(s.life, spec, nil)
}

// launch bounds a start by the options and by the supervisor's life. program may
// be nil; see connect.
func (s *Supervisor) launch(ctx context.Context, spec Spec, program *executable.File) (*generation, error) {
	limit := s.options.StartTimeout
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.life, func() { cancel(ErrStopped) })()
	timer := time.AfterFunc(limit, func() { cancel(&startTimeoutError{limit}) })
	defer timer.Stop()
	return launch(ctx, spec, program, s.options, s)
}

type startTimeoutError struct{ limit time.Duration }

func (e *startTimeoutError) Error() string { return fmt.Sprintf("it was not ready within %s", e.limit) }

// endAttempt takes note of how an attempt ended and wakes who waits for it.
func (s *Supervisor) endAttempt(a *attempt, g *generation, err error) {
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer close(a.done)
	s.attempt = nil
	a.err = err
	switch {
	case err != nil:
		if s.current == nil && s.life.Err() == nil {
			s.noteFailedStart(err)
		}
	case s.current != nil || s.life.Err() != nil:
		// It was replaced or stopped meanwhile.
		s.work.Go(g.discard)
	default:
		s.install(g)
	}
}

// noteFailedStart counts a start as a crash if the process died or hung. What a
// person has to correct first, a config block or a missing file, is none; mu is
// held.
func (s *Supervisor) noteFailedStart(err error) {
	var exit *ExitError
	var timeout *startTimeoutError
	switch {
	case errors.As(err, &exit):
		s.noteCrash(Crash{PID: exit.PID, Reason: exit.Reason(), StderrTail: exit.StderrTail})
	case errors.As(err, &timeout):
		s.noteCrash(Crash{Reason: timeout.Error()})
	default:
		s.setState(Stopped, err.Error())
	}
}

// install makes g serve; mu is held.
func (s *Supervisor) install(g *generation) {
	s.current = g
	s.version, s.sum, s.hookEvents = g.version, g.process.program.SHA256(), g.hookEvents
	s.setState(Ready, g.process.notice())
	s.newStatus = true // another process, even if the state is the same
	s.publish(g)
	s.work.Go(func() {
		<-g.process.exited
		g.discard()
		s.mu.Lock()
		s.noteExit(g)
		s.mu.Unlock()
		s.notify()
	})
}

// noteExit takes note, once, that the process of g has ended; mu is held.
func (s *Supervisor) noteExit(g *generation) {
	if g.ended {
		return
	}
	g.ended = true
	if s.current != g { // it was replaced or stopped
		return
	}
	s.current = nil
	exit := g.process.exitError(g.spec.Name, "serve")
	s.noteCrash(Crash{PID: exit.PID, Reason: exit.Reason(), StderrTail: exit.StderrTail})
}

// noteCrash decides when the provider may start again; mu is held.
func (s *Supervisor) noteCrash(crash Crash) {
	crash.Provider, crash.Time = s.spec.Name, s.options.Now()
	s.crashes++
	s.lastCrash = &crash
	s.newCrashes = append(s.newCrashes, crash)
	delay, disabled := s.recent.add(crash.Time, s.options.Jitter())
	switch {
	case disabled:
		s.setState(Disabled, crash.Reason)
	case delay > 0:
		s.notBefore = crash.Time.Add(delay)
		s.setState(Backoff, crash.Reason)
	default:
		s.setState(Crashed, crash.Reason)
	}
}
