package tui

import (
	"slices"

	"github.com/rivo/tview"
)

// focus decides which part has the keys. The person decides first; a card takes
// them when it is the first in the queue, and a handed-off command brings them
// to the shell and back.
type focus struct {
	view *view
	set  func(tview.Primitive)

	// before is the part that a card took the keys from.
	before tview.Primitive
	// handoffs are the calls whose command runs in the shell.
	handoffs map[string]bool
	// brought tells that a handoff brought the keys to the shell.
	brought bool
	// fresh tells that nothing has been typed since.
	fresh bool
}

// person moves the keys because the person said so.
func (f *focus) person(part tview.Primitive) {
	if part == f.view.input.TextArea {
		part = f.view.input
	}
	f.brought, f.fresh = false, false
	if part == f.view.card {
		f.before = f.view.focused()
	} else {
		f.before = part
	}
	f.set(part)
}

// cycle moves the keys to the next part; from a card back to where they were.
func (f *focus) cycle() {
	if f.view.card.HasFocus() && f.before != nil && f.before != f.view.card {
		f.person(f.before)
		return
	}
	parts := f.view.parts()
	at := slices.IndexFunc(parts, func(p tview.Primitive) bool { return p.HasFocus() })
	f.person(parts[(at+1)%len(parts)])
}

// inShell tells whether the shell has the keys.
func (f *focus) inShell() bool { return f.view.pane != nil && f.view.pane.HasFocus() }

// cardCame gives the keys to the first card of the queue, unless the person is
// answering what a handed-off command asks.
func (f *focus) cardCame() {
	if f.inShell() && len(f.handoffs) > 0 {
		return
	}
	f.before = f.view.focused()
	f.brought, f.fresh = false, false
	f.set(f.view.card)
}

// cardsWent gives the keys back when the last card is gone. hadFocus tells
// whether the card had them.
func (f *focus) cardsWent(hadFocus bool) {
	switch {
	case !hadFocus:
	case len(f.handoffs) > 0:
		f.toShell()
	case f.before == nil || f.before == f.view.card:
		f.set(f.view.input)
	default:
		f.set(f.before)
	}
}

// handoffStarted brings the keys to the shell. They stay where a card is read or
// something is being typed: what is typed on must not go to the command.
func (f *focus) handoffStarted(call string) {
	f.handoffs[call] = true
	if !f.view.card.HasFocus() {
		f.toShell()
	}
}

func (f *focus) toShell() {
	if f.view.pane == nil || f.inShell() {
		return
	}
	if f.view.input.GetText() != "" {
		f.set(f.view.input)
		return
	}
	f.set(f.view.pane)
	f.brought, f.fresh = true, true
}

// typed is told of each key and paste before the shell gets it, and whether it
// begins a command of the input line. The first after a handoff brought the keys
// to the shell may have been on its way to the input line. What it was meant for
// cannot be known, but every command there begins with / or !, and hardly any
// answer to a program does: it goes back there, and what follows with it. A
// full-screen program is left alone: in most of them / searches.
func (f *focus) typed(command bool) {
	stray := f.fresh && command && f.inShell() && !f.view.pane.screen.AltScreen
	f.fresh = false
	if stray {
		f.person(f.view.input)
	}
}

// handoffEnded takes the keys back to the input line, unless the person moved
// them meanwhile.
func (f *focus) handoffEnded(call string) {
	delete(f.handoffs, call)
	if len(f.handoffs) > 0 || !f.brought || !f.inShell() {
		return
	}
	f.brought = false
	if f.view.card.shown() {
		f.cardCame()
		return
	}
	f.set(f.view.input)
}
