package host

import (
	"os"
	"path/filepath"
	"time"
)

// resultAge is how long whole results that did not fit are kept.
const resultAge = 7 * 24 * time.Hour

// forgetResults removes old whole results of the workspace. What cannot be
// removed is left for the next time: it costs only room.
func (h *Host) forgetResults(now time.Time) {
	entries, err := os.ReadDir(h.main.pipeline.SpillDir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && now.Sub(info.ModTime()) > resultAge {
			_ = os.Remove(filepath.Join(h.main.pipeline.SpillDir, entry.Name()))
		}
	}
}
