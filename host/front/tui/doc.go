// Package tui is the full-screen session: a transcript of the events, approval
// cards, the person's shell in a pane, and an input line.
//
// # Parts
//
// A [view] lays out the window and hands keys and mouse to its parts: the
// [transcript], the [card], the shell [pane] and the [input] line. The [app] ties
// them to a [Session]. One goroutine, tview's loop, owns all of it; the others
// only wait for something and put what to do into the [mailbox].
//
// # What a person can rely on
//
// Everything that comes from tools, plugins, models and commands is made of
// spans, and [plain], the one way to make a span, shows control characters,
// escapes, bidi and zero-width characters as visible signs. The shell pane is
// the exception: it draws the cells of a terminal emulator, inside its own area.
//
// A key answers a card only if the card had the focus, and approving takes two
// moves and Enter with nothing else typed in between; see [card]. While a card
// has the focus no key reaches the shell or the input line.
package tui
