package tui

import (
	"fmt"
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/toolcrib/toolcrib/host/terminal"
)

// shell is what the pane needs of a *terminal.Terminal. None of it waits for the
// program in the shell.
type shell interface {
	// SnapshotAt is the picture with offset lines of the scrollback above it.
	SnapshotAt(offset int) terminal.Screen
	Modes() terminal.Modes
	State() terminal.State
	Write(keys []byte) (int, error)
	Paste(text string) error
	Resize(cols, rows int) error
}

var _ shell = (*terminal.Terminal)(nil)

// pane draws the person's shell and sends it keys, pastes and the mouse.
type pane struct {
	*tview.Box
	theme theme
	shell shell
	// failed is told what could not be done; restart starts another shell.
	failed  func(error)
	restart func()

	offset     int // lines scrolled back
	cols, rows int // last told to the shell
	// from is where the picture stands on the screen, for the mouse.
	from   rect
	screen terminal.Screen
}

func newPane(t theme, s shell) *pane {
	return &pane{Box: tview.NewBox().SetBackgroundColor(tcell.ColorDefault), theme: t, shell: s}
}

func (p *pane) exited() bool { return p.shell.State() == terminal.Exited }

func (p *pane) Draw(screen tcell.Screen) {
	p.DrawForSubclass(screen, p)
	x, y, width, height := p.GetInnerRect()
	p.from = rect{x, y, width, height}
	p.resize(width, height)
	p.screen = p.shell.SnapshotAt(p.offset)
	p.offset = p.screen.Offset
	for row := range min(p.screen.Rows, height) {
		p.drawRow(screen, x, y+row, p.screen.Cells[row][:min(p.screen.Cols, width)])
	}
	if p.exited() {
		text := textLine(p.theme.alert, " shell exited: press Enter to restart ")
		text.draw(screen, x, y+max(height-1, 0), width)
		return
	}
	if p.HasFocus() && p.screen.CursorVisible && p.screen.CursorX < width && p.screen.CursorY < height {
		screen.ShowCursor(x+p.screen.CursorX, y+p.screen.CursorY)
	}
}

// resize makes the PTY as large as the pane.
func (p *pane) resize(cols, rows int) {
	if cols < 1 || rows < 1 || cols == p.cols && rows == p.rows {
		return
	}
	p.cols, p.rows = cols, rows
	if err := p.shell.Resize(cols, rows); err != nil && !p.exited() {
		p.failed(fmt.Errorf("resize the shell: %w", err))
	}
}

func (p *pane) drawRow(screen tcell.Screen, x, y int, cells []terminal.Cell) {
	for i, cell := range cells {
		if cell.Width == 0 {
			continue
		}
		screen.Put(x+i, y, cellText(cell, i+int(cell.Width) <= len(cells)), p.style(cell))
	}
}

// cellText is what a cell shows. Format characters, such as those that turn the
// writing direction, are left out: the real terminal would apply them to what
// stands beside the pane.
func cellText(cell terminal.Cell, fits bool) string {
	if cell.Text == "" || !fits || cell.Attrs&terminal.Conceal != 0 {
		return " "
	}
	text := strings.Map(func(r rune) rune {
		const joiner = '\u200d' // joins emoji
		if r != joiner && isFormat(r) {
			return -1
		}
		return r
	}, cell.Text)
	if text == "" {
		return " "
	}
	return text
}

func (p *pane) style(cell terminal.Cell) tcell.Style {
	style := tcell.StyleDefault
	if !p.theme.noColor {
		style = style.Foreground(color(cell.Fg)).Background(color(cell.Bg))
	}
	a := cell.Attrs
	return style.Bold(a&terminal.Bold != 0).Dim(a&terminal.Faint != 0).Italic(a&terminal.Italic != 0).
		Blink(a&terminal.Blink != 0).Reverse(a&terminal.Reverse != 0).
		StrikeThrough(a&terminal.Strikethrough != 0).Underline(a&terminal.Underline != 0)
}

func color(c terminal.Color) tcell.Color {
	if i, ok := c.Index(); ok {
		return tcell.PaletteColor(int(i))
	}
	if r, g, b, ok := c.RGB(); ok {
		return tcell.NewRGBColor(int32(r), int32(g), int32(b))
	}
	return tcell.ColorDefault
}

// title is the note in the pane's title line.
func (p *pane) title() string {
	switch {
	case p.offset > 0:
		return fmt.Sprintf("%d lines back, a key returns", p.offset)
	case p.HasFocus():
		return "F6 or Ctrl-] leaves"
	}
	return ""
}

// write sends bytes to the shell. What a person sends brings the end in view.
func (p *pane) write(bytes []byte) {
	if len(bytes) == 0 {
		return
	}
	p.offset = 0
	if _, err := p.shell.Write(bytes); err != nil {
		p.failed(fmt.Errorf("type into the shell: %w", err))
	}
}

func (p *pane) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return p.WrapInputHandler(func(event *tcell.EventKey, _ func(tview.Primitive)) {
		if p.scrollKey(event) {
			return
		}
		if p.exited() {
			if event.Key() == tcell.KeyEnter {
				p.restart()
			}
			return
		}
		p.write(encodeKey(event, p.shell.Modes().ApplicationCursor))
	})
}

// scrollKey takes Shift with PgUp and PgDn, as terminals do. A full-screen
// program has no scrollback and gets them itself.
func (p *pane) scrollKey(event *tcell.EventKey) bool {
	if event.Modifiers()&tcell.ModShift == 0 || p.screen.AltScreen {
		return false
	}
	page := max(p.rows-1, 1)
	switch event.Key() {
	case tcell.KeyPgUp:
		p.offset += page
	case tcell.KeyPgDn:
		p.offset = max(p.offset-page, 0)
	default:
		return false
	}
	return true
}

// PasteHandler sends a paste.
func (p *pane) PasteHandler() func(string, func(tview.Primitive)) {
	return p.WrapPasteHandler(func(text string, _ func(tview.Primitive)) {
		p.offset = 0
		if err := p.shell.Paste(text); err != nil {
			p.failed(fmt.Errorf("paste into the shell: %w", err))
		}
	})
}
