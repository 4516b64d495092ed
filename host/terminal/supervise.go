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

// stop ends the command in the foreground: Ctrl-C, as a person would, and then
// by force.
func (t *Terminal) stop(inst *instance, over func() bool) {
	inst.in.sent([]byte(interrupt))
	for range killTries {
		bound, cancel := context.WithTimeout(context.Background(), t.config.Grace)
		err := t.wait(bound, over)
		cancel()
		if err == nil || !inst.killForeground() {
			return
		}
		// A killed program cannot put the screen back.
		t.screenMu.Lock()
		t.emu.write([]byte(softReset))
		t.redraw()
		t.screenMu.Unlock()
	}
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
