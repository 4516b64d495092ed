package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

const (
	// maxLoaded bounds the tools that one reader has loaded.
	maxLoaded = 1000
	// sessionAge is how long what a session had loaded is kept after it last
	// loaded something.
	sessionAge = 30 * 24 * time.Hour
)

// loadedTools are the names of the deferred tools that one reader has loaded, in
// that order. A name stays when its tool goes, so that a provider that comes back
// has its loaded tools again. The zero value is empty and is kept nowhere.
type loadedTools struct {
	path string // the file that keeps them for the session; empty: none

	mu    sync.Mutex
	names []string
}

// loadedFile is what the file of a session has.
type loadedFile struct {
	Loaded []string `json:"loaded"`
}

func (l *loadedTools) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.names)
}

// add reports whether any of the names is new. Names beyond the bound are left
// out: their tools stay deferred. The error is about keeping them.
func (l *loadedTools) add(names []string) (more bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := len(l.names)
	for _, name := range names {
		if len(l.names) < maxLoaded && !slices.Contains(l.names, name) {
			l.names = append(l.names, name)
		}
	}
	if len(l.names) == before || l.path == "" {
		return len(l.names) > before, nil
	}
	return true, writeRecord(l.path, loadedFile{l.names})
}

// restore reads what an earlier part of the session had loaded.
func (l *loadedTools) restore() error {
	var kept loadedFile
	if err := readRecord(l.path, &kept); err != nil {
		return fmt.Errorf("read the loaded tools of the session: %w", err)
	}
	l.names = kept.Loaded[:min(len(kept.Loaded), maxLoaded)]
	return nil
}

// sessionsDir has a file for each session that has loaded tools.
func (h *Host) sessionsDir() string { return filepath.Join(h.stateDir, "loaded") }

// sessionTools are the loaded tools of the host's session. What cannot be read is
// started anew: the tools can be found again.
func (h *Host) sessionTools() *loadedTools {
	loaded := &loadedTools{path: filepath.Join(h.sessionsDir(), h.sessionID+".json")}
	if err := loaded.restore(); err != nil {
		h.logger.Warn("loaded tools not restored", "error", err)
	}
	return loaded
}

// forgetSessions removes what sessions of long ago had loaded.
func (h *Host) forgetSessions(now time.Time) {
	entries, err := os.ReadDir(h.sessionsDir())
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && now.Sub(info.ModTime()) > sessionAge {
			_ = os.Remove(filepath.Join(h.sessionsDir(), entry.Name()))
		}
	}
}

// checkSession refuses an id that is no file's name.
func checkSession(id string) error {
	for _, r := range id {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return fmt.Errorf("the session id %q has a character other than letters, digits, _ and -; use one that a session was given", id)
		}
	}
	return nil
}
