package terminal

import uv "github.com/charmbracelet/ultraviolet"

// history is the scrollback: the last lines that left the screen at its top.
// Lines keep their own width and are cut or padded when shown.
type history struct {
	lines [][]Cell // a ring once it is full
	first int
	max   int
}

func newHistory(max int) *history { return &history{max: max} }

func (h *history) len() int { return len(h.lines) }

func (h *history) clear() { h.lines, h.first = nil, 0 }

// push adds a line below the others, without its trailing blanks.
func (h *history) push(line uv.Line) {
	if h.max <= 0 {
		return
	}
	n := len(line)
	for n > 0 && (line[n-1].IsZero() || line[n-1].Equal(&uv.EmptyCell)) {
		n--
	}
	cells := make([]Cell, n)
	for i := range cells {
		cells[i] = cellOf(&line[i])
	}
	if len(h.lines) < h.max {
		h.lines = append(h.lines, cells)
		return
	}
	h.lines[h.first] = cells
	h.first = (h.first + 1) % h.max
}

// copyLine fills row with line i, counted from the oldest.
func (h *history) copyLine(row []Cell, i int) {
	n := copy(row, h.lines[(h.first+i)%len(h.lines)])
	for ; n < len(row); n++ {
		row[n] = blank
	}
}
