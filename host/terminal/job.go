package terminal

import (
	"strconv"
	"time"
)

// job is a handoff in progress. Its fields are guarded by Terminal.mu.
type job struct {
	staged  *staged
	command string

	phase   phase
	capture *capture
	begun   time.Time
	ended   time.Time
	code    *int
	signal  string
	reason  string
}

// phase is how far a job is.
type phase int

const (
	typing  phase = iota // the host's key was sent
	keyed                // the shell has taken the key
	refused              // the shell could not enter the directory
	started              // the command runs
	ended                // its end mark came, or will not come any more
)

// output takes what the shell printed, apart from marks.
func (t *Terminal) output(inst *instance, p []byte) {
	t.mu.Lock()
	inst.watch.busy = true
	if t.job != nil && t.job.phase == started {
		t.job.capture.write(p)
	}
	t.mu.Unlock()
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	t.emu.write(p)
	t.redraw()
}

// marked takes a mark that the shell, or something that imitates it, printed.
func (t *Terminal) marked(inst *instance, m mark) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !m.private && m.aid() == inst.aid:
		t.promptMark(inst, m.field(0))
	case m.private && m.field(0) == inst.aid:
		t.shellMark(inst, m)
	case m.private && t.job != nil && m.field(0) == t.job.staged.token:
		t.jobMark(inst, m)
	default:
		return
	}
	t.changed()
}

func (t *Terminal) promptMark(inst *instance, kind string) {
	inst.watch.marked()
	switch kind {
	case "A":
		inst.prompts++
		// Not at a mere redraw of the prompt, which the key causes too.
		inst.due, inst.kept = inst.kept, false
		inst.entered, inst.continuation = false, false
		t.promptWithoutEnd()
		// A nested shell may have inherited the hook.
		if inst.proc.foreground() == inst.proc.pid {
			t.screenMu.Lock()
			t.emu.tidy()
			t.screenMu.Unlock()
		}
	case "B":
		// A nested shell may have inherited the prompt, and a command may print
		// the prompt string.
		if !inst.proc.editing() {
			return
		}
		// The shell may be at its prompt by now and this still be the output of
		// the command, whose end mark is then on its way.
		if t.job != nil && t.job.phase == started {
			return
		}
		if inst.state != AtPrompt {
			inst.entered, inst.continuation = false, false
			inst.state = AtPrompt
		}
		inst.promptAt = t.promptPosition()
		if inst.due {
			inst.due = false
			inst.in.sent([]byte(retypeKey))
		}
	case "C":
		inst.state = Running
	case "P":
		inst.continuation = true
	}
}

// promptWithoutEnd closes a started job whose end mark is missing, as when the
// command removed the integration.
func (t *Terminal) promptWithoutEnd() {
	if t.job != nil && t.job.phase == started {
		t.job.phase, t.job.ended = ended, time.Now()
		t.job.reason = "the shell's prompt came back without a report of how the command ended"
	}
}

func (t *Terminal) shellMark(inst *instance, m mark) {
	switch m.field(1) {
	case "hello":
		inst.keying = keying(m.field(2))
		inst.beginsUnannounced = m.field(3) == "unannounced"
	case "look":
		t.lookAnswered(inst, m.field(2), m.field(3))
	case "key":
		if t.job != nil && t.job.phase == typing {
			t.job.phase = keyed
		}
		inst.kept = m.field(2) != "0"
		if t.job == nil && inst.keying == keyReplaces {
			inst.putBack() // it came too late
		}
	}
}

func (t *Terminal) jobMark(inst *instance, m mark) {
	j := t.job
	switch m.field(1) {
	case "refused":
		if j.phase < started {
			j.phase = refused
		}
	case "start":
		if j.phase < started {
			j.phase, j.begun = started, time.Now()
			inst.state = Running
			inst.watch.marked()
			t.showCommand(inst, j)
		}
	case "end":
		if j.phase != started {
			return
		}
		j.phase, j.ended = ended, time.Now()
		if code, err := strconv.Atoi(m.field(2)); err == nil {
			j.code = &code
			j.signal = signalName(j.code)
		}
	}
}

// exited is the end of an instance.
func (t *Terminal) exited(inst *instance) {
	t.mu.Lock()
	defer t.mu.Unlock()
	inst.state = Exited
	j := t.job
	if j != nil && j.phase < refused && j.staged.read("start") != "" {
		// The start mark was lost with the terminal; the shell had noted it.
		j.phase, j.begun = started, time.Now()
	}
	if j != nil && j.phase == started {
		j.phase, j.ended = ended, time.Now()
		j.reason = "the terminal was closed while the command ran"
		if !t.closed {
			j.code, j.signal = exitOf(inst.proc.state)
			j.reason = "the command ended the shell itself, for instance by exit; restart the shell to run more"
		}
	}
	t.changed()
}
