package tui

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/toolcrib/toolcrib/host/terminal"
)

// pictureOf makes a terminal's screen from rows of text.
func pictureOf(cols int, rows ...string) terminal.Screen {
	s := terminal.Screen{Cols: cols, Rows: len(rows), CursorVisible: true}
	for _, row := range rows {
		cells := make([]terminal.Cell, 0, cols)
		for _, r := range row {
			cell := terminal.Cell{Text: string(r), Width: 1}
			if r > 0x2e80 {
				cell.Width = 2
			}
			cells = append(cells, cell)
			if cell.Width == 2 {
				cells = append(cells, terminal.Cell{})
			}
		}
		for len(cells) < cols {
			cells = append(cells, terminal.Cell{Text: " ", Width: 1})
		}
		s.Cells = append(s.Cells, cells)
	}
	return s
}

// drawPane draws a pane of 20x4 cells on a screen of its own.
func drawPane(t *testing.T, shell *recorder) (*pane, tcell.SimulationScreen) {
	t.Helper()
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(screen.Fini)
	screen.SetSize(20, 4)
	p := newPane(newTheme(false), shell)
	p.failed = func(err error) { t.Error(err) }
	p.SetRect(0, 0, 20, 4)
	p.Focus(nil)
	p.Draw(screen)
	return p, screen
}

func TestPaneDrawsTheShell(t *testing.T) {
	shell := &recorder{screen: pictureOf(20, "$ ls", "漢字 x", "r\u202ed", "")}
	shell.screen.Cells[0][0].Fg, shell.screen.Cells[0][0].Attrs = terminal.Palette(2), terminal.Bold|terminal.Underline
	shell.screen.Cells[0][3].Fg = terminal.RGB(1, 2, 3)
	shell.screen.Cells[0][2].Attrs = terminal.Conceal
	shell.screen.CursorX, shell.screen.CursorY = 4, 0
	_, screen := drawPane(t, shell)
	rows := strings.Split(screenText(screen), "\n")
	if rows[0] != "$  s" || rows[1] != "漢字 x" || strings.Contains(rows[2], "\u202e") {
		t.Errorf("drawn %q", rows)
	}
	_, style, _ := screen.Get(0, 0)
	if fg, _, attrs := style.Decompose(); fg != tcell.PaletteColor(2) || attrs&tcell.AttrBold == 0 {
		t.Errorf("style %v %v", fg, attrs)
	}
	_, style, _ = screen.Get(3, 0)
	if fg, _, _ := style.Decompose(); fg != tcell.NewRGBColor(1, 2, 3) {
		t.Errorf("colour %v", fg)
	}
	screen.Show()
	if x, y, visible := screen.GetCursor(); x != 4 || y != 0 || !visible {
		t.Errorf("cursor at %d,%d, visible %t", x, y, visible)
	}
	if shell.size != [2]int{20, 4} {
		t.Errorf("the PTY was made %v", shell.size)
	}
}

