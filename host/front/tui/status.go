package tui

import (
	"fmt"
	"path/filepath"
	"strings"
)

// status is what the last line tells.
type status struct {
	workspace string // absolute path
	mode      string
	visible   int // tools
	deferred  int
	ready     int // providers
	providers int
	sick      []string // "lsp crashed"
	waiting   int      // cards
	running   int      // calls of this person
	hint      string   // what the keys do where the focus is
	warns     bool     // the person did not put it there
}

// line fits the status into a width. What needs the person comes first, the
// hint keeps the right end, and the middle gives way.
func (s status) line(t theme, width int) line {
	var left line
	if s.waiting > 0 {
		left = append(left, plain(t.alert, fmt.Sprintf(" %d waiting ", s.waiting)), plain(t.plain, " "))
	}
	parts := []span{
		plain(t.strong, filepath.Base(s.workspace)),
		plain(t.plain, "mode "+s.mode),
		plain(t.plain, s.tools()),
		s.health(t),
	}
	if s.running > 0 {
		parts = append(parts, plain(t.caution, fmt.Sprintf("%d running", s.running)))
	}
	for i, part := range parts {
		if i > 0 {
			left = append(left, plain(t.faint, " · "))
		}
		left = append(left, part)
	}
	style := t.faint
	if s.warns {
		style = t.alert
	}
	hint := textLine(style, s.hint)
	room := width - hint.width() - 1
	left = cut(left, room)
	gap := max(width-left.width()-hint.width(), 0)
	return append(append(left, plain(t.plain, strings.Repeat(" ", gap))), hint...)
}

func (s status) tools() string {
	if s.deferred == 0 {
		return fmt.Sprintf("tools %d", s.visible)
	}
	return fmt.Sprintf("tools %d+%d deferred", s.visible, s.deferred)
}

func (s status) health(t theme) span {
	if len(s.sick) == 0 {
		return plain(t.good, fmt.Sprintf("providers %d/%d", s.ready, s.providers))
	}
	return plain(t.bad, fmt.Sprintf("providers %d/%d (%s)", s.ready, s.providers, strings.Join(s.sick, ", ")))
}

// cut shortens a line to width columns.
func cut(l line, width int) line {
	if l.width() <= width {
		return l
	}
	clusters := l.clusters()
	used, n := 0, 0
	for n < len(clusters) && used+clusters[n].width < width {
		used += clusters[n].width
		n++
	}
	return append(joined(nil, nil, clusters[:n]), span{text: "…", style: l[len(l)-1].style})
}
