package terminal

import (
	"slices"
	"strings"
	"time"
)

// pollInterval is how often the host looks for what the shell does not announce.
const pollInterval = 500 * time.Millisecond

const (
	// firstLook is after how many quiet polls the host asks the shell where it
	// is. Each further time it waits twice as long, up to maxLook.
	firstLook = 2
	maxLook   = 64
)

// watch finds a prompt that nothing announces, because something has replaced
// PS1 and PROMPT_COMMAND (PROMPT and precmd_functions), as the second reading of
// a startup file does. The host's keys are bound then still. When the shell is
// quiet and edits a line, the host presses one that has the shell say whether
// that line is at a prompt, and put its marks back.
//
// Its fields are guarded by Terminal.mu.
type watch struct {
	busy  bool // something was printed or typed since the last poll
	quiet int  // polls since then

	patience   int             // how many quiet polls to wait for
	unanswered int             // looks since the shell last said anything
	asked      *promptPosition // where the cursor was at the last look

	found bool // the prompt was found by a look
	deaf  bool // the shell edits a line and does not answer
	// blind is set when Enter was pressed in a line editor that had not shown a
	// marked prompt. The next line may be the rest of a command.
	blind bool

	// companions were in the shell's group at a prompt, so they do not read keys.
	companions []int
}

// marked notes that the shell has reported something: what was found out
// without it is out of date.
func (w *watch) marked() {
	*w = watch{busy: true, patience: firstLook, companions: w.companions}
}

// typing notes keys of the person's. The caller holds mu.
func (inst *instance) typing(p []byte) {
	inst.watch.busy = true
	if !strings.ContainsAny(string(p), "\r\n") {
		return
	}
	switch {
	case inst.state == AtPrompt:
		inst.entered = true
	case inst.proc.editing():
		inst.watch.blind = true
	}
}

// watch looks every pollInterval until stop is closed.
func (t *Terminal) watch(inst *instance, stop <-chan struct{}) {
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		select {
		case <-poll.C:
			t.look(inst)
		case <-stop:
			return
		}
	}
}

// look finds out what nothing announces.
func (t *Terminal) look(inst *instance) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := &inst.watch
	switch {
	case inst.state == Exited || inst.gone || w.deaf:
		return
	case inst.state == AtPrompt && !inst.mayRunUnannounced():
		if w.quiet == 0 {
			w.companions = inst.proc.companions()
		}
		w.quiet, w.busy = w.quiet+1, false
		return
	case inst.proc.alive() && inst.proc.replaced():
		inst.gone = true
		t.changed()
		return
	case w.busy:
		w.quiet, w.busy = 0, false
		return
	}
	if w.quiet++; w.quiet < w.patience || !inst.editsLine() {
		return
	}
	w.quiet, w.patience = 0, min(2*w.patience, maxLook)
	if w.unanswered == keyTries {
		w.deaf = true
		t.foundPrompt(inst)
		return
	}
	w.unanswered++
	w.asked = t.promptPosition()
	inst.in.sent([]byte(lookKey))
}

// mayRunUnannounced reports whether a command may have begun at a marked prompt
// without a mark of its own: bash before 4.4 has no PS0.
func (inst *instance) mayRunUnannounced() bool {
	return inst.beginsUnannounced && inst.entered && !inst.continuation && !inst.watch.found
}

// editsLine reports whether the keys go to the shell's line editor, and not to
// a program that the shell runs in its own group, as $(fzf) does.
func (inst *instance) editsLine() bool {
	return inst.proc.editing() && !slices.ContainsFunc(inst.proc.companions(), func(pid int) bool {
		return !slices.Contains(inst.watch.companions, pid)
	})
}

// lookAnswered takes the shell's answer to a look: whether the line is at a
// prompt, and how long it is.
func (t *Terminal) lookAnswered(inst *instance, place, length string) {
	w := &inst.watch
	if w.unanswered == 0 {
		return // a mark was faster
	}
	w.unanswered, w.deaf = 0, false
	if place != "prompt" {
		return
	}
	if inst.kind == zsh {
		w.blind = false // zsh tells the first line of a command from the others
	}
	w.found = true
	t.foundPrompt(inst)
	if length == "0" {
		inst.promptAt = w.asked
	}
	if inst.kept {
		inst.putBack()
	}
}

// foundPrompt is what the marks of a prompt would have done. Enter was pressed
// at a marked prompt, so one for the rest of a command would be marked too.
func (t *Terminal) foundPrompt(inst *instance) {
	t.promptWithoutEnd()
	inst.prompts++
	inst.entered, inst.continuation = false, false
	inst.state = AtPrompt
	inst.promptAt = nil
	t.changed()
}
