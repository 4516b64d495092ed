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
	cells := make([]Cell, len(line))
	for i := range cells {
		cells[i] = cellOf(&line[i])
	}
	h.pushCells(cells)
}

// pushCells is push for a line that is ours to keep.
func (h *history) pushCells(cells []Cell) {
	if h.max <= 0 {
		return
	}
	n := len(cells)
	for n > 0 && (cells[n-1] == blank || cells[n-1] == Cell{}) {
		n--
	}
	cells = cells[:n:n]
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
