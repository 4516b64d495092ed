package pool

import (
	"cmp"
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

	// prepared are the tools in order; nil before Prepare.
	prepared []candidate
}

// candidate is a tool with what can be told about it without knowing the others.
type candidate struct {
	tool   Tool
	digest digest
	// fault says why the tool cannot be offered; empty when it can.
	fault string
}

// Prepare returns the source with its tools named, checked and sorted. Assemble
// does it for sources that are not prepared; a host that keeps the prepared one
// until the provider changes its tools rebuilds its pool much faster.
func (s Source) Prepare() Source {
	if s.prepared != nil {
		return s
	}
	s.prepared = make([]candidate, len(s.Tools))
	for i, tool := range s.Tools {
		tool.Origin = Origin{Kind: s.Kind, Provider: s.Provider, Server: tool.Origin.Server}
		tool.Name = PublicName(tool.Origin, tool.ProviderName)
		if tool.Load == "" {
			tool.Load = LoadAlways
		}
		s.prepared[i] = check(tool)
	}
	slices.SortFunc(s.prepared, candidate.compare)
	return s
}

// Offered returns the tools that can be offered, with their public names.
func (s Source) Offered() []Tool {
	s = s.Prepare()
	tools := make([]Tool, 0, len(s.prepared))
	for _, c := range s.prepared {
		if c.fault == "" {
			tools = append(tools, c.tool)
		}
	}
	return tools
}

// compare orders by origin and name. Two tools of one name in one provider are
// ordered by what they are, not by how they were listed, so that a provider
// that lists its tools in another order each time still gives one pool.
func (c candidate) compare(other candidate) int {
	return cmp.Or(
		c.tool.Origin.compare(other.tool.Origin),
		cmp.Compare(c.tool.Name, other.tool.Name),
		cmp.Compare(c.fault, other.fault), // one that can be offered is first
		slices.Compare(c.digest[:], other.digest[:]),
	)
}
