package search

import (
	"slices"
	"strings"
)

// separator stands between the parts of a public name.
const separator = "__"

// naming says how a query names a tool, the plainest last.
type naming uint8

const (
	unnamed    naming = iota
	namedWords        // by all words of its name: "issue create"
	namedBare         // by its name without the origin: create_issue
	namedFully        // by its name: mcp__github__create_issue
)

// maxNameWords is the number of words up to which a query may be the words of a
// name.
const maxNameWords = 8

// nameKeys are the texts that name a tool: its full name, its name without the
// origin, and the words of both in any order.
func nameKeys(name string, stem func(string) string) []string {
	lower := strings.ToLower(name)
	keys := []string{lower}
	for _, rest, ok := strings.Cut(lower, separator); ok && rest != ""; _, rest, ok = strings.Cut(rest, separator) {
		keys = append(keys, rest)
	}
	keys = append(keys, wordsKey(name, stem), wordsKey(keys[len(keys)-1], stem), wordsKey(bareName(name), stem))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// bareName is a name without the origin that it begins with.
func bareName(name string) string {
	if i := strings.LastIndex(name, separator); i >= 0 && i+len(separator) < len(name) {
		return name[i+len(separator):]
	}
	return name
}

// wordsKey is the same for texts with the same words, in whatever order, form,
// and spelling of identifiers. No name is like it, because it begins with a space.
func wordsKey(text string, stem func(string) string) string {
	var words []string
	split(text, func(word, _ string) { words = append(words, stem(word)) })
	slices.Sort(words)
	return " " + strings.Join(slices.Compact(words), " ")
}

// named notes which tools the text of a query names: as a whole, or by an
// identifier in it.
func (x *Index) named(s *scratch, text string) {
	if text == "" {
		return
	}
	x.note(s, text)
	words := 0
	for word := range strings.FieldsSeq(text) {
		words++
		if strings.Contains(word, "_") {
			x.note(s, strings.Trim(word, ".,;:!?()[]`'\""))
		}
	}
	if words <= maxNameWords {
		for _, slot := range x.keys[wordsKey(text, x.stemmer.stem)] {
			s.name(slot, namedWords)
		}
	}
}

// note marks the tools that have a name, with or without the origin.
func (x *Index) note(s *scratch, name string) {
	lower := strings.ToLower(name)
	for _, slot := range x.keys[lower] {
		if strings.EqualFold(x.docs[slot].document.Name, name) {
			s.name(slot, namedFully)
		} else {
			s.name(slot, namedBare)
		}
	}
}

func (s *scratch) name(slot uint32, how naming) {
	d := &s.slots[slot]
	if d.whole == 0 && d.named == unnamed {
		s.touched = append(s.touched, slot)
	}
	d.named = max(d.named, how)
}

// selected looks tools up by name, in the order of names. A name without its
// origin selects the tool if there is only one.
func (x *Index) selected(names []string, allow Allow) Result {
	var r Result
	taken := make(map[uint32]bool)
	for _, name := range names {
		slot, ok := x.lookup(name, allow)
		switch {
		case !ok:
			r.Missing = append(r.Missing, name)
		case !taken[slot]:
			taken[slot] = true
			d := &x.docs[slot]
			r.Hits = append(r.Hits, Hit{Provider: d.provider, Name: d.document.Name, Named: true})
		}
	}
	return r
}

func (x *Index) lookup(name string, allow Allow) (slot uint32, ok bool) {
	var bare []uint32
	for _, slot := range x.keys[strings.ToLower(name)] {
		d := &x.docs[slot]
		switch {
		case !allow(d.provider, d.document.Name):
		case d.document.Name == name:
			return slot, true
		default:
			bare = append(bare, slot)
		}
	}
	if len(bare) == 1 {
		return bare[0], true
	}
	return 0, false
}
