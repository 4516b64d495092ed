package policy

import (
	"os"
	"path"
	"strings"
)

// Following a pattern over file names ends after so many matches, folders and
// names in one folder: a command must not be able to make the judge walk a disk.
const (
	maxMatches = 256
	maxFolders = 64
	maxNames   = 2_000
)

// expandGlob lists the files that a pattern, an absolute path, matches now. all
// is false when there may be more.
func expandGlob(pattern string) (matches []string, all bool) {
	found := []string{"/"}
	read := 0
	for _, segment := range strings.Split(strings.Trim(pattern, "/"), "/") {
		if !strings.ContainsAny(segment, "*?[") {
			for i, folder := range found {
				// Not cleaned, since .. after a link leads where the link does.
				found[i] = strings.TrimSuffix(folder, "/") + "/" + segment
			}
			continue
		}
		var next []string
		for _, folder := range found {
			if read++; read > maxFolders {
				return next, false
			}
			names, complete := namesIn(folder)
			for _, name := range names {
				if matched, err := path.Match(segment, name); err == nil && matched {
					next = append(next, strings.TrimSuffix(folder, "/")+"/"+name)
				}
			}
			if !complete || len(next) > maxMatches {
				return next[:min(len(next), maxMatches)], false
			}
		}
		found = next
	}
	return found, true
}

// namesIn lists a folder; what can't be read has no names.
func namesIn(folder string) (names []string, complete bool) {
	// Opening a named pipe would wait for its writer.
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, true
	}
	file, err := os.Open(folder)
	if err != nil {
		return nil, true
	}
	defer file.Close()
	names, _ = file.Readdirnames(maxNames + 1)
	return names[:min(len(names), maxNames)], len(names) <= maxNames
}
