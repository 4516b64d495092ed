package tui

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
)

// cardFrame is how many rows a card has besides its text: the border and the
// buttons.
const cardFrame = 3

// restingRows is how many rows a card has while the person is elsewhere.
const restingRows = cardFrame + 2

// rows is how many rows the card asks for at a width; 0 when there is none. An
// open card takes all that it is given.
func (c *card) rows(width int) int {
	if !c.shown() {
		return 0
	}
	if c.expanded {
		return 1 << 10
	}
	rows := len(c.wrapped(width-4)) + len(c.choices(width-4)) + cardFrame
	if !c.HasFocus() {
		rows = min(rows, restingRows)
	}
	return rows
}

// wrapping is the text of a card wrapped to a width. It is kept: a preview may be
// long, and the card is drawn at each key.
type wrapping struct {
	lines    []line
	width    int
	expanded bool
}

// wrapped is the body, or the details of an open card, at a width.
func (c *card) wrapped(width int) []line {
	if w := c.wrapping; w != nil && w.width == width && w.expanded == c.expanded {
		return w.lines
	}
	text := c.content.body
	if c.expanded {
		text = c.content.details
	}
	c.wrapping = &wrapping{wrapAll(text, width), width, c.expanded}
	return c.wrapping.lines
}

// stopStyle is base, or that of what Enter would choose.
func (c *card) stopStyle(stop int, base tcell.Style) tcell.Style {
	if stop == c.selected && c.HasFocus() {
		return c.theme.selected
	}
	return base
}

func (c *card) Draw(screen tcell.Screen) {
	x, y, width, height := c.GetRect()
	if !c.shown() || width < 8 || height < cardFrame {
		return
	}
	c.spots = c.spots[:0]
	border := c.theme.rule
	if c.HasFocus() {
		border = c.theme.caution
	}
	fill(screen, rect{x, y, width, height}, c.theme.plain)
	drawBorder(screen, rect{x, y, width, height}, border)
	c.drawTitle(screen, x+2, y, width-4)
	c.drawText(screen, rect{x + 2, y + 1, width - 4, height - cardFrame})
	c.drawButtons(screen, x+2, y+height-2)
	textLine(c.theme.faint, " "+c.hint()+" ").draw(screen, x+2, y+height-1, width-4)
}

func (c *card) drawTitle(screen tcell.Screen, x, y, width int) {
	used := textLine(c.theme.alert, " "+c.content.title+" ").draw(screen, x, y, width)
	label := textLine(c.theme.alert, c.label()+" ")
	c.spots = append(c.spots, spot{rect{x + used, y, label.width(), 1}, nothing})
	label.draw(screen, x+used, y, width-used)
}

// drawText draws the body or the details, then the choices of a question.
func (c *card) drawText(screen tcell.Screen, area rect) {
	lines := c.wrapped(area.width)
	choices := c.choices(area.width)
	rows := max(area.height-len(choices), min(questionRows, len(lines), area.height-1), 0)
	c.offset = min(c.offset, max(len(lines)-rows, 0))
	shown := lines[c.offset:]
	if below := len(shown) - rows; below > 0 && rows > 0 {
		shown = shown[: rows-1 : rows-1]
		shown = append(shown, textLine(c.theme.caution, fmt.Sprintf("… %d more lines below: %s", below+1, c.scrollHint())))
	}
	for i, l := range shown[:min(len(shown), rows)] {
		l.draw(screen, area.x, area.y+i, area.width)
	}
	above := min(len(shown), rows)
	c.drawChoices(screen, choices, rect{area.x, area.y + above, area.width, area.height - above})
}

func (c *card) scrollHint() string {
	if c.content.question != nil && !c.expanded {
		return "PgDn"
	}
	return "↓ or PgDn"
}

func (c *card) drawButtons(screen tcell.Screen, x, y int) {
	for i, b := range c.content.buttons {
		label := b.label
		if b.verb == verbDetails && c.expanded {
			label = "Less"
		}
		stop := c.firstButton() + i
		l := textLine(c.stopStyle(stop, c.theme.button), "[ "+label+" ]")
		c.spots = append(c.spots, spot{rect{x, y, l.width(), 1}, stop})
		x += l.draw(screen, x, y, l.width()) + 2
	}
}

// hint says what the keys do now.
func (c *card) hint() string {
	switch {
	case !c.HasFocus():
		return "F6 to answer"
	case c.note != "":
		return c.note
	case c.dormant:
		return "Tab or ← → to answer, F6 back to the shell"
	case c.selected == nothing:
		return "Tab or arrows choose, then Enter"
	}
	hint := "←/→/Tab move, Enter confirms, Esc cancels"
	if c.total > 1 {
		hint += ", [ ] next card"
	}
	return hint
}

func drawBorder(screen tcell.Screen, r rect, style tcell.Style) {
	right, bottom := r.x+r.width-1, r.y+r.height-1
	for x := r.x + 1; x < right; x++ {
		screen.Put(x, r.y, "═", style)
		screen.Put(x, bottom, "═", style)
	}
	for y := r.y + 1; y < bottom; y++ {
		screen.Put(r.x, y, "║", style)
		screen.Put(right, y, "║", style)
	}
	screen.Put(r.x, r.y, "╔", style)
	screen.Put(right, r.y, "╗", style)
	screen.Put(r.x, bottom, "╚", style)
	screen.Put(right, bottom, "╝", style)
}
