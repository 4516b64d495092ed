package tui

import (
	"fmt"
	"slices"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/session"
)

// maxPoolNames is how many tools of each kind of change are named; the others are
// counted. /tools lists them all.
const maxPoolNames = 12

// poolLines draws how the set of tools changed, like a diff: a line for each kind
// of change.
func poolLines(t theme, b session.PoolChanged) []line {
	// What policy takes out is told once, with why it is gone.
	removed := slices.DeleteFunc(slices.Clone(b.Removed), func(name string) bool { return slices.Contains(b.Denied, name) })
	lines := []line{textLine(t.faint, fmt.Sprintf("tools changed, revision %d", b.Revision))}
	for _, part := range []struct {
		sign  string
		style tcell.Style
		names []string
		note  string
	}{
		{"+", t.added, b.Added, ""},
		{"~", t.caution, b.Changed, "described otherwise, or loaded"},
		{"-", t.removed, removed, ""},
		{"-", t.removed, b.Denied, "denied by policy"},
	} {
		if len(part.names) > 0 {
			lines = append(lines, poolPart(t, part.sign, part.style, part.names, part.note))
		}
	}
	return lines
}

func poolPart(t theme, sign string, style tcell.Style, names []string, note string) line {
	l := line{plain(style, "  "+sign)}
	for i, name := range names[:min(len(names), maxPoolNames)] {
		separator := " "
		if i > 0 {
			separator = ", "
		}
		l = append(l, plain(t.faint, separator), plain(style, name))
	}
	if more := len(names) - maxPoolNames; more > 0 {
		l = append(l, plain(t.faint, fmt.Sprintf(" and %d more; /tools lists all", more)))
	}
	if note != "" {
		l = append(l, plain(t.faint, " ("+note+")"))
	}
	return l
}
