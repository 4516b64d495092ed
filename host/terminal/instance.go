package terminal

import (
	"fmt"
	"sync"
	"time"
)

// instance is one life of the shell: its process, its input, and what its marks
// have told. Restart makes another. The fields below mu of Terminal are guarded
// by that mutex.
type instance struct {
	kind shellKind
	proc *process
	in   *input
	aid  string

	folder *folder
	dir    string // of folder: startup files and staged commands

	done chan struct{} // closed when nothing of it is left

	// Guarded by Terminal.mu.
	state  State
	keying keying
	// beginsUnannounced is set when the shell has no mark for a command's begin.
	beginsUnannounced bool

	prompts      int  // prompts begun so far
	continuation bool // at a continuation prompt
	entered      bool // a newline was typed at this prompt, so it may hold half a command
	kept         bool // the shell keeps half-typed text, to be put back at the next prompt
	due          bool // and this is that prompt
	gone         bool // replaced by exec
	promptAt     *promptPosition
	watch        watch
}

// keying is what the shell does with the host's key. What is not listed here, as
// zsh's "accept", replaces the line and runs it.
type keying string

const (
	// keyReplaces: it replaces the line, and the host presses Enter (bash 4).
	keyReplaces keying = "key"
	// keyKills: it empties the line, and the host types (bash 3).
	keyKills keying = "type"
)

// Keys that the integration binds. They are no sequence that a keyboard sends.
const (
	handoffKey = "\x18\x1d" // Ctrl-X Ctrl-]
	retypeKey  = "\x18\x1e" // Ctrl-X Ctrl-^
	lookKey    = "\x18\x1f" // Ctrl-X Ctrl-_
	interrupt  = "\x03"
)

// startInstance starts a shell and the goroutines that serve it.
func (t *Terminal) startInstance(cols, rows int) (*instance, error) {
	sh, err := findShell(t.config.Shell, t.config.Env)
	if err != nil {
		return nil, err
	}
	owned, err := makeFolder()
	if err != nil {
		return nil, fmt.Errorf("make the shell's private directory: %w", err)
	}
	dir := owned.path
	inst := &instance{kind: sh.kind, folder: owned, dir: dir, aid: randomID(), state: Starting, done: make(chan struct{})}
	inst.watch.marked()
	cmd, err := sh.command(dir, inst.aid, t.config.Env)
	if err == nil {
		cmd.Dir = t.config.Dir
		inst.proc, err = startProcess(cmd, cols, rows)
	}
	if err != nil {
		owned.remove()
		return nil, err
	}
	inst.in = startInput(inst.proc.master)
	t.replies.Store(inst.in)
	go t.serve(inst)
	return inst, nil
}

// hangUp ends the shell, unless it has ended and its process id may be
// another's by now.
func (inst *instance) hangUp(grace time.Duration) {
	select {
	case <-inst.done:
	default:
		inst.proc.hangUp(grace)
	}
}

// drainTime bounds how long output is read after the shell has ended. The
// kernel hangs up the terminal then, so this is for kernels that do not.
const drainTime = 2 * time.Second

// serve reads the shell's output until it ends, and cleans up.
func (t *Terminal) serve(inst *instance) {
	defer close(inst.done)
	read := make(chan struct{})
	go func() {
		defer close(read)
		t.read(inst)
	}()
	var watching sync.WaitGroup
	watching.Go(func() { t.watch(inst, read) })
	select {
	case <-inst.proc.exited:
		select {
		case <-read:
		case <-time.After(drainTime):
		}
	case <-read:
		// The terminal is hung up and the shell may not have noticed.
		inst.proc.hangUp(t.config.Grace)
	}
	_ = inst.proc.master.Close()
	<-read
	watching.Wait()
	inst.in.close()
	// Jobs that the shell left behind go with it: their terminal is gone.
	inst.proc.hangUp(t.config.Grace)
	t.exited(inst)
	inst.folder.remove()
}

// read passes the output on until the terminal is hung up.
func (t *Terminal) read(inst *instance) {
	pending := newBacklog()
	go pending.fill(inst.proc.master)
	var marks scanner
	text := func(p []byte) { t.output(inst, p) }
	marked := func(m mark) { t.marked(inst, m) }
	for {
		p, err := pending.take()
		marks.feed(p, text, marked)
		if err != nil {
			marks.flush(text)
			if !isClosed(err) {
				t.config.Logger.Warn("read from shell", "error", err)
			}
			return
		}
	}
}
