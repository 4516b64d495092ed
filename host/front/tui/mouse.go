package tui

import (
	"fmt"
	"unicode"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/toolcrib/toolcrib/host/terminal"
)

// isFormat tells characters that are not seen and change how others are.
func isFormat(r rune) bool { return unicode.Is(unicode.Cf, r) }

func (p *pane) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return p.WrapMouseHandler(func(action tview.MouseAction, event *tcell.EventMouse, setFocus func(tview.Primitive)) (bool, tview.Primitive) {
		x, y := event.Position()
		if !p.from.contains(x, y) {
			return false, nil
		}
		if action == tview.MouseLeftDown && !p.HasFocus() {
			// The click that chooses the pane is not meant for the program.
			setFocus(p)
			return true, nil
		}
		if modes := p.shell.Modes(); modes.Mouse != terminal.MouseOff && p.offset == 0 {
			p.write(encodeMouse(action, event, x-p.from.x, y-p.from.y, modes))
			return true, nil
		}
		return p.wheel(action), nil
	})
}

// wheel scrolls back and forth where the program does not want the mouse. A
// full-screen program without mouse gets arrow keys, as in other terminals.
func (p *pane) wheel(action tview.MouseAction) bool {
	step := 0
	switch action {
	case tview.MouseScrollUp:
		step = wheelRows
	case tview.MouseScrollDown:
		step = -wheelRows
	default:
		return false
	}
	if !p.screen.AltScreen {
		p.offset = max(p.offset+step, 0)
		return true
	}
	key := tcell.KeyUp
	if step < 0 {
		key = tcell.KeyDown
	}
	arrow := encodeKey(tcell.NewEventKey(key, 0, tcell.ModNone), p.shell.Modes().ApplicationCursor)
	for range wheelRows {
		p.write(arrow)
	}
	return true
}

// The button codes of a mouse report.
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking
const (
	mouseMotion    = 32
	mouseWheelUp   = 64
	mouseWheelDown = 65
	mouseNone      = 3
)

var mouseButtons = map[tview.MouseAction]int{
	tview.MouseLeftDown: 0, tview.MouseMiddleDown: 1, tview.MouseRightDown: 2,
	tview.MouseLeftUp: 0, tview.MouseMiddleUp: 1, tview.MouseRightUp: 2,
	tview.MouseScrollUp: mouseWheelUp, tview.MouseScrollDown: mouseWheelDown,
}

// encodeMouse returns the report of an action at a cell counted from 0; nil when
// the program does not want it.
func encodeMouse(action tview.MouseAction, event *tcell.EventMouse, x, y int, modes terminal.Modes) []byte {
	code, known := mouseButtons[action]
	release := action == tview.MouseLeftUp || action == tview.MouseMiddleUp || action == tview.MouseRightUp
	if action == tview.MouseMove {
		code, known = motion(event.Buttons(), modes.Mouse)
	}
	if !known || release && modes.Mouse == terminal.MousePress {
		return nil
	}
	if mods := event.Modifiers(); modes.Mouse != terminal.MousePress {
		for mask, bit := range map[tcell.ModMask]int{tcell.ModShift: 4, tcell.ModAlt: 8, tcell.ModCtrl: 16} {
			if mods&mask != 0 {
				code += bit
			}
		}
	}
	if modes.MouseSGR {
		final := 'M'
		if release {
			final = 'm'
		}
		return fmt.Appendf(nil, "\x1b[<%d;%d;%d%c", code, x+1, y+1, final)
	}
	// The old form has one byte for each number and none for cells beyond 223.
	const offset, last = 32, 223
	if x >= last || y >= last {
		return nil
	}
	if release {
		code |= mouseNone
	}
	return []byte{0x1b, '[', 'M', byte(offset + code), byte(offset + x + 1), byte(offset + y + 1)}
}

// motion is the code of a move, and whether the program wants it.
func motion(held tcell.ButtonMask, tracking terminal.MouseTracking) (code int, wanted bool) {
	code = mouseNone
	for i, button := range []tcell.ButtonMask{tcell.ButtonPrimary, tcell.ButtonMiddle, tcell.ButtonSecondary} {
		if held&button != 0 {
			code = i
			break
		}
	}
	dragging := code != mouseNone
	return mouseMotion + code, tracking == terminal.MouseMotion || tracking == terminal.MouseDrag && dragging
}
