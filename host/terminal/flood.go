package terminal

import "bytes"

// floodScreens is how many screens of plain lines at once are a flood.
const floodScreens = 3

// flood takes plain text that scrolls the screen many times over, and reports
// whether it did. Most of it would pass the screen unseen, at the price of
// moving every cell for every line; it goes straight to the scrollback, and
// only its beginning and its end are drawn.
func (e *emulator) flood(p []byte) bool {
	rows, cols := e.vt.Height(), e.vt.Width()
	if e.vt.IsAltScreen() || len(p) < floodScreens*rows || !plain(p) || bytes.Count(p, newline) < floodScreens*rows {
		return false
	}
	// Finish the line that the cursor is on. What it looks like is what the
	// rest will look like.
	first := bytes.IndexByte(p, '\n') + 1
	e.draw(p[:first])
	at := e.vt.CursorPosition()
	look := Cell{Width: 1}
	if at.Y > 0 {
		look = cellOf(e.vt.CellAt(0, at.Y-1))
	}
	p = p[first:]

	// Everything on the screen is above what follows.
	for y := range at.Y {
		line := make([]Cell, cols)
		for x := range line {
			line[x] = cellOf(e.vt.CellAt(x, y))
		}
		e.history.pushCells(line)
	}
	end := len(p)
	for range rows {
		end = bytes.LastIndexByte(p[:end], '\n')
	}
	end++
	for line := range bytes.Lines(p[:end]) {
		e.pushPlain(line, look, cols)
	}
	e.draw([]byte("\x1b[H\x1b[J"))
	e.draw(p[end:])
	return true
}

var newline = []byte{'\n'}

// plain reports whether p is printable ASCII in lines.
func plain(p []byte) bool {
	for _, b := range p {
		if (b < ' ' || b > '~') && b != '\n' && b != '\r' && b != '\t' {
			return false
		}
	}
	return true
}

// pushPlain adds a line to the scrollback as the screen would have shown it.
func (e *emulator) pushPlain(line []byte, look Cell, cols int) {
	cells := make([]Cell, 0, min(len(line), cols))
	for _, b := range bytes.TrimRight(line, "\r\n") {
		switch b {
		case '\r':
			cells = cells[:0]
			continue
		case '\t':
			for ok := true; ok && len(cells) < cols; ok = len(cells)%8 != 0 {
				cells = append(cells, blank)
			}
			continue
		}
		if len(cells) == cols {
			e.history.pushCells(cells)
			cells = make([]Cell, 0, cols)
		}
		look.Text = ascii[b : b+1]
		cells = append(cells, look)
	}
	e.history.pushCells(cells)
}

// ascii has every ASCII character at its own index, so that a cell's text
// needs no allocation.
var ascii = func() string {
	table := make([]byte, 128)
	for i := range table {
		table[i] = byte(i)
	}
	return string(table)
}()
