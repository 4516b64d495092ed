package tui

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

// maxEntries is how many entries the transcript keeps; the oldest go first.
const maxEntries = 2000

// entry is one item of the transcript. Its lines are rendered anew when it was
// marked as changed, and wrapped anew when the width is another one.
type entry struct {
	render  func(theme) []line
	changed bool

	wrapped []line
	width   int
}

func (e *entry) lines(t theme, width int) []line {
	if e.changed || e.width != width {
		e.wrapped = wrapAll(e.render(t), width)
		e.width, e.changed = width, false
	}
	return e.wrapped
}

// transcript shows entries, oldest at the top. It follows the end until the
// person scrolls up, and then stands still whatever comes.
type transcript struct {
	*tview.Box
	theme   theme
	entries []*entry

	// follow keeps the end in view. Otherwise the first line shown is line
	// topLine of entry topEntry: an anchor that holds when other entries grow
	// and when the width changes.
	follow            bool
	topEntry, topLine int
}

func newTranscript(t theme) *transcript {
	box := tview.NewBox().SetBackgroundColor(tcell.ColorDefault)
	return &transcript{Box: box, theme: t, follow: true}
}

// add appends an entry that render draws. Mark it changed when what render
// reads is another value.
func (t *transcript) add(render func(theme) []line) *entry {
	e := &entry{render: render, changed: true}
	t.entries = append(t.entries, e)
	if drop := len(t.entries) - maxEntries; drop > 0 {
		t.entries = append([]*entry(nil), t.entries[drop:]...)
		if t.topEntry -= drop; t.topEntry < 0 {
			t.topEntry, t.topLine = 0, 0
		}
	}
	return e
}

// addLines appends an entry that stays as it is.
func (t *transcript) addLines(lines ...line) {
	t.add(func(theme) []line { return lines })
}

func (t *transcript) Draw(screen tcell.Screen) {
	t.DrawForSubclass(screen, t)
	x, y, width, height := t.GetInnerRect()
	for i, l := range t.visible(width, height) {
		l.draw(screen, x, y+i, width)
	}
}

// visible returns the lines in view.
func (t *transcript) visible(width, height int) []line {
	t.clamp(width, height)
	var out []line
	for i := t.topEntry; i < len(t.entries) && len(out) < height; i++ {
		lines := t.entries[i].lines(t.theme, width)
		if i == t.topEntry {
			lines = lines[min(t.topLine, len(lines)):]
		}
		out = append(out, lines...)
	}
	return out[:min(len(out), height)]
}

// clamp moves the anchor so that the last line is not above the bottom, and to
// the end when following.
func (t *transcript) clamp(width, height int) {
	entry, top, rows := len(t.entries), 0, height
	for rows > 0 && entry > 0 {
		entry--
		n := len(t.entries[entry].lines(t.theme, width))
		top = max(n-rows, 0)
		rows -= n
	}
	if entry == len(t.entries) { // nothing to show
		entry, top = 0, 0
	}
	past := t.topEntry > entry || t.topEntry == entry && t.topLine >= top
	if t.follow || past {
		t.follow = true
		t.topEntry, t.topLine = entry, top
	}
}

// scroll moves the view by rows, up when negative.
func (t *transcript) scroll(rows int) {
	_, _, width, height := t.GetInnerRect()
	t.clamp(width, height)
	if rows < 0 {
		t.follow = false
	}
	t.topLine += rows
	for t.topLine < 0 && t.topEntry > 0 {
		t.topEntry--
		t.topLine += len(t.entries[t.topEntry].lines(t.theme, width))
	}
	t.topLine = max(t.topLine, 0)
	for t.topEntry < len(t.entries) {
		n := len(t.entries[t.topEntry].lines(t.theme, width))
		if t.topLine < n {
			break
		}
		t.topLine -= n
		t.topEntry++
	}
	t.clamp(width, height)
}

// page is a screenful less one line of overlap.
func (t *transcript) page() int {
	_, _, _, height := t.GetInnerRect()
	return max(height-1, 1)
}

// scrollKey scrolls by a key and tells whether it was one for that.
func (t *transcript) scrollKey(key tcell.Key) bool {
	switch key {
	case tcell.KeyPgUp:
		t.scroll(-t.page())
	case tcell.KeyPgDn:
		t.scroll(t.page())
	case tcell.KeyUp:
		t.scroll(-1)
	case tcell.KeyDown:
		t.scroll(1)
	case tcell.KeyHome:
		t.follow, t.topEntry, t.topLine = false, 0, 0
	case tcell.KeyEnd:
		t.follow = true
	default:
		return false
	}
	return true
}

func (t *transcript) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return t.WrapInputHandler(func(event *tcell.EventKey, _ func(tview.Primitive)) {
		t.scrollKey(event.Key())
	})
}

// wheelRows is how far one notch of the mouse wheel scrolls.
const wheelRows = 3

func (t *transcript) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return t.WrapMouseHandler(func(action tview.MouseAction, event *tcell.EventMouse, setFocus func(tview.Primitive)) (bool, tview.Primitive) {
		if !t.InRect(event.Position()) {
			return false, nil
		}
		switch action {
		case tview.MouseScrollUp:
			t.scroll(-wheelRows)
		case tview.MouseScrollDown:
			t.scroll(wheelRows)
		case tview.MouseLeftDown:
			setFocus(t)
		default:
			return false, nil
		}
		return true, nil
	})
}
