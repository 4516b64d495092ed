package search

// scratch is the memory of one search, kept for the next. Between searches all
// numbers of slots and groups are zero.
type scratch struct {
	slots   []slotScore
	touched []uint32 // slots with a score
	concept []uint32 // slots that have the concept at hand
	clause  []uint32 // slots that have a concept of the clause at hand
	groups  []float32
	best    []candidate
	pairs   map[pair]float32 // of the query
	met     []pair           // those that the document at hand has
}

// slotScore is what a search knows of a document.
type slotScore struct {
	impact   float32 // of the concept at hand
	clause   float32 // score of the clause at hand
	whole    float32 // sum over all clauses
	top      float32 // of its best clause, as a share of what is best for that clause
	name     float32 // share of its name that the query covers
	required uint16  // bits of the required words that it has
	named    naming
}

func newScratch() *scratch { return &scratch{pairs: make(map[pair]float32)} }

// begin makes room for a search.
func (s *scratch) begin(slots, groups int) {
	if len(s.slots) < slots {
		s.slots = make([]slotScore, slots+slots/4)
	}
	if len(s.groups) < groups {
		s.groups = make([]float32, groups+groups/4)
	}
}

// end zeroes what a search has touched.
func (s *scratch) end() {
	for _, slot := range s.touched {
		s.slots[slot] = slotScore{}
	}
	s.touched, s.best = s.touched[:0], s.best[:0]
	clear(s.groups)
	clear(s.pairs)
}

// rank scores every document that has a word of the query.
func (x *Index) rank(s *scratch, clauses [][]concept) {
	for _, clause := range clauses {
		for i := range clause {
			x.accumulate(s, &clause[i])
		}
		s.endClause()
	}
	var best float32
	for _, slot := range s.touched {
		d := &s.slots[slot]
		d.whole *= 1 + nameBonus*d.name
		d.top *= 1 + nameBonus*d.name
		best = max(best, d.whole)
	}
	if len(clauses) > 1 {
		for _, slot := range s.touched {
			d := &s.slots[slot]
			d.whole = (1-clauseShare)*d.whole + clauseShare*best*d.top
		}
	}
	x.lift(s)
}

// accumulate adds the score of one concept to the documents that have it. Its
// members count as forms of one word: their impacts are added before they are
// saturated.
func (x *Index) accumulate(s *scratch, c *concept) {
	for _, m := range c.members {
		name := m.share * c.nameShare()
		for _, p := range x.terms[m.term].postings {
			d := &s.slots[p.slot]
			if d.impact == 0 {
				s.concept = append(s.concept, p.slot)
			}
			d.impact += m.share * p.impact
			d.name += name * p.name
		}
	}
	for _, slot := range s.concept {
		d := &s.slots[slot]
		if d.clause == 0 {
			s.clause = append(s.clause, slot)
		}
		d.clause += c.weight * d.impact * (saturation + 1) / (d.impact + saturation)
		d.impact = 0
		d.required |= c.required
	}
	s.concept = s.concept[:0]
}

// endClause takes the scores of a clause over into the whole.
func (s *scratch) endClause() {
	var best float32
	for _, slot := range s.clause {
		best = max(best, s.slots[slot].clause)
	}
	for _, slot := range s.clause {
		d := &s.slots[slot]
		if d.whole == 0 {
			s.touched = append(s.touched, slot)
		}
		d.whole += d.clause
		d.top = max(d.top, d.clause/best)
		d.clause = 0
	}
	s.clause = s.clause[:0]
}

// lift brings each tool nearer to the best one of its server: what a server is
// for shows in all of its tools, and one wish often needs several of them. The
// best stays where it is, so a tool of no server is at no disadvantage.
func (x *Index) lift(s *scratch) {
	for _, slot := range s.touched {
		best := &s.groups[x.groupOf[slot]]
		*best = max(*best, s.slots[slot].whole)
	}
	for _, slot := range s.touched {
		group := x.groupOf[slot]
		if x.groups.members[group] <= maxLiftedGroup {
			d := &s.slots[slot]
			d.whole += groupShare * (s.groups[group] - d.whole)
		}
	}
}
