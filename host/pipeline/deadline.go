package pipeline

import (
	"context"
	"errors"
	"sync"
	"time"
)

// errDeadline is the cause of a context that a deadline ended.
var errDeadline = errors.New("the deadline of the call passed")

// deadline ends a context after a time that does not count while a person is
// being asked. Pauses nest. The zero limit never ends.
type deadline struct {
	end context.CancelCauseFunc

	mu      sync.Mutex
	timer   *time.Timer
	left    time.Duration
	started time.Time
	pauses  int
}

// withDeadline returns a context that ends with errDeadline once limit has run
// down. stop releases the timer; call it when the work is over.
func withDeadline(ctx context.Context, limit time.Duration) (_ context.Context, d *deadline, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	d = &deadline{end: cancel, left: limit, started: time.Now()}
	if limit > 0 {
		d.timer = time.AfterFunc(limit, func() { cancel(errDeadline) })
	}
	return ctx, d, func() {
		d.pause()
		cancel(nil)
	}
}

// pause stops the clock until the matching resume.
func (d *deadline) pause() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pauses++
	if d.pauses > 1 || d.timer == nil {
		return
	}
	d.timer.Stop()
	d.left -= time.Since(d.started)
}

// resume lets the clock run on.
func (d *deadline) resume() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pauses--
	if d.pauses > 0 || d.timer == nil {
		return
	}
	d.started = time.Now()
	d.timer = time.AfterFunc(max(d.left, 0), func() { d.end(errDeadline) })
}
