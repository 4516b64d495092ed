package host

import (
	"maps"
	"path/filepath"

	"github.com/toolcrib/toolcrib/host/search"
)

// learnedFile has the workspace's queries that led to calls.
func (s *toolSearch) learnedFile() string { return filepath.Join(s.host.stateDir, "learned.json") }

// recall takes over what was learned in earlier sessions. Without it the search
// is only less good, so what cannot be read is started anew.
func (s *toolSearch) recall() {
	lessons, err := s.kept()
	if err != nil {
		s.host.logger.Warn("learned queries not read", "error", err)
		return
	}
	s.index.Restore(lessons)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recalled = make(map[string]bool, len(lessons))
	for _, lesson := range lessons {
		s.recalled[lesson.Tool] = true
	}
}

// kept is what the file has; nothing when there is none.
func (s *toolSearch) kept() (lessons []search.Lesson, err error) {
	err = readRecord(s.learnedFile(), &lessons)
	return lessons, err
}

// remember notes by which words tools were found.
func (v *View) remember(tools []string, q search.Query) {
	if v.host.search.settings().NoLearning || q.Text == "" || len(q.Select) > 0 {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, tool := range tools {
		v.led[tool] = q.Text
	}
}

// called learns from the first call of a tool that was found: the words that it
// was found by are what it is for.
func (v *View) called(tool string) {
	v.mu.Lock()
	query, ok := v.led[tool]
	delete(v.led, tool)
	v.mu.Unlock()
	shared := v.host.search
	if !ok || shared.settings().NoLearning || !shared.index.Learn(tool, query) {
		return
	}
	if err := shared.keep(); err != nil {
		v.host.logger.Warn("learned query not kept", "tool", tool, "error", err)
	}
}

// keep writes what was learned. What another session of the workspace has learned
// of other tools meanwhile stays; what this one recalled and has forgotten since
// does not.
func (s *toolSearch) keep() error {
	return locked(s.learnedFile(), func() error {
		lessons := s.index.Lessons()
		s.mu.Lock()
		known := maps.Clone(s.recalled)
		s.mu.Unlock()
		for _, lesson := range lessons {
			known[lesson.Tool] = true
		}
		others, _ := s.kept() // a file that cannot be read is started anew
		for _, lesson := range others {
			if !known[lesson.Tool] {
				lessons = append(lessons, lesson)
			}
		}
		return writeRecord(s.learnedFile(), lessons)
	})
}
