package pool

import "slices"

// Changes are names of tools, each list sorted.
type Changes struct {
	// Added and Removed can, or can no more, be called, loaded or not.
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	// Denied are those of the removed that policy takes out now.
	Denied []string `json:"denied,omitempty"`
	// Changed are described otherwise, come from elsewhere, or were loaded.
	Changed []string `json:"changed,omitempty"`
}

// Empty reports whether nothing changed.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// Diff tells how the tools that can be called differ. A nil pool has none.
func Diff(old, new *Pool) Changes {
	before, after := make(map[string]*decision), make(map[string]*decision)
	differing(old, new, func(was, is *decision) {
		if was != nil && was.state.callable() {
			before[was.tool.Name] = was
		}
		if is != nil && is.state.callable() {
			after[is.tool.Name] = is
		}
	})
	var changes Changes
	for name, is := range after {
		was, ok := before[name]
		switch {
		case !ok:
			changes.Added = append(changes.Added, name)
		case was.digest != is.digest || was.state != is.state:
			changes.Changed = append(changes.Changed, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			changes.Removed = append(changes.Removed, name)
			if _, state, _ := new.Find(name); state == Denied {
				changes.Denied = append(changes.Denied, name)
			}
		}
	}
	slices.Sort(changes.Added)
	slices.Sort(changes.Removed)
	slices.Sort(changes.Denied)
	slices.Sort(changes.Changed)
	return changes
}

// differing goes through two pools side by side and calls visit with what is not
// the same in both; the one that does not have it is nil.
func differing(old, new *Pool, visit func(was, is *decision)) {
	was, is := old.all(), new.all()
	for len(was) > 0 && len(is) > 0 {
		order := was[0].compare(is[0].candidate)
		switch {
		case order < 0:
			visit(&was[0], nil)
			was = was[1:]
		case order > 0:
			visit(nil, &is[0])
			is = is[1:]
		default:
			if was[0].state != is[0].state {
				visit(&was[0], &is[0])
			}
			was, is = was[1:], is[1:]
		}
	}
	for i := range was {
		visit(&was[i], nil)
	}
	for i := range is {
		visit(nil, &is[i])
	}
}

func (p *Pool) all() []decision {
	if p == nil {
		return nil
	}
	return p.decisions
}
