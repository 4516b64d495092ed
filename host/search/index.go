package search

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Index is what tools are searched in. It is safe for concurrent use: searches
// run side by side, a change waits for them and they for it.
type Index struct {
	stemmer stemmer

	mu        sync.RWMutex
	providers map[string]map[string]uint32 // provider, name, slot
	docs      []doc                        // by slot
	groupOf   []uint32                     // by slot, apart from docs for the speed of going through it
	freeDocs  []uint32                     // slots without a document
	live      int                          // how many slots have one
	ids       map[string]uint32            // of terms
	terms     []term                       // by id
	freeTerms []uint32
	keys      map[string][]uint32 // slots by what exactly names a tool
	groups    groups
	lessons   map[string]Lesson // by tool

	scratches sync.Pool
}

// doc is one indexed document.
type doc struct {
	provider string
	document Document
	digest   digest
	terms    []uint32 // distinct
	sequence []uint32 // terms of name, description and examples, as they stand
	keys     []string
	removed  bool
}

// term is a word that some document has.
type term struct {
	text     string
	postings []posting
	letters  uint32 // see letterSet
}

// posting says that a document has a term.
type posting struct {
	slot   uint32
	impact float32 // its frequency, weighted over all fields
	name   float32 // the share of the tool's name that it is
}

// New makes an empty index.
func New() *Index {
	x := &Index{
		providers: make(map[string]map[string]uint32),
		ids:       make(map[string]uint32),
		keys:      make(map[string][]uint32),
		groups:    groups{ids: make(map[string]uint32)},
		lessons:   make(map[string]Lesson),
	}
	x.scratches.New = func() any { return newScratch() }
	return x
}

// Len is the number of tools.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.live
}

// Providers are the names of those that have tools, sorted.
func (x *Index) Providers() []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return slices.Sorted(maps.Keys(x.providers))
}

// Replace makes documents all that a provider has. What has not changed is left
// alone, so the cost is that of the difference. Of two documents of one name the
// first counts. What was learned for a tool stays while its schema does.
func (x *Index) Replace(provider string, documents []Document) {
	x.mu.Lock()
	defer x.mu.Unlock()
	old := x.providers[provider]
	now := make(map[string]uint32, len(documents))
	var added []Document
	seen := make(map[string]bool, len(documents))
	for _, d := range documents {
		if seen[d.Name] {
			continue
		}
		seen[d.Name] = true
		if slot, ok := old[d.Name]; ok && x.docs[slot].digest == d.digest() {
			now[d.Name] = slot
		} else {
			added = append(added, d)
		}
	}
	var gone []uint32
	for name, slot := range old {
		if _, stays := now[name]; !stays {
			gone = append(gone, slot)
		}
	}
	x.remove(gone)
	for _, d := range added {
		now[d.Name] = x.add(provider, d)
	}
	x.providers[provider] = now
	if len(now) == 0 {
		delete(x.providers, provider)
	}
}

// Remove takes out all tools of a provider.
func (x *Index) Remove(provider string) { x.Replace(provider, nil) }

// add gives a document a slot.
func (x *Index) add(provider string, document Document) uint32 {
	slot := uint32(len(x.docs))
	if last := len(x.freeDocs) - 1; last >= 0 {
		slot = x.freeDocs[last]
		x.freeDocs = x.freeDocs[:last]
	} else {
		x.docs, x.groupOf = append(x.docs, doc{}), append(x.groupOf, 0)
	}
	d := doc{provider: provider, document: document, digest: document.digest()}
	r := recorder{x: x, counts: make(map[uint32]*[fieldCount]int)}
	document.text(r.record)
	for _, query := range x.learned(&document) {
		r.record(fieldExample, query)
	}
	d.terms, d.sequence = slices.Collect(maps.Keys(r.counts)), r.sequence
	for _, id := range d.terms {
		t := &x.terms[id]
		t.postings = append(t.postings, r.posting(slot, id))
	}
	d.keys = nameKeys(document.Name, x.stemmer.stem)
	for _, key := range d.keys {
		x.keys[key] = append(x.keys[key], slot)
	}
	x.groupOf[slot] = x.groups.join(provider, document.Server)
	x.docs[slot] = d
	x.live++
	return slot
}

// intern returns the id of a term, which is a new one when nobody has it yet.
func (x *Index) intern(word string) uint32 {
	if id, ok := x.ids[word]; ok {
		return id
	}
	word = strings.Clone(word) // not the text that it was cut from
	id := uint32(len(x.terms))
	t := term{text: word, letters: letterSet(word)}
	if last := len(x.freeTerms) - 1; last >= 0 {
		id = x.freeTerms[last]
		x.freeTerms = x.freeTerms[:last]
		x.terms[id] = t
	} else {
		x.terms = append(x.terms, t)
	}
	x.ids[word] = id
	return id
}

// remove empties slots. Each list of postings is gone through once, however many
// of its documents go.
func (x *Index) remove(slots []uint32) {
	touched := make(map[uint32]bool)
	for _, slot := range slots {
		d := &x.docs[slot]
		d.removed = true
		for _, id := range d.terms {
			touched[id] = true
		}
		for _, key := range d.keys {
			x.keys[key] = slices.DeleteFunc(x.keys[key], func(s uint32) bool { return s == slot })
			if len(x.keys[key]) == 0 {
				delete(x.keys, key)
			}
		}
		x.groups.leave(x.groupOf[slot])
	}
	for id := range touched {
		t := &x.terms[id]
		t.postings = slices.DeleteFunc(t.postings, func(p posting) bool { return x.docs[p.slot].removed })
		if len(t.postings) == 0 {
			delete(x.ids, t.text)
			*t = term{}
			x.freeTerms = append(x.freeTerms, id)
		}
	}
	for _, slot := range slots {
		x.docs[slot] = doc{removed: true}
	}
	x.freeDocs = append(x.freeDocs, slots...)
	x.live -= len(slots)
}
