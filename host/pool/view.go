package pool

import (
	"cmp"
	"fmt"
	"slices"
)

// View narrows a pool for one reader. The zero value narrows nothing. Its
// functions must answer the same for the same tool while a pool is assembled.
type View struct {
	// Denied reports a tool that policy takes out whatever its input, and why.
	Denied func(Tool) (reason string, denied bool)
	// Before is a pool that was assembled with the same Denied, or nil. What it
	// answered then is not asked again, which makes no difference but for time.
	Before *Pool
	// Barred reports a tool that could not be called in the reader's mode,
	// whatever its input, and why.
	Barred func(Tool) (reason string, barred bool)
	// Active reports whether an activation scope is; nil activates all.
	Active func(scope string) bool
	// Loaded names the deferred tools that the reader has loaded, in that
	// order. Names of other tools are ignored.
	Loaded []string
	// Finder names the bundled tool that finds deferred ones. It is hidden from
	// a reader who has none.
	Finder string

	// Coordinator leaves a reader nothing but what others work for it by: the
	// bundled Agent, SendMessage and ReadResult, and the finder.
	Coordinator bool
	// Depth is how many agents are above the reader, and MaxDepth the depth at
	// which it gets no tools that start or drive further ones; 0 is no limit.
	Depth, MaxDepth int

	// VisibleTokens bounds the model's list; 0 is no bound. See docs/pool.md.
	VisibleTokens int
	// Uses are how often tools were called, which decides who stays within
	// that bound. They must stay the same for as long as a prompt cache should.
	Uses map[string]int
}

// coordinating are the tools that a coordinator has, beside the finder.
var coordinating = []string{"Agent", "SendMessage", "ReadResult"}

// decision is what became of a tool in one pool.
type decision struct {
	*candidate
	state  State
	reason string
	by     string // the setting that decided; empty: none did
	loaded bool   // it would be deferred
}

// memory goes through the decisions of an earlier pool in their order.
type memory struct{ rest []decision }

// of returns the decision about a candidate; nil if it is not remembered. It is
// asked about candidates in their order.
func (m *memory) of(c *candidate) *decision {
	for len(m.rest) > 0 && m.rest[0].candidate != c && m.rest[0].compare(c) < 0 {
		m.rest = m.rest[1:]
	}
	if len(m.rest) > 0 && m.rest[0].candidate == c {
		return &m.rest[0]
	}
	return nil
}

// denied asks policy about a tool, unless it is known what it said.
func (v *View) denied(c *candidate, before *decision) (reason string, denied bool) {
	switch {
	case v.Denied == nil:
		return "", false
	case before != nil && before.state != Shadowed:
		return before.reason, before.state == Denied
	}
	return v.Denied(c.tool)
}

// judge decides about a tool that has its name to itself, of which before is what
// was decided earlier, or nil. The bound on tokens is about all of them together
// and comes later.
func (v *View) judge(c *candidate, before *decision, loaded map[string]int) decision {
	d := decision{candidate: c, state: Hidden}
	if c.fault != "" {
		d.reason = c.fault
		return d
	}
	if reason, denied := v.denied(c, before); denied {
		d.state, d.reason, d.by = Denied, cmp.Or(reason, "denied by policy"), "policy { deny = [...] }"
		return d
	}
	if c.tool.Load == LoadOff {
		d.reason, d.by = "turned off by "+c.setting, c.setting
		return d
	}
	if d.reason = v.outside(&c.tool); d.reason != "" {
		return d
	}
	d.state, d.by = Visible, c.setting
	d.reason = c.loadReason
	if c.tool.Load == LoadDeferred {
		d.deferTo(loaded)
	}
	return d
}

// deferTo defers a tool, for which the reason is set already, unless it is loaded.
func (d *decision) deferTo(loaded map[string]int) {
	d.state = Deferred
	if _, d.loaded = loaded[d.tool.Name]; d.loaded {
		d.state, d.reason = Visible, d.reason+"; loaded since"
	}
}

// outside says why a tool is not for this reader; empty: it is.
func (v *View) outside(tool *Tool) string {
	switch {
	case v.Coordinator && !v.coordinates(tool):
		return "not for a coordinator, who lets other agents do the work"
	case v.MaxDepth > 0 && v.Depth >= v.MaxDepth && drivesAgents(tool):
		return fmt.Sprintf("it starts or drives agents, and this one is at depth %d of at most %d", v.Depth, v.MaxDepth)
	case tool.ActivationScope != "" && v.Active != nil && !v.Active(tool.ActivationScope):
		return fmt.Sprintf("it is for files like %s, and no such file was seen here", tool.ActivationScope)
	}
	if v.Barred != nil {
		if reason, barred := v.Barred(*tool); barred {
			return cmp.Or(reason, "it cannot be called in this mode")
		}
	}
	return ""
}

// coordinates reports whether a coordinator has a tool. A plugin cannot make its
// own one of them.
func (v *View) coordinates(tool *Tool) bool {
	return tool.Origin.Kind.Bundled() && (tool.Name == v.Finder || slices.Contains(coordinating, tool.Name))
}

// drivesAgents reports whether a tool starts agents or has them work.
func drivesAgents(tool *Tool) bool {
	if tool.Origin.Kind.Bundled() && (tool.Name == "Agent" || tool.Name == "SendMessage") {
		return true
	}
	return slices.ContainsFunc(tool.Subjects, func(s SubjectField) bool { return s.Kind == SubjectAgent })
}
