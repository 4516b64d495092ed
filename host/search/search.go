package search

import (
	"cmp"
	"slices"
	"strings"
)

// Hit is a tool that was found.
type Hit struct {
	Provider string
	Name     string
	// Named tells that the query names the tool, rather than what it does.
	Named bool
	// Score orders the hits of one search. It means nothing beyond that.
	Score float64
}

// Allow says whether a tool may be in an answer.
type Allow func(provider, name string) bool

// Result is the answer to a query.
type Result struct {
	Hits []Hit // the best first
	// Missing are the selected names that no tool has, or none that is allowed.
	Missing []string
}

// Search returns up to limit tools for a query, but all that it selects by name.
// allow says whether a tool of a provider may be found; nil allows all. It is
// called while the index is locked. The same query gives the same answer as long
// as the same is indexed.
func (x *Index) Search(q Query, limit int, allow Allow) Result {
	if allow == nil {
		allow = func(string, string) bool { return true }
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	if len(q.Select) > 0 {
		return x.selected(q.Select, allow)
	}
	s := x.scratches.Get().(*scratch)
	defer x.scratches.Put(s)
	s.begin(len(x.docs), len(x.groups.members))
	defer s.end()

	clauses, sequence, required, possible := x.read(q)
	if !possible || limit <= 0 {
		return Result{}
	}
	x.rank(s, clauses)
	x.named(s, q.Text)
	if q.Text == "" && q.Server != "" {
		s.touchAll(x.docs)
	}
	f := filter{server: q.Server, required: required, allow: allow}
	for _, slot := range s.touched {
		x.offer(s, slot, &f, max(limit, reranked))
	}
	s.wish(sequence)
	for i := range s.best {
		s.best[i].score += x.phrases(s, s.best[i].slot)
	}
	slices.SortFunc(s.best, x.compare)
	return Result{Hits: x.hits(s.best[:min(limit, len(s.best))])}
}

func (x *Index) hits(best []candidate) []Hit {
	hits := make([]Hit, len(best))
	for i, c := range best {
		d := &x.docs[c.slot]
		hits[i] = Hit{Provider: d.provider, Name: d.document.Name, Named: c.named != unnamed, Score: float64(c.score)}
	}
	return hits
}

// read divides a query into clauses of concepts: one, unless it is long and has
// several that say something. It is not possible when a required word is unknown.
func (x *Index) read(q Query) (parts [][]concept, sequence []wished, required uint16, possible bool) {
	r := &reader{x: x, seen: make(map[uint32]bool), exact: true, correct: true}
	var first []concept
	for _, word := range q.Required[:min(len(q.Required), maxRequired)] {
		concepts := r.read(word)
		for i := range concepts {
			concepts[i].required = 1 << min(len(first), maxRequired-1)
			required |= concepts[i].required
			first = append(first, concepts[i])
		}
	}
	if r.unknown > 0 {
		return nil, nil, 0, false
	}
	r.exact, r.correct = false, strings.Count(q.Text, " ") < maxCorrected
	r.sequence = nil // the text has these words again, where they belong
	strong := 0
	parts = [][]concept{first}
	for _, clause := range clauses(q.Text) {
		concepts := r.read(clause)
		says := 0
		for _, c := range concepts {
			if c.strong {
				says++
			}
		}
		strong += says
		if last := len(parts) - 1; says < 2 || len(parts[last]) == 0 {
			parts[last] = append(parts[last], concepts...)
		} else {
			parts = append(parts, concepts)
		}
	}
	if strong < minLongQuery {
		parts = [][]concept{slices.Concat(parts...)}
	}
	return parts, r.sequence, required, true
}

// maxRequired is how many required words are kept apart.
const maxRequired = 16

// touchAll scores all documents as equal.
func (s *scratch) touchAll(docs []doc) {
	for slot := range docs {
		if !docs[slot].removed && s.slots[slot].whole == 0 {
			s.touched = append(s.touched, uint32(slot))
		}
	}
}

// filter says which documents may be in an answer.
type filter struct {
	server   string
	required uint16
	allow    Allow
}

func (f *filter) admits(d *doc, has uint16) bool {
	return has&f.required == f.required &&
		(f.server == "" || strings.EqualFold(f.server, d.document.Server) || strings.EqualFold(f.server, d.provider)) &&
		f.allow(d.provider, d.document.Name)
}

// candidate is a document that may be in the answer.
type candidate struct {
	slot  uint32
	score float32
	named naming
}

// compare orders the best first. Scores that are equal are common among tools
// that are described alike, so names decide.
func (x *Index) compare(a, b candidate) int {
	switch {
	case a.named != b.named:
		return cmp.Compare(b.named, a.named)
	case a.score != b.score:
		return cmp.Compare(b.score, a.score)
	}
	one, other := &x.docs[a.slot], &x.docs[b.slot]
	return cmp.Or(strings.Compare(one.document.Name, other.document.Name), strings.Compare(one.provider, other.provider))
}

// offer keeps a document if it is among the limit best so far.
func (x *Index) offer(s *scratch, slot uint32, f *filter, limit int) {
	d := &s.slots[slot]
	c := candidate{slot, d.whole, d.named}
	full := len(s.best) == limit
	if full && (d.whole < s.best[limit-1].score && d.named == unnamed || x.compare(c, s.best[limit-1]) > 0) || !f.admits(&x.docs[slot], d.required) {
		return
	}
	if full {
		s.best = s.best[:limit-1]
	}
	at, _ := slices.BinarySearchFunc(s.best, c, x.compare)
	s.best = slices.Insert(s.best, at, c)
}
