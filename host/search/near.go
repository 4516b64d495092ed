package search

import (
	"math/bits"

	"github.com/agext/levenshtein"
)

const (
	// minNearWord is the length of the shortest word that is corrected. A
	// shorter one is near to too many others.
	minNearWord = 4
	// twoEdits is the length from which a word may be wrong in two places.
	twoEdits = 8
)

// letterSet has a bit for each letter and digit of a word. An edit changes at
// most two bits, which rules most words out without comparing them.
func letterSet(word string) uint32 {
	var set uint32
	for i := range len(word) {
		set |= 1 << (word[i] % 32)
	}
	return set
}

// near returns the term that a word which no document has was most likely meant
// to be: of the nearest the most frequent.
func (x *Index) near(word string) (id uint32, ok bool) {
	if len(word) < minNearWord || !isASCIIWord(word) {
		return 0, false
	}
	limit := 1
	if len(word) >= twoEdits {
		limit = 2
	}
	letters := letterSet(word)
	for candidate := range x.terms {
		t := &x.terms[candidate]
		if max(len(t.text)-len(word), len(word)-len(t.text)) > limit || t.text == "" ||
			bits.OnesCount32(t.letters^letters) > 2*limit {
			continue
		}
		distance := levenshtein.Distance(word, t.text, nil)
		if swapped(word, t.text) {
			distance = 1
		}
		switch {
		case distance > limit:
		case !ok || distance < limit, x.better(uint32(candidate), id):
			id, ok, limit = uint32(candidate), true, distance
		}
	}
	return id, ok
}

// better reports whether term a is a better correction than b at one distance.
func (x *Index) better(a, b uint32) bool {
	if na, nb := len(x.terms[a].postings), len(x.terms[b].postings); na != nb {
		return na > nb
	}
	return x.terms[a].text < x.terms[b].text
}

// swapped reports whether two letters next to each other changed places, which is
// one slip of the fingers and counts as one edit.
func swapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}
