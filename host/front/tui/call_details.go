package tui

import "github.com/toolcrib/toolcrib/host/session"

// details draws all of a call from the log, since the transcript keeps excerpts
// only. The log forgets its oldest events: then it draws what is left, and says so.
func (c *call) details(t theme, log []session.Event) []line {
	whole := &call{id: c.id, tool: c.tool, invokedBy: c.invokedBy, input: c.input, via: c.via, whole: true}
	opened := false
	for _, event := range log {
		if callID(event.Body) != c.id {
			continue
		}
		if _, ok := event.Body.(session.ToolCalled); ok {
			opened = true
		}
		whole.add(event.Body)
	}
	if opened {
		return whole.render(t)
	}
	if c.finished != nil && whole.finished == nil {
		whole = c
	}
	note := textLine(t.caution, "  the session no longer remembers all of this call; this is what is left")
	return append(whole.render(t), note)
}
