package pool

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

const maxNear = 3

// slip is how many letters of a name may be wrong: a third, which is enough for a
// slip and too little for another word. Two letters that changed places count as
// two.
func slip(name string) int { return max(min(2, len(name)/2), len(name)/3) }

// Near returns up to three names of tools that can be called and that whoever
// wrote name may have meant, the nearest first.
func (p *Pool) Near(name string) []string { return p.near(name, State.callable) }

// NearAny is [Pool.Near] among the tools of all states, for who asks why one of
// them is as it is.
func (p *Pool) NearAny(name string) []string { return p.near(name, func(State) bool { return true }) }

func (p *Pool) near(name string, among func(State) bool) []string {
	type match struct {
		name     string
		distance int
	}
	var matches []match
	wanted := strings.ToLower(name)
	limit := slip(wanted)
	for i := range p.decisions {
		d := &p.decisions[i]
		if wanted == "" || d.state == Shadowed || !among(d.state) {
			continue
		}
		candidate := strings.ToLower(d.tool.Name)
		distance := limit + 1
		switch {
		case strings.HasSuffix(candidate, separator+wanted):
			distance = 1 // the name without the origin it needs
		case max(len(wanted)-len(candidate), len(candidate)-len(wanted)) <= limit:
			// Not with MaxCost: v1.2.3 then calls words_lines and words__count 2 apart.
			distance = levenshtein.Distance(wanted, candidate, nil)
		}
		if distance <= limit {
			matches = append(matches, match{d.tool.Name, distance})
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, m := range matches[:min(len(matches), maxNear)] {
		names = append(names, m.name)
	}
	return names
}
