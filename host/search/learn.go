package search

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"
)

const (
	// maxLessons bounds the learned queries of one tool; a new one takes the
	// place of the oldest.
	maxLessons = 8
	// maxTaught bounds the tools that have learned queries.
	maxTaught = 4096
	// maxLessonBytes bounds a learned query. What is longer is a document.
	maxLessonBytes = 400
)

// Lesson is what was learned for one tool: queries that led to a call of it.
type Lesson struct {
	Tool string `json:"tool"`
	// Schema identifies the input schema it was learned for. A tool whose schema
	// is another one starts again.
	Schema  [sha256.Size]byte `json:"schema"`
	Queries []string          `json:"queries"` // the oldest first
}

// Learn remembers that a query led to a call of a tool, which is found by it from
// now on. It reports whether that is news: false for a tool that is not indexed
// and for a query that is known, is too long, or selects by name.
func (x *Index) Learn(tool, query string) bool {
	query = strings.Join(strings.Fields(query), " ")
	parsed := Parse(query)
	if parsed.Text == "" || len(query) > maxLessonBytes {
		return false
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	slot, ok := x.keyed(tool)
	if !ok {
		return false
	}
	lesson := Lesson{Tool: tool, Schema: sha256.Sum256(x.docs[slot].document.Schema)}
	if before, ok := x.lessons[tool]; ok && before.Schema == lesson.Schema {
		lesson.Queries = before.Queries
	}
	same := func(known string) bool { return strings.EqualFold(known, parsed.Text) }
	if slices.ContainsFunc(lesson.Queries, same) || len(x.lessons) >= maxTaught && lesson.Queries == nil {
		return false
	}
	lesson.Queries = append(slices.Clone(lesson.Queries), parsed.Text)
	lesson.Queries = lesson.Queries[max(0, len(lesson.Queries)-maxLessons):]
	x.lessons[tool] = lesson
	x.again(slot)
	return true
}

// Lessons are all that was learned, by tool.
func (x *Index) Lessons() []Lesson {
	x.mu.RLock()
	defer x.mu.RUnlock()
	lessons := make([]Lesson, 0, len(x.lessons))
	for _, lesson := range x.lessons {
		lessons = append(lessons, lesson)
	}
	slices.SortFunc(lessons, func(a, b Lesson) int { return cmp.Compare(a.Tool, b.Tool) })
	return lessons
}

// Restore takes over what another index has learned. Tools may come later.
func (x *Index) Restore(lessons []Lesson) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, lesson := range lessons[:min(len(lessons), maxTaught)] {
		lesson.Queries = lesson.Queries[:min(len(lesson.Queries), maxLessons)]
		x.lessons[lesson.Tool] = lesson
		if slot, ok := x.keyed(lesson.Tool); ok {
			x.again(slot)
		}
	}
}

// Forget drops all that was learned.
func (x *Index) Forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	lessons := x.lessons
	x.lessons = make(map[string]Lesson)
	for tool := range lessons {
		if slot, ok := x.keyed(tool); ok {
			x.again(slot)
		}
	}
}

// learned are the queries that a document may be found by. What was learned for
// another schema is forgotten.
func (x *Index) learned(d *Document) []string {
	lesson, ok := x.lessons[d.Name]
	if !ok {
		return nil
	}
	if lesson.Schema != sha256.Sum256(d.Schema) {
		delete(x.lessons, d.Name)
		return nil
	}
	return lesson.Queries
}

// again indexes a document anew.
func (x *Index) again(slot uint32) {
	before := x.docs[slot]
	x.remove([]uint32{slot})
	x.providers[before.provider][before.document.Name] = x.add(before.provider, before.document)
}

// keyed finds a tool by its full name.
func (x *Index) keyed(name string) (slot uint32, ok bool) {
	for _, slot := range x.keys[strings.ToLower(name)] {
		if x.docs[slot].document.Name == name {
			return slot, true
		}
	}
	return 0, false
}
