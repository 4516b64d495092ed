package tui

import (
	"fmt"
	"slices"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/toolcrib/toolcrib/host/approval"
)

// verb is what a card asks its owner to do.
type verb int

const (
	verbDetails verb = iota // show more or less; the card does it itself
	verbDeny
	verbApprove
	verbAnswer
	verbDismiss // Esc
	verbTrust
)

// button is one thing that can be chosen on a card.
type button struct {
	label string
	verb  verb
}

// content is what a card asks. The buttons stand in the order in which the
// focus reaches them: what does the least first, what runs something last.
type content struct {
	id    string
	title string
	// body is what matters, details is everything; nil when body is all.
	body, details []line
	buttons       []button
	// hotkey chooses the last button at once; 0 for none.
	hotkey rune
	// question has the options and whether a free answer is taken; nil for none.
	question *approval.Question
}

// nothing is the selection of a card on which the next Enter does nothing.
const nothing = -1

// card shows one question over the end of the transcript and takes its answer.
//
// Keys that were meant for something else must not answer it, whenever it
// appears. So a new card has its first button chosen, which only shows details,
// and the way to the one that runs something is two moves and Enter with no
// other key in between: every other key puts the choice back to nothing. A card
// that takes the keys from the shell is dormant: there arrows, Tab, Enter and
// Esc are all in use, so the first move only wakes it.
type card struct {
	*tview.Box
	theme theme
	// act is told what the person chose; page asks for another card of the queue.
	act  func(content, verb, approval.Decision)
	page func(delta int)

	content         content
	position, total int // in the queue, from 1
	selected        int // index of a stop, or nothing
	dormant         bool
	expanded        bool
	offset          int // first line shown
	marked          map[int]bool
	text            string // the free answer
	note            string // says why Enter did nothing
	wrapping        *wrapping

	spots []spot // what a click hits, since the last Draw
	// pressed is where the mouse button went down, as an index of spots; -1
	// outside of all.
	pressed int
}

// spot is a part of the card that a click hits.
type spot struct {
	area rect
	stop int // index of a stop, or nothing for the queue
}

func newCard(t theme) *card {
	return &card{Box: tview.NewBox().SetBackgroundColor(tcell.ColorDefault), theme: t}
}

// show puts up another question. wary is set when the person may be typing
// something else; dormant when that goes to the shell.
func (c *card) show(content content, wary, dormant bool) {
	c.content = content
	c.dormant, c.expanded, c.offset, c.note = dormant, false, 0, ""
	c.marked, c.text = map[int]bool{}, ""
	c.selected, c.pressed, c.wrapping = 0, -1, nil
	if wary || dormant || content.question != nil {
		c.selected = nothing
	}
}

// hide takes the card away.
func (c *card) hide() { c.content, c.wrapping = content{}, nil }

// shown tells whether there is a card.
func (c *card) shown() bool { return c.content.id != "" }

// A stop is a place of the focus: first the options, then the free answer, then
// the buttons.

func (c *card) options() int {
	if c.content.question == nil {
		return 0
	}
	return len(c.content.question.Options)
}

// freeText tells whether the question takes a typed answer. One that offers
// nothing can be answered in no other way.
func (c *card) freeText() bool {
	q := c.content.question
	return q != nil && (q.AllowFreeText || len(q.Options) == 0)
}

// firstButton is the stop of the first button.
func (c *card) firstButton() int {
	n := c.options()
	if c.freeText() {
		n++
	}
	return n
}

func (c *card) stops() int { return c.firstButton() + len(c.content.buttons) }

func (c *card) onText() bool { return c.freeText() && c.selected == c.options() }

// move moves the choice by one.
func (c *card) move(delta int, wrap bool) {
	c.note = ""
	if c.dormant || c.selected == nothing {
		c.dormant, c.selected = false, 0
		return
	}
	next := c.selected + delta
	if wrap && next == c.stops() {
		next = 0
	}
	c.selected = min(max(next, 0), c.stops()-1)
}

// typed is told of a key that means nothing here. It was meant for something
// else, and so may be the Enter after it.
func (c *card) typed() {
	c.selected = nothing
	c.note = "not an answer: Tab or arrows, then Enter"
}

// confirm is Enter.
func (c *card) confirm() {
	switch {
	case c.selected == nothing:
		c.note = "nothing chosen: Tab or arrows, then Enter"
	case c.selected < c.options():
		c.mark(c.selected)
		if !c.content.question.MultiSelect {
			c.selected = c.firstButton()
		}
	case c.onText():
		c.selected = c.firstButton()
	default:
		c.press(c.content.buttons[c.selected-c.firstButton()].verb)
	}
}

// mark chooses an option, or takes the choice back.
func (c *card) mark(option int) {
	was := c.marked[option]
	if !c.content.question.MultiSelect {
		clear(c.marked)
	}
	c.marked[option] = !was
}

