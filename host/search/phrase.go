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

// phrases is what the pairs of the query add that a document has.
func (x *Index) phrases(s *scratch, slot uint32) float32 {
	sequence := x.docs[slot].sequence
	var sum float32
	for i := 1; i < len(sequence); i++ {
		sum += s.pairs[pair{sequence[i-1], sequence[i]}]
	}
	return sum
}
