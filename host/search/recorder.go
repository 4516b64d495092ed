package search

// recorder counts the words of one document.
type recorder struct {
	x        *Index
	counts   map[uint32]*[fieldCount]int // by term
	lengths  [fieldCount]int
	sequence []uint32
}

// record counts the words of a piece of text. An identifier of several words is
// counted by its words and as a whole: GitHub is git, hub and github.
func (r *recorder) record(f field, text string) {
	counted := ""
	split(text, func(word, whole string) {
		if word != whole && whole != counted {
			counted = whole
			r.count(f, whole)
		}
		if stopWords[word] {
			return
		}
		id := r.count(f, word)
		if f.inSentences() && len(r.sequence) < maxSequence {
			r.sequence = append(r.sequence, id)
		}
	})
}

// inSentences reports whether words of the field that stand next to each other
// belong together.
func (f field) inSentences() bool {
	switch f {
	case fieldName, fieldTitle, fieldDescription, fieldHint, fieldExample:
		return true
	}
	return false
}

func (r *recorder) count(f field, word string) (term uint32) {
	id := r.x.intern(r.x.stemmer.stem(word))
	if r.counts[id] == nil {
		r.counts[id] = new([fieldCount]int)
	}
	r.counts[id][f]++
	r.lengths[f]++
	return id
}

// posting sums up what was counted of a term.
func (r *recorder) posting(slot, term uint32) posting {
	p := posting{slot: slot}
	for f, count := range r.counts[term] {
		if count > 0 {
			p.impact += field(f).impact(count, r.lengths[f])
		}
	}
	p.impact *= evened(&r.lengths)
	if count := r.counts[term][fieldName]; count > 0 {
		p.name = float32(count) / float32(r.lengths[fieldName])
	}
	return p
}
