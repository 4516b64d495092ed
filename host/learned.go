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
