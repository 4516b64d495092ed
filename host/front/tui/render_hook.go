package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/session"
)

// hookLines draws what a hook had to say: below its call, or by itself when it is
// about the session.
func hookLines(t theme, b session.HookAnswered) []line {
	head := "  hook " + oneLine(b.Hook)
	if b.CallID == "" {
		head = "hook " + oneLine(b.Hook) + " at " + oneLine(b.Event)
	}
	said := func(style tcell.Style, text string) line {
		return line{plain(t.faint, head+": "), plain(style, oneLine(text))}
	}
	var lines []line
	if b.Outcome != "" {
		lines = append(lines, said(outcomeStyle(t, b.Outcome), joinColon(b.Outcome, b.Reason)))
	}
	for _, warning := range b.Warnings {
		lines = append(lines, said(t.caution, warning))
	}
	if b.Rewrote {
		what := "rewrote the input"
		if strings.HasPrefix(b.Event, "post_") {
			what = "replaced the result"
		}
		lines = append(lines, said(t.caution, what))
	}
	return lines
}

func outcomeStyle(t theme, outcome string) tcell.Style {
	switch outcome {
	case "allow":
		return t.good
	case "ask":
		return t.caution
	}
	return t.bad
}

// replacedLine tells where the result is that the model does not see.
func replacedLine(t theme, b session.ResultReplaced) line {
	if b.OriginalPath == "" {
		return textLine(t.bad, "  what the tool said could not be kept")
	}
	return line{plain(t.faint, "  what the tool said is in "), plain(t.plain, oneLine(b.OriginalPath))}
}
