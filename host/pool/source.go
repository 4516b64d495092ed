package pool

import (
	"cmp"
	"reflect"
	"slices"
)

// Source is what one provider offers. It must not be changed after it was given
// to [Assemble] or [Source.Prepare].
type Source struct {
	// Provider is the name the workspace declares the provider under.
	Provider string
	Kind     OriginKind
	// Revision is the provider's own count of its tool sets.
	Revision uint64
	// Tools are as the provider describes them. Of their origin only Server is
	// read, and their Name is given by Assemble.
	Tools []Tool
	// Overrides are what the configuration says of them.
	Overrides Overrides

	// prepared are the tools in order; nil before Prepare.
	prepared []*candidate
}

// Prepare returns the source with its tools named, checked and sorted. Assemble
// does it for sources that are not prepared; a host that keeps the prepared one
// until the provider changes its tools rebuilds its pool much faster.
func (s Source) Prepare() Source { return s.PrepareAfter(Source{}) }

// PrepareAfter is [Source.Prepare] for a provider whose tools were prepared
// before: those that have not changed are taken over. The result is the same.
func (s Source) PrepareAfter(before Source) Source {
	if s.prepared != nil {
		return s
	}
	known := before.known(s)
	overrides := s.Overrides.sorted()
	s.prepared = make([]*candidate, len(s.Tools))
	for i := range s.Tools {
		offered := &s.Tools[i]
		load, setting := s.Overrides.of(s.Provider, *offered, overrides)
		old := known[identity{offered.Origin.Server, offered.ProviderName}]
		if old != nil && old.load == load && old.setting == setting && reflect.DeepEqual(&old.offered, offered) {
			s.prepared[i] = old
			continue
		}
		s.prepared[i] = newCandidate(s, offered, load, setting, old)
	}
	slices.SortFunc(s.prepared, (*candidate).compare)
	return s
}

// identity tells the tools of one provider apart.
type identity struct{ server, name string }

// known are the prepared tools that another source of the same provider may take
// over. Of two with one identity neither is: which one is meant cannot be told.
func (s Source) known(next Source) map[identity]*candidate {
	if s.Kind != next.Kind || s.Provider != next.Provider {
		return nil
	}
	known := make(map[identity]*candidate, len(s.prepared))
	for _, c := range s.prepared {
		id := identity{c.offered.Origin.Server, c.offered.ProviderName}
		if _, twice := known[id]; twice {
			known[id] = nil
			continue
		}
		known[id] = c
	}
	return known
}

// Offered returns the tools that can be offered, with their public names. Those
// that the configuration turns off are not among them.
func (s Source) Offered() []Tool {
	s = s.Prepare()
	tools := make([]Tool, 0, len(s.prepared))
	for _, c := range s.prepared {
		if c.fault == "" && c.tool.Load != LoadOff {
			tools = append(tools, c.tool)
		}
	}
	return tools
}

// candidate is a tool with what can be told about it without knowing the others.
// It is immutable, and shared by all pools that have it.
type candidate struct {
	// offered is the tool as its provider describes it, tool what is made of it.
	// It is a copy: a part of the source's list would keep all of that alive.
	offered Tool
	tool    Tool
	digest  digest
	tokens  int // see tokensOf
	// load and setting are what the configuration says of it; empty: nothing.
	load    Load
	setting string
	// loadReason says why it is in the list, or deferred, when nothing else
	// decides.
	loadReason string
	// schemaFault is what is wrong with the input schema; fault says why the
	// tool cannot be offered. Both are empty when nothing is.
	schemaFault, fault string
}

// compare orders by origin and name. Two tools of one name in one provider are
// ordered by what they are, not by how they were listed, so that a provider
// that lists its tools in another order each time still gives one pool.
func (c *candidate) compare(other *candidate) int {
	if c == other {
		return 0
	}
	// Not cmp.Or: it would compare all of it each time.
	if order := c.tool.Origin.compare(other.tool.Origin); order != 0 {
		return order
	}
	if order := cmp.Compare(c.tool.Name, other.tool.Name); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(c.fault, other.fault), // one that can be offered is first
		slices.Compare(c.digest[:], other.digest[:]),
	)
}
