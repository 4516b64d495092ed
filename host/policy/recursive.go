package policy

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// maxBelow is how many files below the folders of one call are looked at. With
// more it is not known what a recursive command gets at.
const maxBelow = 10_000

// searchers go through the folder they are in when they are given none.
var searchers = strings.Fields("grep egrep fgrep zgrep rg ag ack")

// recursiveWith are the options with which a command goes through all that is
// below a folder; none for a command that always does.
var recursiveWith = map[string][]string{
	"rg": nil, "ag": nil, "ack": nil, "mv": nil,
	"grep": searchOptions, "egrep": searchOptions, "fgrep": searchOptions, "zgrep": searchOptions,
	"cp":    {"-r", "-R", "-a", "--recursive", "--archive"},
	"rsync": {"-r", "-a", "--recursive", "--archive"},
	"scp":   {"-r"},
	"diff":  {"-r", "--recursive"},
	"zip":   {"-r", "--recurse-paths"},
	"rm":    {"-r", "-R", "--recursive"},
	"chmod": {"-R", "--recursive"}, "chown": {"-R", "--recursive"}, "chgrp": {"-R", "--recursive"},
}

var searchOptions = []string{"-r", "-R", "--recursive", "--dereference-recursive", "-d", "--directories"}

// recursive tells whether a command goes through all that is below a folder.
func recursive(name string, options []string) bool {
	with, ok := recursiveWith[name]
	return ok && (with == nil || slices.ContainsFunc(options, func(given string) bool {
		return slices.ContainsFunc(with, func(option string) bool {
			return given == option || len(given) > 2 && strings.HasPrefix(option, given) // cut short
		})
	}))
}

// below looks for a file below a folder that a path rule of the set is about. It
// answers the rule and the file; -1 for none. known is false when there are too
// many files to tell.
func (j *judgement) below(set *ruleSet, folder *ends, access pool.Access) (rule int, file string, known bool) {
	rule, known = -1, true
	for _, root := range folder.paths {
		walked := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if j.walked++; j.walked > maxBelow {
				known = false
				return fs.SkipAll
			}
			if err != nil || path == root {
				return nil // what can't be read is not read by the command either
			}
			paths := []string{path}
			if entry.Type()&fs.ModeSymlink != 0 {
				paths = j.places.of(path).all()
			}
			for _, path := range paths {
				if i := j.matchList(set, set.paths.about(path), path, access); i >= 0 {
					rule, file = i, path
					return fs.SkipAll
				}
			}
			return nil
		})
		if walked != nil || rule >= 0 || !known {
			break
		}
	}
	return rule, file, known
}
