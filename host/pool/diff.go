package pool

import "slices"

// Changes are names of tools, each list sorted.
type Changes struct {
	// Added and Removed can, or can no more, be called, loaded or not.
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	// Changed are described otherwise, come from elsewhere, or were loaded.
	Changed []string `json:"changed,omitempty"`
}

// Empty reports whether nothing changed.
func (c Changes) Empty() bool { return len(c.Added)+len(c.Removed)+len(c.Changed) == 0 }

// Diff tells how the tools that can be called differ. A nil pool has none.
func Diff(old, new *Pool) Changes {
	var changes Changes
	before, after := old.callable(), new.callable()
	for name, now := range after {
		then, ok := before[name]
		switch {
		case !ok:
			changes.Added = append(changes.Added, name)
		case then.digest != now.digest || then.State != now.State:
			changes.Changed = append(changes.Changed, name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			changes.Removed = append(changes.Removed, name)
		}
	}
	slices.Sort(changes.Added)
	slices.Sort(changes.Removed)
	slices.Sort(changes.Changed)
	return changes
}

func (p *Pool) callable() map[string]*Entry {
	if p == nil {
		return nil
	}
	callable := make(map[string]*Entry, len(p.entries))
	for i := range p.entries {
		if entry := &p.entries[i]; entry.State == Visible || entry.State == Deferred {
			callable[entry.Tool.Name] = entry
		}
	}
	return callable
}
