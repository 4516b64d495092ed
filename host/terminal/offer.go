package terminal

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// keyWait bounds the wait for the shell to take the host's key at a prompt.
	keyWait = 10 * time.Second
	// keyTries is how often the key may be ignored.
	keyTries = 3
)

var (
	errBusy    = errors.New("the shell began something else")
	errIgnored = errors.New("the shell did not take the host's key")
)

// ready reports whether the shell has an empty prompt or one with a single
// half-typed line. The caller holds mu.
func (inst *instance) ready() bool {
	return inst.waitsFor() == ""
}

// waitsFor says why the shell cannot be given a command; empty when it can. The
// caller holds mu.
func (inst *instance) waitsFor() string {
	switch {
	case inst.state == Exited || inst.gone:
		return "the shell has ended"
	case inst.watch.deaf:
		return "the shell does not answer the host's key"
	case inst.state == Starting || inst.keying == "":
		return "the shell's startup files run"
	case inst.state == Running:
		return "a program runs in the shell"
	case inst.watch.blind:
		return "the shell's prompt was replaced and may hold half a command: press Enter or Ctrl-C in the shell"
	case inst.continuation || inst.entered:
		return "a command is being typed in the shell"
	}
	return ""
}

// offer stages the command and has the shell run it. A person's keys wait
// meanwhile, so that none gets into the staged line. Whatever the line editor
// is in the middle of, Enter is pressed only after the shell has answered that
// the line is ours. errBusy and errIgnored mean that nothing was run and that
// another prompt may do better. The job is returned with an error too.
func (t *Terminal) offer(ctx context.Context, inst *instance, h Handoff) (*job, error) {
	s, err := stage(inst.dir, inst.kind, h)
	if err != nil {
		return nil, err
	}
	j := &job{staged: s, capture: newCapture(h.MaxOutput), command: h.Command}
	inst.in.hold()
	defer inst.in.release()

	t.mu.Lock()
	t.job = j
	seen, keys := inst.prompts, handoffKey
	if !inst.ready() {
		t.mu.Unlock()
		return j, errBusy
	}
	if inst.keying == keyKills {
		keys += s.line(inst.kind) + "\r"
	}
	inst.in.sent([]byte(keys))
	t.mu.Unlock()

	if inst.keying != keyKills {
		if err := t.awaitKey(inst, j); err != nil {
			return j, err
		}
	}
	if inst.keying == keyReplaces {
		if err := t.pressEnter(ctx, inst); err != nil {
			return j, err
		}
	}
	return j, t.awaitStart(ctx, inst, j, seen, h.Dir)
}

// awaitKey waits for the shell's answer to the host's key.
func (t *Terminal) awaitKey(inst *instance, j *job) error {
	// Not under the caller's context: the answer takes a moment, and without
	// it nobody knows what the line editor holds.
	var answered bool
	inTime := t.within(keyWait, func() bool {
		answered = j.phase > typing
		return answered || !inst.ready()
	})
	switch {
	case !inTime:
		return errIgnored
	case !answered:
		return errBusy
	}
	return nil
}

// pressEnter runs the line that the shell has put into its editor, or has it
// taken out again.
func (t *Terminal) pressEnter(ctx context.Context, inst *instance) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := ctx.Err(); err != nil {
		inst.putBack()
		return fmt.Errorf("cancelled before it began: %w", err)
	}
	if !inst.ready() {
		inst.putBack()
		return errBusy
	}
	inst.in.sent([]byte("\r"))
	return nil
}

// putBack has the shell replace the staged line by what was typed before.
func (inst *instance) putBack() {
	inst.kept = false
	inst.in.sent([]byte(retypeKey))
}

// awaitStart waits until the command runs, or a prompt says that it will not.
func (t *Terminal) awaitStart(ctx context.Context, inst *instance, j *job, seen int, dir string) error {
	settled := func() bool {
		return j.phase >= refused || inst.prompts != seen || inst.state == Exited || inst.gone
	}
	if err := t.wait(ctx, settled); err != nil {
		// Take it back, and see whether the shell was faster.
		j.staged.remove()
		t.within(keyWait, settled)
		if !t.begun(j) {
			return fmt.Errorf("cancelled before it began: %w", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case j.phase >= started:
		return nil
	case j.phase == refused:
		return fmt.Errorf("the shell cannot enter the directory %q: give one that exists", dir)
	case inst.watch.found:
		// The line ran, and neither it nor the prompt after it reported.
		return errIgnored
	}
	return errBusy
}

func (t *Terminal) begun(j *job) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return j.phase >= started
}
