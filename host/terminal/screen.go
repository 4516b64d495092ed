package terminal

import "strings"

// Screen is an immutable picture of the terminal, for drawing.
type Screen struct {
	Cols, Rows int
	// Cells has Rows rows of Cols cells.
	Cells [][]Cell

	// CursorX and CursorY count from the top left corner, from 0. The cursor
	// is hidden in a scrolled-back view.
	CursorX, CursorY int
	CursorVisible    bool

	// AltScreen is set while a full-screen program draws.
	AltScreen bool
	Title     string
	// Scrollback counts the lines above the screen. Offset is how many of them
	// this view shows.
	Scrollback, Offset int
}

// String is the text of the screen, with trailing blanks removed.
func (s Screen) String() string {
	var b strings.Builder
	for _, row := range s.Cells {
		var line strings.Builder
		for _, cell := range row {
			switch {
			case cell.Width == 0 && cell.Text == "":
			case cell.Text == "":
				line.WriteByte(' ')
			default:
				line.WriteString(cell.Text)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " "))
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n")
}

// Modes are what the running program asked for; a front encodes keys by them.
type Modes struct {
	ApplicationCursor bool // arrows are ESC O x, not ESC [ x
	ApplicationKeypad bool
	BracketedPaste    bool
	FocusEvents       bool

	Mouse    MouseTracking
	MouseSGR bool // mouse reports in SGR coordinates
}

// MouseTracking is which mouse events the program wants.
type MouseTracking int

const (
	MouseOff    MouseTracking = iota
	MousePress                // X10: presses only
	MouseClick                // presses and releases
	MouseDrag                 // and motion with a button held
	MouseMotion               // and all motion
)
