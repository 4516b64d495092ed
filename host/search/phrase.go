package search

// pair are two terms that stand next to each other.
type pair [2]uint32

// wish notes the pairs of a query and what each adds.
func (s *scratch) wish(sequence []wished) {
	for i := 1; i < len(sequence); i++ {
		a, b := sequence[i-1], sequence[i]
		s.pairs[pair{a.term, b.term}] = pairShare * (a.weight + b.weight) / 2
	}
}

// phrases is what the pairs of the query add that a document has. One that it
// repeats adds less each time, as words do: a long description would win by saying
// one thing often.
func (x *Index) phrases(s *scratch, slot uint32) float32 {
	sequence := x.docs[slot].sequence
	s.met = s.met[:0]
	var sum float32
	for i := 1; i < len(sequence); i++ {
		p := pair{sequence[i-1], sequence[i]}
		adds := s.pairs[p]
		if adds == 0 {
			continue
		}
		for _, before := range s.met {
			if before == p {
				adds *= repeatShare
			}
		}
		sum += adds
		s.met = append(s.met, p)
	}
	return sum
}
