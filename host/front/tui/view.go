package tui

import (
	"fmt"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

// view is the whole window. It lays out its parts at each draw, hands keys and
// pastes to the part with the focus and the mouse to the part under it.
type view struct {
	*tview.Box
	theme      theme
	transcript *transcript
	card       *card
	pane       *pane // nil without a foreground shell
	input      *input
	// status draws the last line for a width.
	status func(width int) line
	// pasting is told of a paste before the part with the focus gets it.
	pasting func(text string)
	// moved is told where the person put the focus with the mouse.
	moved func(tview.Primitive)

	frame frame
	small bool
}

func newView(t theme) *view {
	return &view{
		Box: tview.NewBox().SetBackgroundColor(tcell.ColorDefault), theme: t,
		transcript: newTranscript(t), card: newCard(t), input: newInput(t),
	}
}

// parts are what can have the focus, in the order in which it goes round.
func (v *view) parts() []tview.Primitive {
	var parts []tview.Primitive
	if v.card.shown() {
		parts = append(parts, v.card)
	}
	parts = append(parts, v.input)
	if v.pane != nil {
		parts = append(parts, v.pane)
	}
	return append(parts, v.transcript)
}

// focused is the part with the focus, nil when there is none.
func (v *view) focused() tview.Primitive {
	for _, part := range v.parts() {
		if part.HasFocus() {
			return part
		}
	}
	return nil
}

func (v *view) HasFocus() bool { return v.focused() != nil }

func (v *view) Focus(delegate func(tview.Primitive)) { delegate(v.input) }

func (v *view) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	return func(event *tcell.EventKey, setFocus func(tview.Primitive)) {
		if part := v.focused(); part != nil && !v.small {
			part.InputHandler()(event, setFocus)
		}
	}
}

func (v *view) PasteHandler() func(string, func(tview.Primitive)) {
	return func(text string, setFocus func(tview.Primitive)) {
		v.pasting(text)
		if part := v.focused(); part != nil && !v.small {
			part.PasteHandler()(text, setFocus)
		}
	}
}

func (v *view) MouseHandler() func(tview.MouseAction, *tcell.EventMouse, func(tview.Primitive)) (bool, tview.Primitive) {
	return func(action tview.MouseAction, event *tcell.EventMouse, _ func(tview.Primitive)) (bool, tview.Primitive) {
		if v.small {
			return false, nil
		}
		for _, part := range v.parts() {
			if consumed, capture := part.MouseHandler()(action, event, v.moved); consumed {
				return true, capture
			}
		}
		return false, nil
	}
}

func (v *view) Draw(screen tcell.Screen) {
	_, _, width, height := v.GetRect()
	if v.small = tooSmall(width, height); v.small {
		v.drawSmall(screen, width, height)
		return
	}
	plainFrame := arrange(width, height, 0, v.pane != nil)
	v.frame = arrange(width, height, v.card.rows(plainFrame.transcript.width), v.pane != nil)
	f := v.frame

	v.drawRule(screen, f.transcriptTitle, "transcript", v.transcriptNote(), v.transcript.HasFocus())
	place(v.transcript.Box, f.transcript)
	v.transcript.Draw(screen)
	place(v.card.Box, f.card)
	v.card.Draw(screen)
	if v.pane != nil {
		v.drawRule(screen, f.shellTitle, "shell", v.pane.title(), v.pane.HasFocus())
		for y := range f.separator.height {
			screen.Put(f.separator.x, y, "│", v.theme.rule)
		}
		place(v.pane.Box, f.shell)
		v.pane.Draw(screen)
	}
	place(v.input.Box, f.input)
	v.input.Draw(screen)
	v.status(width).draw(screen, f.status.x, f.status.y, width)
}

func place(box *tview.Box, r rect) { box.SetRect(r.x, r.y, r.width, r.height) }

// drawRule draws the title line of a part, with a note at its right end.
func (v *view) drawRule(screen tcell.Screen, r rect, title, note string, focused bool) {
	style, sign := v.theme.rule, "─"
	if focused {
		style, sign = v.theme.focused, "━"
	}
	for x := range r.width {
		screen.Put(r.x+x, r.y, sign, style)
	}
	textLine(style, " "+title+" ").draw(screen, r.x+1, r.y, r.width-2)
	if note != "" {
		text := textLine(v.theme.caution, " "+note+" ")
		room := r.width - len(title) - 6
		text.draw(screen, r.x+max(r.width-text.width()-1, len(title)+5), r.y, room)
	}
}

func (v *view) transcriptNote() string {
	if v.transcript.follow {
		return ""
	}
	return "scrolled up, End follows"
}

// drawSmall says what is missing. Keys do nothing meanwhile: an approval that
// cannot be seen must not be given.
func (v *view) drawSmall(screen tcell.Screen, width, height int) {
	text := fmt.Sprintf("The window has %dx%d cells, Toolcrib needs %dx%d. Make it larger; Ctrl-D leaves.", width, height, minWidth, minHeight)
	for y, l := range textLine(v.theme.plain, text).wrap(max(width, 2)) {
		if y < height {
			l.draw(screen, 0, y, width)
		}
	}
}
