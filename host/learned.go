package host

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"github.com/toolcrib/toolcrib/host/search"
)

// learnedFile has the workspace's queries that led to calls.
func (s *toolSearch) learnedFile() string { return filepath.Join(s.host.stateDir, "learned.json") }

// recall reads what was learned in earlier sessions. Without it the search is
// only less good, so what cannot be read is started anew.
func (s *toolSearch) recall() {
	if s.host.options.NoLearning {
		return
	}
	data, err := os.ReadFile(s.learnedFile())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var lessons []search.Lesson
	if err == nil {
		err = json.Unmarshal(data, &lessons)
	}
	if err != nil {
		s.host.logger.Warn("learned queries not read", "error", err)
		return
	}
	s.index.Restore(lessons)
}

// remember notes by which words tools were found.
func (s *toolSearch) remember(tools []string, q search.Query) {
	if s.host.options.NoLearning || q.Text == "" || len(q.Select) > 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tool := range tools {
		s.led[tool] = q.Text
	}
}

// called learns from the first call of a tool that was found: the words that it
// was found by are what it is for.
func (s *toolSearch) called(tool string) {
	s.mu.Lock()
	query, ok := s.led[tool]
	delete(s.led, tool)
	s.mu.Unlock()
	if !ok || !s.index.Learn(tool, query) {
		return
	}
	if err := s.keep(); err != nil {
		s.host.logger.Warn("learned query not kept", "tool", tool, "error", err)
	}
}

func (s *toolSearch) keep() error {
	data, err := json.Marshal(s.index.Lessons())
	if err != nil {
		return err
	}
	path := s.learnedFile()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(path, data, 0o600)
}
