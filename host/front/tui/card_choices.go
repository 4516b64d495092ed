package tui

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
)

// questionRows is how much of a question stays in view above its options.
const questionRows = 3

// choice is a row of an option or of the free answer, which may take several.
type choice struct {
	row  line
	stop int
}

// choices draws the options of a question and its free answer. Their texts stand
// right of the labels, as all foreign text.
func (c *card) choices(width int) []choice {
	q := c.content.question
	if q == nil {
		return nil
	}
	var rows []choice
	add := func(stop int, text string) {
		for _, row := range textLine(c.stopStyle(stop, c.theme.plain), text).wrap(width) {
			rows = append(rows, choice{row, stop})
		}
	}
	for i, option := range q.Options {
		sign := "    ( ) "
		if q.MultiSelect {
			sign = "    [ ] "
		}
		if c.marked[i] {
			sign = sign[:5] + "x" + sign[6:]
		}
		add(i, sign+joinColon(option.Label, option.Description))
	}
	if c.freeText() {
		text := "answer: " + c.text
		if c.onText() {
			text += "▏"
		}
		add(c.options(), text)
	}
	return rows
}

// drawChoices draws the rows that fit, those of the focus among them, and says
// how many do not.
func (c *card) drawChoices(screen tcell.Screen, rows []choice, area rect) {
	if len(rows) > area.height && area.height > 1 {
		area.height--
		first := 0
		for i, r := range rows {
			if r.stop == c.selected && i >= area.height {
				first = i - area.height + 1
			}
		}
		hidden := len(rows) - area.height
		rows = rows[first : first+area.height]
		text := fmt.Sprintf("… %d more lines of answers: Tab moves through all", hidden)
		textLine(c.theme.caution, text).draw(screen, area.x, area.y+area.height, area.width)
	}
	for i, r := range rows[:min(len(rows), max(area.height, 0))] {
		c.spots = append(c.spots, spot{rect{area.x, area.y + i, area.width, 1}, r.stop})
		r.row.draw(screen, area.x, area.y+i, area.width)
	}
}
