package terminal

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// killTries is how many foreground programs are killed one after the other, as
// a loop starts them, before the command is left to the person.
const killTries = 5

// supervise waits for the end of a started job. When ctx or the timeout ends
// first it stops the command, and returns which of the two it was.
func (t *Terminal) supervise(ctx context.Context, inst *instance, j *job, timeout time.Duration) (cause Status) {
	over := func() bool { return j.phase == ended || inst.gone }
	limited, cancel := ctx, func() {}
	if timeout > 0 {
		limited, cancel = context.WithTimeout(ctx, timeout)
	}
	defer cancel()
	err := t.wait(limited, over)
	if err == nil {
		return ""
	}
	t.stop(inst, over)
	if errors.Is(err, context.DeadlineExceeded) {
		return TimedOut
	}
	return Interrupted
}

// stop ends the command in the foreground: by Ctrl-C, as a person would, twice
// because shells miss one that comes while they start a program, and then by
// force.
func (t *Terminal) stop(inst *instance, over func() bool) {
	for range 2 {
		inst.in.sent([]byte(interrupt))
		if t.within(t.config.Grace/2, over) {
			return
		}
	}
	for range killTries {
		if !inst.killForeground() {
			return
		}
		// A killed program cannot put the screen back.
		t.screenMu.Lock()
		t.emu.write([]byte(softReset))
		t.redraw()
		t.screenMu.Unlock()
		if t.within(t.config.Grace, over) {
			return
		}
	}
}

// within reports whether until was met in time.
func (t *Terminal) within(bound time.Duration, until func() bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), bound)
	defer cancel()
	return t.wait(ctx, until) == nil
}

// killForeground kills what runs in the foreground, unless that is the shell:
// it is the person's. It reports whether there was something to kill.
func (inst *instance) killForeground() bool {
	group := inst.proc.foreground()
	if group <= 1 || group == inst.proc.pid {
		return false
	}
	return unix.Kill(-group, unix.SIGKILL) == nil
}