// press does what a button says.
func (c *card) press(v verb) {
	decision := approval.Decision{By: "person"}
	switch v {
	case verbDetails:
		c.expanded, c.offset = !c.expanded, 0
		return
	case verbDeny:
		decision.Verdict = approval.Deny
	case verbApprove:
		decision.Verdict = approval.Allow
	case verbDismiss:
		decision.Verdict = approval.Cancel
	case verbAnswer:
		decision.Verdict = approval.Allow
		decision.Text = c.text
		for i := range c.options() {
			if c.marked[i] {
				decision.Selected = append(decision.Selected, i)
			}
		}
		if len(decision.Selected) == 0 && decision.Text == "" && !c.content.question.MultiSelect {
			c.note = "choose or type an answer first"
			return
		}
	}
	c.act(c.content, v, decision)
}

// scroll moves the text by rows.
func (c *card) scroll(rows int) { c.offset = max(c.offset+rows, 0) }

func (c *card) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return c.WrapInputHandler(func(event *tcell.EventKey, _ func(tview.Primitive)) {
		switch key := event.Key(); {
		case key == tcell.KeyTab:
			c.move(1, true)
		case key == tcell.KeyRight:
			c.move(1, false)
		case key == tcell.KeyLeft, key == tcell.KeyBacktab:
			c.move(-1, false)
		case c.dormant:
			c.note = "not an answer: Tab or ← →, or F6 to the shell"
		case key == tcell.KeyEnter:
			c.confirm()
		case key == tcell.KeyEscape:
			c.press(verbDismiss)
		case key == tcell.KeyRune:
			c.rune(event)
		case c.onText() && (key == tcell.KeyBackspace || key == tcell.KeyBackspace2):
			if runes := []rune(c.text); len(runes) > 0 {
				c.text = string(runes[:len(runes)-1])
			}
		case c.onText() && key == tcell.KeyCtrlU:
			c.text = ""
		default:
			c.scrollKey(key)
		}
	})
}

// scrollKey takes the keys that move the text, or in a question the choice.
func (c *card) scrollKey(key tcell.Key) {
	_, _, _, height := c.GetInnerRect()
	question := c.content.question != nil && !c.expanded
	switch {
	case key == tcell.KeyUp && question:
		c.move(-1, false)
	case key == tcell.KeyDown && question:
		c.move(1, false)
	case key == tcell.KeyUp:
		c.scroll(-1)
	case key == tcell.KeyDown:
		c.scroll(1)
	case key == tcell.KeyPgUp:
		c.scroll(-max(height-4, 1))
	case key == tcell.KeyPgDn:
		c.scroll(max(height-4, 1))
	case key == tcell.KeyHome:
		c.offset = 0
	default:
		c.typed()
	}
}

// rune takes a key that types something.
func (c *card) rune(event *tcell.EventKey) {
	r := event.Rune()
	switch {
	case event.Modifiers()&(tcell.ModAlt|tcell.ModCtrl|tcell.ModMeta) != 0:
		c.typed()
	case c.onText():
		c.text += string(r)
	case r == ' ' && c.selected != nothing && c.selected < c.options():
		c.mark(c.selected)
	case r == '[':
		c.page(-1)
	case r == ']':
		c.page(1)
	case r == c.content.hotkey && c.selected != nothing:
		c.press(c.content.buttons[len(c.content.buttons)-1].verb)
	default:
		c.typed()
	}
}

// PasteHandler takes a paste as the free answer; everywhere else it is typing.
func (c *card) PasteHandler() func(string, func(tview.Primitive)) {
	return c.WrapPasteHandler(func(text string, _ func(tview.Primitive)) {
		if c.onText() && !c.dormant {
			c.text += text
			return
		}
		c.typed()
	})
}

func (c *card) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return c.WrapMouseHandler(func(action tview.MouseAction, event *tcell.EventMouse, setFocus func(tview.Primitive)) (bool, tview.Primitive) {
		x, y := event.Position()
		if !c.shown() || !c.InRect(x, y) {
			return false, nil
		}
		switch action {
		case tview.MouseScrollUp:
			c.scroll(-wheelRows)
		case tview.MouseScrollDown:
			c.scroll(wheelRows)
		case tview.MouseLeftDown:
			c.pressed = c.spotAt(x, y)
			setFocus(c)
		case tview.MouseLeftClick:
			// A double click is something else: its second half would answer
			// the next card.
			c.click(x, y)
		default:
			return false, nil
		}
		return true, nil
	})
}

func (c *card) spotAt(x, y int) int {
	return slices.IndexFunc(c.spots, func(s spot) bool { return s.area.contains(x, y) })
}

// click chooses what is under the pointer, and does it when it is a button. The
// button of the mouse must have gone down on the same: the card may have come or
// changed in between.
func (c *card) click(x, y int) {
	at := c.spotAt(x, y)
	if at < 0 || at != c.pressed {
		return
	}
	c.pressed = -1
	c.dormant, c.note = false, ""
	stop := c.spots[at].stop
	if stop == nothing {
		c.page(1)
		return
	}
	c.selected = stop
	if !c.onText() {
		c.confirm()
	}
}

// Blur closes the details, so that the transcript can be read beside the card.
func (c *card) Blur() {
	c.expanded, c.offset = false, 0
	c.Box.Blur()
}

// label is the card's place in the queue.
func (c *card) label() string {
	return fmt.Sprintf("[%d/%d]", c.position, c.total)
}
