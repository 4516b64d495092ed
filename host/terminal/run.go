package terminal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run runs a command in the person's shell and returns how it ended. It waits
// for its turn behind other handoffs, and for the shell to be at a prompt:
// while the person runs something, or is in the middle of a command of several
// lines, nothing is sent. What they have half typed on one line is taken out of
// the way and comes back at the next prompt.
//
// The end of ctx, or of the handoff's Timeout, interrupts the command with
// Ctrl-C and, after Config.Grace, kills what is in the foreground, but never
// the shell. The error is nil whenever the command was started; with one, the
// status is NotExecuted and nothing was run.
func (t *Terminal) Run(ctx context.Context, h Handoff) (Result, error) {
	j, inst, err := t.begin(ctx, h)
	if err != nil {
		return Result{Status: NotExecuted, Reason: err.Error()}, fmt.Errorf("run in the terminal: %w", err)
	}
	defer t.end(j)
	if h.Started != nil {
		h.Started()
	}
	cause := t.supervise(ctx, inst, j, h.Timeout)
	return t.result(inst, j, cause), nil
}

// begin takes a turn and starts the command. Without an error the caller ends
// the turn with end.
func (t *Terminal) begin(ctx context.Context, h Handoff) (*job, *instance, error) {
	if err := h.validate(); err != nil {
		return nil, nil, err
	}
	if err := t.takeTurn(ctx, h.ID); err != nil {
		return nil, nil, err
	}
	for ignored := 0; ignored < keyTries; {
		inst, err := t.awaitPrompt(ctx)
		if err != nil {
			t.end(nil)
			return nil, nil, err
		}
		j, err := t.offer(ctx, inst, h)
		if err == nil {
			return j, inst, nil
		}
		t.drop(j)
		switch {
		case errors.Is(err, errIgnored):
			ignored++
		case !errors.Is(err, errBusy):
			t.end(nil)
			return nil, nil, err
		}
	}
	t.end(nil)
	return nil, nil, ErrUnresponsive
}

func (t *Terminal) takeTurn(ctx context.Context, id string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("cancelled before it began: %w", err)
	}
	t.queue(+1)
	defer t.queue(-1)
	select {
	case t.turn <- struct{}{}:
		t.mu.Lock()
		defer t.mu.Unlock()
		t.handoff = id
		return nil
	case <-ctx.Done():
		return fmt.Errorf("cancelled while other commands ran: %w", ctx.Err())
	}
}

func (t *Terminal) queue(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting += n
	t.changed()
}

// drop forgets a job and takes its files away, so that it cannot be claimed.
func (t *Terminal) drop(j *job) {
	if j == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	j.staged.remove()
	t.job = nil
	t.changed()
}

// end gives the turn to the next.
func (t *Terminal) end(j *job) {
	t.drop(j)
	t.mu.Lock()
	t.handoff = ""
	t.mu.Unlock()
	<-t.turn
}

// wait returns when until, called with mu held, reports true, or ctx ends.
func (t *Terminal) wait(ctx context.Context, until func() bool) error {
	for {
		t.mu.Lock()
		met, news := until(), t.news
		t.mu.Unlock()
		if met {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// awaitPrompt waits until the shell can be given a command.
func (t *Terminal) awaitPrompt(ctx context.Context) (*instance, error) {
	var inst *instance
	var failure error
	var reason string
	err := t.wait(ctx, func() bool {
		inst = t.inst
		switch {
		case t.closed:
			failure = ErrClosed
		case inst.state == Exited:
			failure = ErrExited
		case inst.gone:
			failure = ErrReplaced
		case inst.watch.deaf:
			failure = ErrUnresponsive
		}
		reason = inst.waitsFor()
		return failure != nil || inst.ready()
	})
	if err != nil {
		return nil, fmt.Errorf("cancelled while waiting for a prompt, as %s: %w", reason, err)
	}
	return inst, failure
}

// result says how a started job ended, or that it did not.
func (t *Terminal) result(inst *instance, j *job, cause Status) Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := Result{
		Status:   statusOf(j.code),
		ExitCode: j.code,
		Signal:   j.signal,
		StartDir: j.staged.read("start"),
		EndDir:   j.staged.read("end"),
		Duration: j.ended.Sub(j.begun),
		Reason:   j.reason,
	}
	r.Output, r.Truncated = j.capture.finish()
	r.OutputBytes = j.capture.total
	if cause != "" {
		r.Status = cause
	}
	if j.phase != ended {
		r.Duration = time.Since(j.begun)
		switch {
		case inst.gone && cause == "":
			r.Reason = ErrReplaced.Error()
		default:
			r.Reason = "the command ignored Ctrl-C and still runs in the terminal; end it there"
		}
		j.phase = ended
	}
	return r
}
