package builtin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/agext/levenshtein"
)

// folder is the workspace, which relative paths start from.
type folder struct {
	root string
	// real is root without links, or root where it does not exist.
	real string
}

func newFolder(root string) folder {
	if root == "" {
		return folder{}
	}
	return folder{root: filepath.Clean(root), real: realPath(filepath.Clean(root))}
}

// resolve makes a path absolute and clean. It follows no links and expands no
// ~: a rule about the path must mean the file that is opened.
func (f folder) resolve(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New("path is empty; name a file, relative to the workspace or absolute")
	case strings.ContainsRune(path, 0):
		return "", errors.New("path contains a zero byte, which no file name has")
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case f.root == "":
		return "", fmt.Errorf("path %q is relative and there is no workspace; give an absolute path", path)
	}
	return filepath.Join(f.root, path), nil
}

// contains reports whether the file that path leads to is in the workspace. The
// last parts of path may be missing.
func (f folder) contains(path string) bool {
	_, ok := within(f.real, realPath(path))
	return ok
}

// display shortens a path of the workspace for reading.
func (f folder) display(path string) string {
	for _, root := range []string{f.root, f.real} {
		if rel, ok := within(root, path); ok {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// within returns path relative to root, if root is not empty and has it.
func within(root, path string) (string, bool) {
	if root == "" {
		return "", false
	}
	rel, err := filepath.Rel(root, path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// realPath follows the links of the part of path that exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

// explainMissing says what is there instead of a file that is not.
func (f folder) explainMissing(path string) error {
	if strings.HasPrefix(f.display(path), "~") {
		return fmt.Errorf("%s does not exist; ~ is not expanded, give the absolute path", f.display(path))
	}
	parent := filepath.Dir(path)
	if folder := nearestFolder(parent); folder != parent {
		return fmt.Errorf("%s does not exist, nor does its folder; the nearest folder that does is %s", f.display(path), f.display(folder))
	}
	if near := nearNames(parent, filepath.Base(path)); len(near) > 0 {
		for i, name := range near {
			near[i] = f.display(filepath.Join(parent, name))
		}
		return fmt.Errorf("%s does not exist; did you mean %s?", f.display(path), strings.Join(near, " or "))
	}
	return fmt.Errorf("%s does not exist; list its folder with Bash: ls %s", f.display(path), f.display(parent))
}

// nearestFolder returns the longest part of path that exists.
func nearestFolder(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

// nearNames returns up to three names in dir that look like name.
func nearNames(dir, name string) []string {
	handle, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer handle.Close()
	const enough = 2000 // names; a suggestion is not worth reading more
	entries, _ := handle.ReadDir(enough)

	type match struct {
		name     string
		distance int
	}
	var matches []match
	wanted := strings.ToLower(name)
	for _, entry := range entries {
		candidate := strings.ToLower(entry.Name())
		distance := levenshtein.Distance(wanted, candidate, nil)
		if stem(candidate) == stem(wanted) {
			distance = min(distance, 1)
		}
		if distance <= max(1, len(wanted)/3) {
			matches = append(matches, match{entry.Name(), distance})
		}
	}
	slices.SortFunc(matches, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, m := range matches[:min(len(matches), 3)] {
		names = append(names, m.name)
	}
	return names
}

func stem(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }

// errKind says why something that is not a regular file cannot be used as one.
func (f folder) errKind(path string, mode fs.FileMode) error {
	name := f.display(path)
	switch {
	case mode.IsDir():
		return fmt.Errorf("%s is a directory; list it with Bash: ls -la %s", name, name)
	case mode&fs.ModeNamedPipe != 0:
		return fmt.Errorf("%s is a named pipe, which has no content of its own; name a regular file", name)
	case mode&fs.ModeSocket != 0:
		return fmt.Errorf("%s is a socket; name a regular file", name)
	case mode&fs.ModeDevice != 0:
		return fmt.Errorf("%s is a device; name a regular file", name)
	}
	return fmt.Errorf("%s is not a regular file (%s); name one that is", name, mode)
}

// open opens a regular file for reading. It never waits for the other end of a
// pipe that took the file's place.
func (f folder) open(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, f.explainMissing(path)
	case err != nil:
		return nil, nil, f.explainAccess(path, err)
	case !info.Mode().IsRegular():
		return nil, nil, f.errKind(path, info.Mode())
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, f.explainAccess(path, err)
	}
	if info, err = file.Stat(); err == nil && !info.Mode().IsRegular() {
		err = f.errKind(path, info.Mode())
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

func (f folder) explainAccess(path string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%s may not be opened: permission denied; look at its owner and mode with Bash: ls -ld %[1]s", f.display(path))
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("open %s: %w; check the path", f.display(path), err)
}
