package trust

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// resolve is the one path of a workspace, whichever way it was reached: absolute,
// without links, and spelled as its folders are stored. A file system that ignores
// case opens a folder by more than one spelling.
func resolve(workspace string) (string, error) {
	absolute, err := filepath.Abs(workspace)
	if err != nil {
		return "", fmt.Errorf("resolve workspace %s: %w", workspace, err)
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return "", fmt.Errorf("resolve workspace %s: %w", workspace, err)
	}
	return stored(resolved), nil
}

// stored spells a path as the file system stores it. Where that cannot be read,
// the spelling stays: at worst the person is asked once more.
func stored(path string) string {
	parent, name := filepath.Split(path)
	if name == "" {
		return path
	}
	parent = stored(filepath.Clean(parent))
	given := filepath.Join(parent, name)
	info, err := os.Lstat(given)
	if err != nil {
		return given
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return given
	}
	other := given
	for _, entry := range entries {
		if entry.Name() == name {
			return given
		}
		// Only a folder cannot have two names in one parent.
		if !entry.IsDir() || !strings.EqualFold(entry.Name(), name) {
			continue
		}
		if found, err := entry.Info(); err == nil && os.SameFile(found, info) {
			other = filepath.Join(parent, entry.Name())
		}
	}
	return other
}

// within is path as seen from inside root, when it is there.
func within(root, path string) (relative string, ok bool) {
	relative, err := filepath.Rel(root, path)
	if err != nil || relative == ".." || strings.HasPrefix(relative, ".."+string(filepath.Separator)) {
		return "", false
	}
	return relative, true
}

// inode is the number of a file on its file system; 0 when there is none.
func inode(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ino
	}
	return 0
}
