package pool

import (
	"cmp"
	"fmt"
	"slices"
)

// View narrows a pool for one reader. The zero value narrows nothing.
type View struct {
	// Denied reports a tool that policy takes out whatever its input, and why.
	// It must answer the same for the same tool.
	Denied func(Tool) (reason string, denied bool)
	// Loaded names the deferred tools that the reader has loaded, in that
	// order. Names of other tools are ignored.
	Loaded []string
	// Finder names the bundled tool that finds deferred ones. It is left out of
	// a pool that has none.
	Finder string
}

// Assemble makes a pool of what the providers offer, as one reader sees it. It
// is pure: the same sources in any order and the same view give the same pool.
//
// Of two tools with one name, the one with the earlier origin keeps it, whatever
// becomes of that one, so that denying a tool never puts another in its place.
func Assemble(sources []Source, view View) *Pool {
	candidates := merge(sources)
	loaded := make(map[string]int, len(view.Loaded))
	for i, name := range view.Loaded {
		if _, again := loaded[name]; !again {
			loaded[name] = i
		}
	}

	holders := make(map[string]*candidate, len(candidates))
	var bundled, others, late, rest []Entry
	defers := false
	others = make([]Entry, 0, len(candidates))
	for _, c := range candidates {
		entry := judge(c, holders[c.tool.Name], view, loaded)
		if holders[c.tool.Name] == nil {
			holders[c.tool.Name] = c
		}
		defers = defers || entry.State == Deferred
		switch {
		case entry.State != Visible:
			rest = append(rest, entry)
		case entry.Tool.Load == LoadDeferred:
			late = append(late, entry)
		case entry.Tool.Origin.Kind.Bundled():
			bundled = append(bundled, entry)
		default:
			others = append(others, entry)
		}
	}
	if !defers && len(late) == 0 {
		bundled = slices.DeleteFunc(bundled, func(e Entry) bool { return e.Tool.Name == view.Finder })
	}
	// Names of visible tools are unique, so these orders have no ties.
	slices.SortFunc(bundled, func(a, b Entry) int { return cmp.Compare(a.Tool.Name, b.Tool.Name) })
	slices.SortFunc(late, func(a, b Entry) int { return cmp.Compare(loaded[a.Tool.Name], loaded[b.Tool.Name]) })

	p := &Pool{
		entries: make([]Entry, 0, len(candidates)),
		visible: len(bundled) + len(others) + len(late),
		byName:  make(map[string]int, len(candidates)),
	}
	for _, part := range [][]Entry{bundled, others, late, rest} {
		p.entries = append(p.entries, part...)
	}
	for i := range p.entries {
		if p.entries[i].State != Shadowed {
			p.byName[p.entries[i].Tool.Name] = i
		}
	}
	return p
}

// merge returns the tools of all sources by origin and name.
func merge(sources []Source) []*candidate {
	sources = slices.Clone(sources)
	total := 0
	for i := range sources {
		sources[i] = sources[i].Prepare()
		total += len(sources[i].prepared)
	}
	slices.SortFunc(sources, func(a, b Source) int {
		return Origin{Kind: a.Kind, Provider: a.Provider}.compare(Origin{Kind: b.Kind, Provider: b.Provider})
	})
	candidates := make([]*candidate, 0, total)
	for _, source := range sources {
		for i := range source.prepared {
			candidates = append(candidates, &source.prepared[i])
		}
	}
	// Each source is sorted, so this has work only when two share an origin.
	slices.SortFunc(candidates, func(a, b *candidate) int { return a.compare(*b) })
	return candidates
}

// judge decides the state of a tool. holder is the tool that already has its
// name, or nil.
func judge(c, holder *candidate, view View, loaded map[string]int) Entry {
	entry := Entry{Tool: c.tool, digest: c.digest}
	entry.State, entry.Reason = Visible, "offered from the start"
	_, wanted := loaded[c.tool.Name]

	switch {
	case holder != nil:
		entry.State, entry.Reason = Shadowed, shadowReason(c.tool, holder.tool)
		return entry
	case c.fault != "":
		entry.State, entry.Reason = Hidden, c.fault
		return entry
	}
	if view.Denied != nil {
		if reason, denied := view.Denied(c.tool); denied {
			entry.State, entry.Reason = Denied, cmp.Or(reason, "denied by policy")
			return entry
		}
	}
	if c.tool.Load == LoadDeferred {
		if wanted {
			entry.Reason = "deferred, and loaded since"
		} else {
			entry.State, entry.Reason = Deferred, "deferred: it is found by search and can be called once it is loaded"
		}
	}
	return entry
}

func shadowReason(tool, holder Tool) string {
	if tool.Origin == holder.Origin {
		return fmt.Sprintf("%s lists a tool %q more than once; one of them is used", tool.Origin, tool.ProviderName)
	}
	return fmt.Sprintf("%s and %s both offer a tool named %s; %s comes first and keeps the name", holder.Origin, tool.Origin, tool.Name, holder.Origin)
}
