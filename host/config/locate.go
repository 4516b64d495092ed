package config

import (
	"fmt"
	"path/filepath"
	"regexp"
)

// The names of a workspace's files in native syntax.
const (
	openName  = "config.hcl"
	localName = "config.local.hcl"
)

// toolcribBlock recognises a config.hcl that is meant for us, also when the rest
// of it does not parse. toolcribProperty is the same in JSON.
var (
	toolcribBlock    = regexp.MustCompile(`(?m)^[ \t]*toolcrib[ \t]*\{`)
	toolcribProperty = regexp.MustCompile(`"toolcrib"\s*:`)
)

// Candidates are the files that may hold the configuration of a workspace, whether
// they exist or not: the person's own, and all that may be the workspace's.
func Candidates(workspace, userFile string) []string {
	var files []string
	for _, file := range []string{
		userFile,
		filepath.Join(workspace, ".toolcrib", openName), filepath.Join(workspace, ".toolcrib", localName),
		filepath.Join(workspace, openName), filepath.Join(workspace, localName),
	} {
		files = append(files, file, file+".json")
	}
	return files
}

func (s *source) isOurs() bool {
	if s.isJSON() {
		return toolcribProperty.Match(s.text)
	}
	return toolcribBlock.Match(s.text)
}

// locate walks up from the folder to the nearest one with a workspace file.
// Without one, the folder itself is the workspace. The source is nil when there
// is no file that can be read.
func (l *loader) locate() (root string, s *source) {
	for root = l.base; ; root = filepath.Dir(root) {
		hidden, found := l.either(filepath.Join(root, ".toolcrib", openName))
		if found && hidden == nil {
			return root, nil
		}
		open, found := l.eitherOf(filepath.Join(root, openName), (*source).isOurs)
		switch {
		case hidden != nil && open != nil:
			l.diags = append(l.diags, open.ignored(hidden))
			return root, hidden
		case hidden != nil:
			return root, hidden
		case found:
			return root, open
		}
		if root == filepath.Dir(root) {
			return l.base, nil
		}
	}
}

func (s *source) ignored(read *source) Diagnostic {
	return Diagnostic{Severity: Warning, Summary: s.name + " is not read", File: s.name,
		Detail: fmt.Sprintf("%s is there as well. Move what it says there, and remove it.", read.name)}
}

// either reads a file in HCL's native syntax, or the one beside it in JSON. found
// tells that there is one, be it one that cannot be read. The person's own file
// is no other layer's.
func (l *loader) either(path string) (s *source, found bool) {
	return l.eitherOf(path, func(*source) bool { return true })
}

// eitherOf is either, of the files that are accepted.
func (l *loader) eitherOf(path string, accept func(*source) bool) (s *source, found bool) {
	for _, candidate := range []string{path, path + ".json"} {
		if l.userRead && resolvedFolder(path) == resolvedFolder(l.options.UserFile) {
			continue
		}
		read, diags := readSource(candidate, l.base)
		l.diags = append(l.diags, diags...)
		found = found || len(diags) > 0
		switch {
		case read == nil || !accept(read):
		case s == nil:
			s, found = read, true
		default:
			l.diags = append(l.diags, Diagnostic{Severity: Error, Summary: "Two configurations in one folder", File: read.name,
				Detail: fmt.Sprintf("%s and %s are the same configuration in two syntaxes, and only the first is read. Keep one of them.", s.name, read.name)})
		}
	}
	return s, found
}

// resolvedFolder is a path whose folder is the one that links lead to.
func resolvedFolder(path string) string {
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(folder, filepath.Base(path))
}
