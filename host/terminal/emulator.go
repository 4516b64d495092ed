package terminal

import (
	"io"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// emulator turns the shell's output into a screen. It keeps its own scrollback,
// because x/vt's costs four times the memory per cell and a move of all lines
// for each new one. It is not safe for concurrent use, except for the replies.
type emulator struct {
	vt      *vt.Emulator
	history *history
	modes   map[ansi.Mode]bool
	margins bool // a scroll region may be set
	title   string
	// panics counts how often x/vt failed on some output and was rebuilt.
	panics int

	reply func(p []byte)
	idle  chan struct{} // closed when the replies of the current vt are drained
}

// vtScrollback has to hold the lines of one write, which are then moved to
// history. A write is at most writeChunk bytes, so at most as many lines.
const (
	vtScrollback = 2 * writeChunk
	writeChunk   = 16 << 10
)

// maxRepeat bounds the "repeat the last character" sequence, which would
// otherwise keep the emulator busy for as long as the output likes.
const maxRepeat = 1 << 12

// newEmulator makes a blank screen. reply takes what the terminal answers to
// device queries, from another goroutine; it must not block.
func newEmulator(cols, rows, scrollback int, reply func(p []byte)) *emulator {
	e := &emulator{history: newHistory(scrollback), reply: reply}
	e.start(cols, rows)
	return e
}

// start makes a fresh x/vt. Its Write blocks on a device query until the reply
// is read, so a goroutine reads always; it ends with stop.
func (e *emulator) start(cols, rows int) {
	term := vt.NewEmulator(cols, rows)
	term.SetScrollbackSize(vtScrollback)
	e.margins = false
	e.vt, e.modes, e.idle = term, map[ansi.Mode]bool{}, make(chan struct{})
	term.SetCallbacks(vt.Callbacks{
		Title:       func(title string) { e.title = title },
		EnableMode:  func(mode ansi.Mode) { e.modes[mode] = true },
		DisableMode: func(mode ansi.Mode) { delete(e.modes, mode) },
	})
	term.RegisterCsiHandler('J', func(params ansi.Params) bool {
		if n, _, _ := params.Param(0, 0); n == 3 {
			e.history.clear()
		}
		return false // and then as x/vt does
	})
	term.RegisterCsiHandler('r', func(ansi.Params) bool {
		e.margins = true
		return false
	})
	term.RegisterCsiHandler('b', func(params ansi.Params) bool {
		n, _, _ := params.Param(0, 1)
		return n > maxRepeat
	})
	go func(idle chan<- struct{}, reply func([]byte)) {
		defer close(idle)
		buf := make([]byte, 1024)
		for {
			n, err := term.Read(buf)
			if n > 0 {
				reply(append([]byte(nil), buf[:n]...))
			}
			if err != nil {
				return
			}
		}
	}(e.idle, e.reply)
}

// stop ends the goroutine that drains the replies, and waits for it. It closes
// the pipe, not the emulator, whose Close races with its Read.
func (e *emulator) stop() {
	if pipe, ok := e.vt.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	<-e.idle
}

// write feeds output. Output that x/vt cannot take loses the screen, not the
// program.
func (e *emulator) write(p []byte) {
	if !e.flood(p) {
		e.draw(p)
	}
}

// draw feeds x/vt.
func (e *emulator) draw(p []byte) {
	for len(p) > 0 {
		n := min(len(p), writeChunk)
		e.guard(func() { _, _ = e.vt.Write(p[:n]) })
		e.guard(e.harvest)
		p = p[n:]
	}
}

// tidy takes back what a command has left on, for the prompt that follows. The
// cursor stays, other than that the main screen has one of its own.
func (e *emulator) tidy() {
	e.draw([]byte("\x1b[m\x1b(B\x0f\x1b[4l\x1b[?25h\x1b[?7h\x1b[?1;66;9;1000;1002;1003;1004;1006;2004l"))
	if e.vt.IsAltScreen() {
		e.draw([]byte("\x1b[?1049l\x1b[?1047l\x1b[m"))
	}
	if e.margins || e.modes[ansi.ModeOrigin] {
		at := e.vt.CursorPosition() // both sequences move it
		e.draw([]byte("\x1b[?6l\x1b[r" + ansi.CursorPosition(at.X+1, at.Y+1)))
		e.margins = false
	}
}

// harvest moves the lines that scrolled off to the history.
func (e *emulator) harvest() {
	off := e.vt.Scrollback()
	for _, line := range off.Lines() {
		e.history.push(line)
	}
	if off.Len() > 0 {
		e.vt.ClearScrollback()
	}
}

// resize keeps the cursor's line: what no longer fits goes up into the
// scrollback, as in any terminal. x/vt alone would cut the bottom off.
func (e *emulator) resize(cols, rows int) {
	e.guard(func() {
		if over := e.vt.CursorPosition().Y - rows + 1; over > 0 && !e.vt.IsAltScreen() {
			_, _ = e.vt.WriteString("\x1b[r" + ansi.CursorPosition(1, e.vt.Height()))
			for range over {
				_, _ = e.vt.WriteString("\n")
			}
			_, _ = e.vt.WriteString(ansi.CursorPosition(1, rows))
		}
		e.vt.Resize(cols, rows)
	})
	e.guard(e.harvest)
}

// guard runs f and rebuilds the emulator when it panics.
func (e *emulator) guard(f func()) {
	defer func() {
		if recover() == nil {
			return
		}
		e.panics++
		cols, rows := max(e.vt.Width(), 1), max(e.vt.Height(), 1)
		e.stop()
		e.start(cols, rows)
	}()
	f()
}

// screen is the view that shows offset lines of the scrollback above what is
// left of the screen. offset is clamped to what there is.
func (e *emulator) screen(offset int) Screen {
	cols, rows := e.vt.Width(), e.vt.Height()
	alt := e.vt.IsAltScreen()
	above := e.history.len()
	offset = min(max(offset, 0), above)
	cursor := e.vt.CursorPosition()
	s := Screen{
		Cols: cols, Rows: rows,
		Cells:   make([][]Cell, rows),
		CursorX: cursor.X, CursorY: cursor.Y,
		CursorVisible: !e.vt.CursorHidden() && offset == 0,
		AltScreen:     alt,
		Title:         e.title,
		Scrollback:    above, Offset: offset,
	}
	cells := make([]Cell, cols*rows)
	for y := range s.Cells {
		row := cells[y*cols : (y+1)*cols : (y+1)*cols]
		s.Cells[y] = row
		if y < offset {
			e.history.copyLine(row, above-offset+y)
			continue
		}
		for x := range row {
			row[x] = cellOf(e.vt.CellAt(x, y-offset))
		}
	}
	return s
}

func (e *emulator) modeSet() Modes {
	m := Modes{
		ApplicationCursor: e.modes[ansi.ModeCursorKeys],
		ApplicationKeypad: e.modes[ansi.ModeNumericKeypad],
		BracketedPaste:    e.modes[ansi.ModeBracketedPaste],
		FocusEvents:       e.modes[ansi.ModeFocusEvent],
		MouseSGR:          e.modes[ansi.ModeMouseExtSgr],
	}
	switch {
	case e.modes[ansi.ModeMouseAnyEvent]:
		m.Mouse = MouseMotion
	case e.modes[ansi.ModeMouseButtonEvent]:
		m.Mouse = MouseDrag
	case e.modes[ansi.ModeMouseNormal]:
		m.Mouse = MouseClick
	case e.modes[ansi.ModeMouseX10]:
		m.Mouse = MousePress
	}
	return m
}
