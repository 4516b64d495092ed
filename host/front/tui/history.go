package tui

import (
	"strings"

	"github.com/toolcrib/toolcrib/host/session"
)

// history turns the events of a session into entries of the transcript.
type history struct {
	transcript *transcript
	calls      map[string]*call // by call id
	order      []*call
	// wrappers are calls that only carry another one, by run, until that comes.
	wrappers map[string]*call
}

func newHistory(t *transcript) *history {
	return &history{transcript: t, calls: map[string]*call{}, wrappers: map[string]*call{}}
}

// apply takes the next event.
func (h *history) apply(event session.Event) {
	id := callID(event.Body)
	if id == "" {
		h.transcript.addLines(eventLines(h.transcript.theme, event.Body)...)
		return
	}
	c := h.call(id)
	c.add(event.Body)
	if opened, ok := event.Body.(session.ToolCalled); ok {
		h.unwrap(c, event.RunID, opened.Wrapper)
	}
	c.entry.changed = true
}

// call returns the call, also when the event that opened it is forgotten.
func (h *history) call(id string) *call {
	if c := h.calls[id]; c != nil {
		return c
	}
	c := &call{id: id}
	c.entry = h.transcript.add(c.render)
	h.calls[id] = c
	h.order = append(h.order, c)
	if drop := len(h.order) - maxEntries; drop > 0 {
		for _, old := range h.order[:drop] {
			delete(h.calls, old.id)
		}
		h.order = append([]*call(nil), h.order[drop:]...)
	}
	return c
}

// unwrap shows an inner call in the place of the transparent wrapper before it.
func (h *history) unwrap(c *call, runID string, wrapper bool) {
	if outer := h.wrappers[runID]; outer != nil && outer != c {
		delete(h.wrappers, runID)
		outer.replaced, outer.entry.changed = true, true
		c.via = outer.tool
		if outer.via != "" {
			c.via = outer.via + ", " + outer.tool
		}
	}
	if wrapper {
		h.wrappers[runID] = c
	}
}

// find returns the one call whose id is or starts with id, which may lack the
// "call_" in front.
func (h *history) find(id string) *call {
	var found *call
	for _, c := range h.order {
		if c.id == id {
			return c
		}
		if strings.HasPrefix(c.id, id) || strings.HasPrefix(c.id, "call_"+id) {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

// callID is the call that an event belongs to, "" when to none.
func callID(body session.Body) string {
	switch b := body.(type) {
	case session.ToolCalled:
		return b.CallID
	case session.ToolPlanned:
		return b.CallID
	case session.ToolJudged:
		return b.CallID
	case session.HookAnswered:
		return b.CallID
	case session.ResultReplaced:
		return b.CallID
	case session.ApprovalAsked:
		return b.CallID
	case session.ApprovalDecided:
		return b.CallID
	case session.ToolStarted:
		return b.CallID
	case session.ToolProgress:
		return b.CallID
	case session.ToolOutput:
		return b.CallID
	case session.HandoffStarted:
		return b.CallID
	case session.HandoffEnded:
		return b.CallID
	case session.ToolFinished:
		return b.CallID
	}
	return ""
}
