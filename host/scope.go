package host

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
)

// maxScanned bounds the files and folders that are looked at for scopes. In a
// larger workspace the files that are changed activate the rest.
const maxScanned = 20000

// scopes knows which activation scopes of tools are active: those that a file of
// the workspace fits, at first sight or since a call changed one. A scope stays
// active for the session, so that tools do not come and go with files.
type scopes struct {
	workspace string

	mu    sync.Mutex
	known map[string]bool // by scope, whether it is active
}

func newScopes(workspace string) *scopes {
	return &scopes{workspace: workspace, known: make(map[string]bool)}
}

// active reports whether a scope is; false for one that was not looked for.
func (s *scopes) active(scope string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[scope]
}

// look finds out about the scopes of tools that were not known before.
func (s *scopes) look(tools []pool.Tool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := 0
	for _, tool := range tools {
		if _, known := s.known[tool.ActivationScope]; !known && tool.ActivationScope != "" {
			s.known[tool.ActivationScope] = false
			wanted++
		}
	}
	if wanted > 0 {
		s.scan()
	}
}

// scan goes through the workspace until all scopes are active or enough was seen.
func (s *scopes) scan() {
	seen := 0
	_ = filepath.WalkDir(s.workspace, func(file string, entry fs.DirEntry, err error) error {
		if seen++; seen > maxScanned {
			return fs.SkipAll
		}
		switch {
		case err != nil: // a folder that cannot be read has nothing to show
			return nil
		case entry.IsDir():
			if name := entry.Name(); file != s.workspace && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "vendor") {
				return fs.SkipDir
			}
		default:
			s.activate(file)
		}
		return nil
	})
}

// touched takes changed files in and reports whether a scope became active.
func (s *scopes) touched(files []plugin.FileChange) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	more := false
	for _, file := range files {
		more = s.activate(file.Path) || more
	}
	return more
}

// activate activates the scopes that a file fits. A glob without a slash is about
// the file's name, one with slashes about its path in the workspace.
func (s *scopes) activate(file string) (more bool) {
	rel, err := filepath.Rel(s.workspace, file)
	if err != nil {
		return false
	}
	rel = filepath.ToSlash(rel)
	for scope, active := range s.known {
		subject := rel
		if !strings.Contains(scope, "/") {
			subject = path.Base(rel)
		}
		if fits, _ := path.Match(scope, subject); fits && !active {
			s.known[scope] = true
			more = true
		}
	}
	return more
}
