package tui

import "github.com/gdamore/tcell/v2"

// theme holds every style the session draws with. Each meaning also has a word
// or a sign on the screen, so that nothing is told by colour alone.
type theme struct {
	plain, strong, faint tcell.Style
	// good, caution and bad grade outcomes, risks and notices.
	good, caution, bad tcell.Style
	// added, removed and hunk are the lines of a diff.
	added, removed, hunk tcell.Style
	// rule is a pane's title line; focused is that of the pane with the keys.
	rule, focused tcell.Style
	// alert marks what waits for the person, button and selected a card's buttons.
	alert, button, selected tcell.Style
	// noColor draws the shell's colours with attributes only.
	noColor bool
}

// newTheme returns the styles; noColor gives a set made of attributes only.
func newTheme(noColor bool) theme {
	plain := tcell.StyleDefault
	t := theme{
		plain:    plain,
		strong:   plain.Bold(true),
		faint:    plain.Dim(true),
		good:     plain,
		caution:  plain.Bold(true),
		bad:      plain.Bold(true).Underline(true),
		added:    plain.Bold(true),
		removed:  plain.Dim(true),
		hunk:     plain.Underline(true),
		rule:     plain.Dim(true),
		focused:  plain.Bold(true),
		alert:    plain.Reverse(true).Bold(true),
		button:   plain.Underline(true),
		selected: plain.Reverse(true).Bold(true),
		noColor:  noColor,
	}
	if noColor {
		return t
	}
	t.good = plain.Foreground(tcell.ColorGreen)
	t.caution = plain.Foreground(tcell.ColorOlive).Bold(true)
	t.bad = plain.Foreground(tcell.ColorMaroon).Bold(true)
	t.added = t.good
	t.removed = plain.Foreground(tcell.ColorMaroon)
	t.hunk = plain.Foreground(tcell.ColorTeal)
	t.focused = plain.Foreground(tcell.ColorTeal).Bold(true)
	t.alert = t.caution.Reverse(true)
	return t
}

// risk returns the style of a risk's word. An unknown word is shown as the worst.
func (t theme) risk(level string) tcell.Style {
	switch level {
	case "low":
		return t.good
	case "medium":
		return t.caution
	default:
		return t.bad
	}
}
