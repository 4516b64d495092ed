package config

import (
	"path/filepath"
	"regexp"
)

// located is the workspace of a folder. source is nil when it has no file that
// can be read.
type located struct {
	root   string
	source *source
	diags  Diagnostics
}

// toolcribBlock recognises a config.hcl that is meant for us, also when the rest
// of it does not parse.
var toolcribBlock = regexp.MustCompile(`(?m)^[ \t]*toolcrib[ \t]*\{`)

// locate walks up from dir to the nearest folder with a workspace file. Without
// one, dir is the workspace. The person's own file is never a workspace's.
func locate(dir, userFile string) located {
	for root := dir; ; root = filepath.Dir(root) {
		for _, candidate := range []struct {
			path string
			ours bool // by its name alone
		}{
			{filepath.Join(root, ".toolcrib", "config.hcl"), true},
			{filepath.Join(root, "config.hcl"), false},
		} {
			if candidate.path == userFile {
				continue
			}
			source, diags := readSource(candidate.path, dir)
			switch {
			case len(diags) > 0:
				return located{root: root, diags: diags}
			case source != nil && (candidate.ours || toolcribBlock.Match(source.text)):
				return located{root: root, source: source}
			}
		}
		if root == filepath.Dir(root) {
			return located{root: dir}
		}
	}
}
