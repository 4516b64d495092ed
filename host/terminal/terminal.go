package terminal

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

// State is what the shell does.
type State string

const (
	Starting State = "starting" // its startup files run
	AtPrompt State = "prompt"
	Running  State = "running" // a command or a program runs
	Exited   State = "exited"
)

// Terminal is a shell on a terminal, and the screen it draws. Its methods may
// be called from several goroutines.
type Terminal struct {
	config Config
	turn   chan struct{} // holds one token: the right to hand off a command

	lifecycle sync.Mutex // serialises Restart and Close

	mu      sync.Mutex
	inst    *instance
	job     *job   // the handoff in progress
	handoff string // the ID of the one whose turn it is
	waiting int
	closed  bool
	news    chan struct{} // closed at the next change of what mu guards

	replies atomic.Pointer[input] // of inst

	screenMu sync.Mutex
	emu      *emulator
	drawn    chan struct{} // closed at the next change of the screen or state
}

// Open starts the shell. It returns when the process runs; the first prompt
// comes later. ctx bounds the start only. Close must be called.
func Open(ctx context.Context, config Config) (*Terminal, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	config, err := config.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	sweepFolders(config.Logger)
	t := &Terminal{
		config: config,
		turn:   make(chan struct{}, 1),
		news:   make(chan struct{}),
		drawn:  make(chan struct{}),
	}
	t.emu = newEmulator(config.Cols, config.Rows, config.Scrollback, t.reply)
	// The first output may come before startInstance has returned.
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inst, err = t.startInstance(config.Cols, config.Rows); err != nil {
		t.emu.stop()
		return nil, fmt.Errorf("open terminal: %w", err)
	}
	return t, nil
}

// Restart starts a new shell in place of the one that has exited, or that it
// hangs up first. Commands in progress end. The screen stays.
func (t *Terminal) Restart(ctx context.Context) error {
	t.lifecycle.Lock()
	defer t.lifecycle.Unlock()
	t.mu.Lock()
	inst, closed := t.inst, t.closed
	t.mu.Unlock()
	if closed {
		return ErrClosed
	}
	inst.hangUp(t.config.Grace)
	select {
	case <-inst.done:
	case <-ctx.Done():
		return fmt.Errorf("restart shell: %w", ctx.Err())
	}
	t.screenMu.Lock()
	cols, rows := t.emu.vt.Width(), t.emu.vt.Height()
	t.emu.write([]byte(softReset))
	t.screenMu.Unlock()

	t.mu.Lock()
	defer t.mu.Unlock()
	fresh, err := t.startInstance(cols, rows)
	if err != nil {
		return fmt.Errorf("restart shell: %w", err)
	}
	t.inst = fresh
	t.changed()
	return nil
}

// softReset leaves the modes that a program may have left on, and keeps the
// text: the main screen, visible cursor, no mouse, no margins, plain style.
const softReset = "\x1b[?1049l\x1b[?25h\x1b[?1l\x1b[?66l\x1b[?9;1000;1002;1003;1004;1006;2004l\x1b[r\x1b[999H\x1b[m\r\n"

// Close hangs up the shell and everything in its session, and waits until all
// is gone. What ignores the hangup is killed after Config.Grace. Commands in
// progress return.
func (t *Terminal) Close() error {
	t.lifecycle.Lock()
	defer t.lifecycle.Unlock()
	t.mu.Lock()
	inst, closed := t.inst, t.closed
	t.closed = true
	t.changed()
	t.mu.Unlock()
	if closed {
		return nil
	}
	inst.hangUp(t.config.Grace)
	<-inst.done
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	t.emu.stop()
	return nil
}

// StatusReport is a picture of what the terminal does.
type StatusReport struct {
	State State
	// Replaced is set when the shell has become another program with exec.
	Replaced bool
	// Handoff is the ID of the command that runs or waits for a prompt; empty
	// when there is none. Started tells the two apart.
	Handoff string
	Started bool
	// WaitsFor says why that command has not started; empty when it has, or is
	// about to.
	WaitsFor string
	// Waiting counts the handoffs behind it.
	Waiting int
	// ScreenFaults counts how often the screen had to be rebuilt because of
	// output that the emulator could not take.
	ScreenFaults int
}

// State is what the shell does.
func (t *Terminal) State() State { return t.Status().State }

// Status is a picture of what the terminal does.
func (t *Terminal) Status() StatusReport {
	t.screenMu.Lock()
	faults := t.emu.panics
	t.screenMu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	s := StatusReport{State: t.inst.state, Replaced: t.inst.gone, Waiting: t.waiting, ScreenFaults: faults}
	s.Handoff = t.handoff
	s.Started = t.job != nil && t.job.phase >= started
	if s.Handoff != "" && !s.Started {
		s.WaitsFor = t.inst.waitsFor()
	}
	return s
}

// Snapshot is the screen as it is now.
func (t *Terminal) Snapshot() Screen { return t.SnapshotAt(0) }

// SnapshotAt is the view scrolled back by offset lines, or as far as there are
// lines.
func (t *Terminal) SnapshotAt(offset int) Screen {
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	return t.emu.screen(offset)
}

// Modes are what the running program asked of the keyboard and the mouse.
func (t *Terminal) Modes() Modes {
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	return t.emu.modeSet()
}

// Changed returns a channel that is closed at the next change of the screen or
// of the state. Take it before the snapshot, so that no change is missed.
func (t *Terminal) Changed() <-chan struct{} {
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	return t.drawn
}

// Write sends a person's keys to the shell, encoded as a terminal does; see
// Modes. It does not block: when the program has not read its input for long
// it fails and sends nothing.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return 0, ErrClosed
	}
	t.inst.typing(p)
	if !t.inst.in.typed(p) {
		if t.inst.state == Exited || !t.inst.proc.alive() {
			return 0, ErrExited
		}
		return 0, errors.New("the program in the terminal does not read its input; interrupt it with Ctrl-C")
	}
	return len(p), nil
}

// Paste sends text as a paste, in brackets when the program asked for them.
// The end of a bracketed paste inside the text is removed, so that the text
// cannot leave its brackets.
func (t *Terminal) Paste(text string) error {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\r"), "\n", "\r")
	if t.Modes().BracketedPaste {
		for strings.Contains(text, pasteEnd) {
			text = strings.ReplaceAll(text, pasteEnd, "")
		}
		text = pasteStart + text + pasteEnd
	}
	_, err := t.Write([]byte(text))
	return err
}

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// Resize changes the size of the screen and tells the running program.
func (t *Terminal) Resize(cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return ErrClosed
	}
	t.screenMu.Lock()
	t.emu.resize(cols, rows)
	t.redraw()
	t.screenMu.Unlock()
	t.inst.promptAt = nil
	if t.inst.state == Exited {
		return nil // the next shell takes the size from the screen
	}
	return t.inst.proc.resize(cols, rows)
}

// changed announces a change of what mu guards, which the caller holds.
func (t *Terminal) changed() {
	close(t.news)
	t.news = make(chan struct{})
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	t.redraw()
}

// redraw announces a change of the screen. The caller holds screenMu.
func (t *Terminal) redraw() {
	close(t.drawn)
	t.drawn = make(chan struct{})
}

// reply answers a device query on behalf of the emulator. It takes no lock that
// the emulator's writer may hold: see emulator.start.
func (t *Terminal) reply(p []byte) {
	if in := t.replies.Load(); in != nil {
		in.reply(p)
	}
}
