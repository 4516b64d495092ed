package pool

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

const maxNear = 3

// Near returns up to three names of tools that can be called and that whoever
// wrote name may have meant, the nearest first.
func (p *Pool) Near(name string) []string {
	type match struct {
		name     string
		distance int
	}
	var matches []match
	wanted := strings.ToLower(name)
	// A third of the letters may be wrong: enough for a slip, too little for
	// another word. Two letters that changed places count as two.
	limit := max(min(2, len(wanted)/2), len(wanted)/3)
	for i := range p.entries {
		entry := &p.entries[i]
		if wanted == "" || entry.State != Visible && entry.State != Deferred {
			continue
		}
		candidate := strings.ToLower(entry.Tool.Name)
		distance := limit + 1
		switch {
		case strings.HasSuffix(candidate, separator+wanted):
			distance = 1 // the name without the origin it needs
		case max(len(wanted)-len(candidate), len(candidate)-len(wanted)) <= limit:
			// Not with MaxCost: v1.2.3 then calls words_lines and words__count 2 apart.
			distance = levenshtein.Distance(wanted, candidate, nil)
		}
		if distance <= limit {
			matches = append(matches, match{entry.Tool.Name, distance})
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
