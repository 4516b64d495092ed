package conformance

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// workspaceState is what each file of a workspace is, by relative path.
type workspaceState map[string]string

// snapshot reads a whole workspace.
func snapshot(dir string) (workspaceState, error) {
	state := make(workspaceState)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		state[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			state[name] += fmt.Sprintf(" %x", sha256.Sum256(content))
		}
		return nil
	})
	return state, err
}

// changes are the paths that differ, sorted.
func (s workspaceState) changes(after workspaceState) []string {
	changed := make(map[string]bool)
	for path, state := range s {
		if after[path] != state {
			changed[path] = true
		}
	}
	for path := range after {
		if _, known := s[path]; !known {
			changed[path] = true
		}
	}
	return slices.Sorted(maps.Keys(changed))
}
