package search

import "math"

// concept is one word of a query, with the terms that stand for it.
type concept struct {
	members []member
	// weight is what it counts, its rareness included.
	weight float32
	// strong tells that it is not one of the words that people ask with.
	strong bool
	// required is the bit of a required word, or 0.
	required uint16
}

// member is a term and how much it counts of the word it stands for.
type member struct {
	term  uint32
	share float32
}

// wished is a term of the query, as it stands in it.
type wished struct {
	term   uint32
	weight float32
}

// nameShare is how much of a covered name a concept covers.
func (c *concept) nameShare() float32 {
	if c.strong {
		return 1
	}
	return weakShare
}

// reader turns the text of a query into concepts, each word once.
type reader struct {
	x    *Index
	seen map[uint32]bool
	// sequence has every known word that was read, in order.
	sequence []wished
	// unknown counts the words that nothing is known of.
	unknown int
	// exact leaves synonyms out; correct takes a near word for an unknown one.
	exact, correct bool
}

// read returns the concepts of a text in its order. Words that no document has,
// nor a synonym of them, are left out.
func (r *reader) read(text string) []concept {
	var concepts []concept
	taken := "" // a run of several words that is known as a whole
	split(text, func(word, whole string) {
		if whole == taken || stopWords[word] {
			return
		}
		if word != whole && r.known(whole) {
			taken, word = whole, whole
		}
		if c, ok := r.concept(word); ok {
			concepts = append(concepts, c)
		}
	})
	return concepts
}

func (r *reader) known(word string) bool {
	_, ok := r.x.ids[r.x.stemmer.stem(word)]
	return ok
}

// concept finds the terms for a word. It is not ok for a word that was read before
// and for one of which nothing is known.
func (r *reader) concept(word string) (c concept, ok bool) {
	stem := r.x.stemmer.stem(word)
	id, known := r.x.ids[stem]
	c.strong = !weakWords[word]
	share := float32(1)
	others := r.others(stem)
	if !known && len(others) == 0 && r.correct {
		id, known = r.x.near(stem)
		share = nearShare
	}
	rareness := r.rareness(id, known, others)
	c.weight = float32(rareness)
	if !c.strong {
		c.weight *= weakShare
	}
	switch {
	case known:
		r.sequence = append(r.sequence, wished{id, c.weight})
		if r.seen[id] {
			return c, false
		}
		r.seen[id] = true
		c.members = append(c.members, member{id, share})
	case len(others) == 0:
		r.unknown++
		return c, false
	}
	for _, other := range others {
		share := synonymShare * min(1, r.x.rareness(other)/rareness)
		c.members = append(c.members, member{other, float32(share)})
	}
	return c, true
}

// others are the synonyms of a stem that some document has.
func (r *reader) others(stem string) []uint32 {
	if r.exact {
		return nil
	}
	var ids []uint32
	for _, other := range synonyms()[stem] {
		if id, ok := r.x.ids[other]; ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// rareness is that of the word itself, and of its most frequent synonym where no
// document has the word.
func (r *reader) rareness(id uint32, known bool, others []uint32) float64 {
	if known {
		return r.x.rareness(id)
	}
	rareness := math.Inf(1)
	for _, other := range others {
		rareness = min(rareness, r.x.rareness(other))
	}
	return rareness
}

// rareness is the inverse document frequency of BM25.
func (x *Index) rareness(term uint32) float64 {
	n, df := float64(x.live), float64(len(x.terms[term].postings))
	return math.Log(1 + (n-df+.5)/(df+.5))
}
