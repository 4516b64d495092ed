package tui

// The smallest window that everything fits in.
const (
	minWidth  = 60
	minHeight = 16
)

// besideWidth is the width from which the shell stands beside the transcript
// and not under it.
const besideWidth = 110

// rect is a part of the screen, in cells.
type rect struct{ x, y, width, height int }

func (r rect) contains(x, y int) bool {
	return x >= r.x && x < r.x+r.width && y >= r.y && y < r.y+r.height
}

// frame says where everything stands. An empty rect is not shown.
type frame struct {
	transcriptTitle, transcript rect
	card                        rect // over the end of the transcript
	shellTitle, shell           rect
	separator                   rect // between transcript and shell, when beside
	input, status               rect
}

// tooSmall tells that a window has no room for a session.
func tooSmall(width, height int) bool { return width < minWidth || height < minHeight }

// arrange lays out a window. card is how many rows the approval card asks for, 0
// for none. The shell's part depends on the window only: a card that comes or
// goes never resizes the PTY, so no program has to redraw for it.
func arrange(width, height, card int, shell bool) frame {
	body := height - 2
	f := frame{
		input:  rect{0, height - 2, width, 1},
		status: rect{0, height - 1, width, 1},
	}
	left := rect{0, 0, width, body}
	switch {
	case !shell:
	case width >= besideWidth:
		left.width = width * 9 / 20
		f.separator = rect{left.width, 0, 1, body}
		right := width - left.width - 1
		f.shellTitle = rect{left.width + 1, 0, right, 1}
		f.shell = rect{left.width + 1, 1, right, body - 1}
	default:
		left.height = body - body*9/20
		f.shellTitle = rect{0, left.height, width, 1}
		f.shell = rect{0, left.height + 1, width, body - left.height - 1}
	}
	f.transcriptTitle = rect{left.x, left.y, left.width, 1}
	f.transcript = rect{left.x, left.y + 1, left.width, left.height - 1}
	if card > 0 {
		rows := min(card, f.transcript.height)
		f.card = rect{left.x, left.y + left.height - rows, left.width, rows}
		f.transcript.height -= rows
	}
	return f
}