func TestPaneSendsKeys(t *testing.T) {
	key := func(k tcell.Key, mods tcell.ModMask) *tcell.EventKey { return tcell.NewEventKey(k, 0, mods) }
	cases := map[string]struct {
		shell *recorder
		key   *tcell.EventKey
		want  string
	}{
		"arrows as the program asked":           {&recorder{modes: terminal.Modes{ApplicationCursor: true}}, key(tcell.KeyUp, 0), "\x1bOA"},
		"Tab, Esc and Ctrl-C are the shell's":   {&recorder{}, key(tcell.KeyTab, 0), "\t"},
		"Shift-PgUp scrolls":                    {&recorder{screen: terminal.Screen{Scrollback: 50}}, key(tcell.KeyPgUp, tcell.ModShift), ""},
		"a full-screen program gets Shift-PgUp": {&recorder{screen: terminal.Screen{AltScreen: true}}, key(tcell.KeyPgUp, tcell.ModShift), "\x1b[5;2~"},
		"a shell that exited gets nothing":      {&recorder{state: terminal.Exited}, key(tcell.KeyTab, 0), ""},
		"Enter restarts a shell that exited":    {&recorder{state: terminal.Exited}, key(tcell.KeyEnter, 0), "(restart)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p, _ := drawPane(t, c.shell)
			p.restart = func() { _, _ = c.shell.Write([]byte("(restart)")) }
			p.InputHandler()(c.key, nil)
			if got := c.shell.got(); got != c.want {
				t.Errorf("the shell got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPaneScrollsBack(t *testing.T) {
	shell := &recorder{screen: pictureOf(20, "", "", "", "")}
	shell.screen.Scrollback = 7
	p, screen := drawPane(t, shell)
	for range 4 {
		p.InputHandler()(tcell.NewEventKey(tcell.KeyPgUp, 0, tcell.ModShift), nil)
		p.Draw(screen)
	}
	if shell.offset != 7 || !strings.Contains(p.title(), "7 lines back") {
		t.Errorf("offset %d, title %q", shell.offset, p.title())
	}
	p.InputHandler()(tcell.NewEventKey(tcell.KeyRune, 'x', 0), nil)
	if p.Draw(screen); shell.offset != 0 {
		t.Errorf("offset %d after a key", shell.offset)
	}
}

func TestPaneTellsThatTheShellExited(t *testing.T) {
	_, screen := drawPane(t, &recorder{state: terminal.Exited})
	if text := screenText(screen); !strings.Contains(text, "shell exited: press") {
		t.Errorf("the pane shows %q", text)
	}
}

func TestMouseInThePane(t *testing.T) {
	sgr := terminal.Modes{Mouse: terminal.MouseClick, MouseSGR: true}
	cases := map[string]struct {
		modes   terminal.Modes
		alt     bool
		action  tview.MouseAction
		buttons tcell.ButtonMask
		mods    tcell.ModMask
		want    string
	}{
		"a press":                               {sgr, false, tview.MouseLeftDown, tcell.ButtonPrimary, 0, "\x1b[<0;3;2M"},
		"a release":                             {sgr, false, tview.MouseLeftUp, 0, 0, "\x1b[<0;3;2m"},
		"Ctrl with the right button":            {sgr, false, tview.MouseRightDown, tcell.ButtonSecondary, tcell.ModCtrl, "\x1b[<18;3;2M"},
		"the wheel":                             {sgr, false, tview.MouseScrollUp, 0, 0, "\x1b[<64;3;2M"},
		"a move that nobody asked for":          {sgr, false, tview.MouseMove, 0, 0, ""},
		"a drag":                                {terminal.Modes{Mouse: terminal.MouseDrag, MouseSGR: true}, false, tview.MouseMove, tcell.ButtonPrimary, 0, "\x1b[<32;3;2M"},
		"a move":                                {terminal.Modes{Mouse: terminal.MouseMotion, MouseSGR: true}, false, tview.MouseMove, 0, 0, "\x1b[<35;3;2M"},
		"the old form of a press":               {terminal.Modes{Mouse: terminal.MouseClick}, false, tview.MouseLeftDown, tcell.ButtonPrimary, 0, "\x1b[M #\""},
		"the old form of a release":             {terminal.Modes{Mouse: terminal.MouseClick}, false, tview.MouseLeftUp, 0, 0, "\x1b[M##\""},
		"only presses were asked for":           {terminal.Modes{Mouse: terminal.MousePress, MouseSGR: true}, false, tview.MouseLeftUp, 0, 0, ""},
		"the wheel in a pager without mouse":    {terminal.Modes{}, true, tview.MouseScrollDown, 0, 0, "\x1b[B\x1b[B\x1b[B"},
		"the wheel at the prompt scrolls back":  {terminal.Modes{}, false, tview.MouseScrollUp, 0, 0, ""},
		"a press where nobody wants the mouse":  {terminal.Modes{}, false, tview.MouseLeftDown, tcell.ButtonPrimary, 0, ""},
		"a click, which press and release tell": {sgr, false, tview.MouseLeftClick, 0, 0, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			shell := &recorder{modes: c.modes, screen: terminal.Screen{AltScreen: c.alt, Scrollback: 9}}
			p, _ := drawPane(t, shell)
			p.MouseHandler()(c.action, tcell.NewEventMouse(2, 1, c.buttons, c.mods), func(tview.Primitive) {})
			if got := shell.got(); got != c.want {
				t.Errorf("the shell got %q, want %q", got, c.want)
			}
		})
	}
}
