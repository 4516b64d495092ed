package pool

import (
	"cmp"
	"fmt"
	"slices"
)

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
	p := &Pool{decisions: make([]decision, len(candidates)), byName: make(map[string]int32, len(candidates))}
	before := memory{view.Before.all()}
	for i, c := range candidates {
		if holder, taken := p.byName[c.tool.Name]; taken {
			p.decisions[i] = decision{candidate: c, state: Shadowed, reason: shadowReason(&c.tool, &candidates[holder].tool)}
			continue
		}
		p.byName[c.tool.Name] = int32(i)
		p.decisions[i] = view.judge(c, before.of(c), loaded)
	}
	view.spend(p.decisions, loaded)
	view.hideFinder(p)
	p.arrange(loaded)
	return p
}

// hideFinder takes the finder from a reader who has nothing to find.
func (v *View) hideFinder(p *Pool) {
	i, ok := p.byName[v.Finder]
	if !ok || p.decisions[i].state != Visible || !p.decisions[i].tool.Origin.Kind.Bundled() {
		return
	}
	for j := range p.decisions {
		if d := &p.decisions[j]; d.state == Deferred || d.loaded {
			return
		}
	}
	p.decisions[i].state, p.decisions[i].reason = Hidden, "nothing is deferred, so there is nothing to find"
}

// arrange puts the visible tools into the model's order, and the others after them.
func (p *Pool) arrange(loaded map[string]int) {
	var bundled, late, rest []int32
	p.order = make([]int32, 0, len(p.decisions))
	others := p.order
	for i := range p.decisions {
		d := &p.decisions[i]
		switch {
		case d.state != Visible:
			rest = append(rest, int32(i))
		case d.loaded:
			late = append(late, int32(i))
		case d.tool.Origin.Kind.Bundled():
			bundled = append(bundled, int32(i))
		default:
			others = append(others, int32(i))
		}
	}
	name := func(i int32) string { return p.decisions[i].tool.Name }
	// Names of visible tools are unique, so these orders have no ties.
	slices.SortFunc(bundled, func(a, b int32) int { return cmp.Compare(name(a), name(b)) })
	slices.SortFunc(late, func(a, b int32) int { return cmp.Compare(loaded[name(a)], loaded[name(b)]) })
	p.visible = len(bundled) + len(others) + len(late)
	p.order = slices.Concat(bundled, others, late, rest)
}

// merge returns the tools of all sources by origin and name.
func merge(sources []Source) []*candidate {
	sources = slices.Clone(sources)
	total := 0
	for i := range sources {
		sources[i] = sources[i].Prepare()
		total += len(sources[i].prepared)
	}
	origin := func(s *Source) Origin { return Origin{Kind: s.Kind, Provider: s.Provider} }
	slices.SortFunc(sources, func(a, b Source) int { return origin(&a).compare(origin(&b)) })
	candidates := make([]*candidate, 0, total)
	apart := true
	for i := range sources {
		apart = apart && (i == 0 || origin(&sources[i-1]) != origin(&sources[i]))
		candidates = append(candidates, sources[i].prepared...)
	}
	if !apart { // else each is sorted and comes after the one before
		slices.SortFunc(candidates, (*candidate).compare)
	}
	return candidates
}

func shadowReason(tool, holder *Tool) string {
	if tool.Origin == holder.Origin {
		return fmt.Sprintf("%s lists a tool %q more than once; one of them is used", tool.Origin, tool.ProviderName)
	}
	return fmt.Sprintf("%s and %s both offer a tool named %s; %s comes first and keeps the name", holder.Origin, tool.Origin, tool.Name, holder.Origin)
}
