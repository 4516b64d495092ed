package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"
)

// keys sees every key first. It takes those that mean the same everywhere, and
// none but the two that leave it while the shell has the keys.
func (a *app) keys(event *tcell.EventKey) *tcell.EventKey {
	key := event.Key()
	if a.view.small {
		return a.smallKeys(key)
	}
	if leavesPart(event) {
		a.focus.cycle()
		return nil
	}
	a.focus.typed(startsCommand(event))
	if a.focus.inShell() {
		// A copy: tview ends the program on a Ctrl-C that comes back as it was.
		return tcell.NewEventKey(event.Key(), event.Rune(), event.Modifiers())
	}
	if a.view.card.HasFocus() && startsCommand(event) && isTrustCard(a.view.card.content) {
		// Nothing waits for this card: whoever begins a command goes on with it.
		a.focus.person(a.view.input)
		return event
	}
	if a.view.card.HasFocus() && (key != tcell.KeyCtrlC || len(a.running) == 0) {
		return tcell.NewEventKey(event.Key(), event.Rune(), event.Modifiers())
	}
	if key == tcell.KeyCtrlC {
		a.interrupt()
		return nil
	}
	a.leaving = false
	if a.view.transcript.HasFocus() {
		return a.transcriptKeys(event)
	}
	return a.inputKeys(event)
}

// leavesPart tells the keys that move the focus. Shells and their line editors
// make no use of F6, and next to none of Ctrl-].
func leavesPart(event *tcell.EventKey) bool {
	ctrl := event.Modifiers()&tcell.ModCtrl != 0
	return event.Key() == tcell.KeyF6 || event.Key() == tcell.KeyCtrlRightSq ||
		event.Key() == tcell.KeyRune && event.Rune() == ']' && ctrl
}

// startsCommand tells the keys that begin a line for the input line.
func startsCommand(event *tcell.EventKey) bool {
	return event.Key() == tcell.KeyRune && isCommand(string(event.Rune()))
}

// isCommand tells text that the input line takes as a command.
func isCommand(text string) bool {
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "!")
}

// smallKeys are the keys in a window that is too small to see anything in.
func (a *app) smallKeys(key tcell.Key) *tcell.EventKey {
	if key == tcell.KeyCtrlD || key == tcell.KeyCtrlC {
		a.cancel()
	}
	return nil
}

func (a *app) transcriptKeys(event *tcell.EventKey) *tcell.EventKey {
	switch event.Key() {
	case tcell.KeyTab:
		a.focus.cycle()
		return nil
	case tcell.KeyCtrlD:
		a.cancel()
		return nil
	case tcell.KeyEscape:
		a.focus.person(a.view.input)
		return nil
	case tcell.KeyRune:
		// Whoever types wants the input line.
		a.focus.person(a.view.input)
	}
	return event
}

func (a *app) inputKeys(event *tcell.EventKey) *tcell.EventKey {
	switch event.Key() {
	case tcell.KeyPgUp, tcell.KeyPgDn:
		a.view.transcript.scrollKey(event.Key())
		return nil
	case tcell.KeyCtrlD:
		if a.view.input.GetText() == "" {
			a.cancel()
			return nil
		}
	case tcell.KeyCtrlL:
		a.ui.Sync()
		return nil
	}
	return event
}

// hint says in the status bar what the keys do now.
func (a *app) hint() string {
	switch {
	case a.view.card.HasFocus():
		return "F6 leaves"
	case a.focus.inShell() && a.focus.brought:
		return "your keys go to the command, F6 leaves"
	case a.focus.inShell():
		return "F6 leaves"
	case a.view.transcript.HasFocus():
		return "F6 next"
	case a.view.card.shown():
		return "F6 to card"
	case len(a.focus.handoffs) > 0:
		return "F6 to shell"
	}
	return "F6 next, /help"
}
