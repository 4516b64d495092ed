package policy

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// scope is what a shell holds at one point of a script: the variables whose
// values are known, and the folders it may be in.
type scope struct {
	vars map[string]variable
	// dirs are the folders; "" is the one the script starts in, "~" the home
	// directory. Nil when they are not known.
	dirs []string
	// moves counts changes of the folder.
	moves int
	// lost tells that any variable may have been set.
	lost bool
}

// variable is the value that a script gave a variable.
type variable struct {
	text string
	home bool // it starts with the home directory
	// set is false when the script gave it a value that is not known.
	set bool
	// odd tells that the value is known, but not plain enough for an allow.
	odd bool
}

// maxDirs is how many folders a script may be in at once to be followed.
const maxDirs = 8

func newScope() *scope { return &scope{vars: make(map[string]variable), dirs: []string{""}} }

func (s *scope) clone() *scope {
	copied := *s
	copied.vars = maps.Clone(s.vars)
	copied.dirs = slices.Clone(s.dirs)
	return &copied
}

// value is the value of a variable, if it is known.
func (s *scope) value(name string) (variable, bool) {
	if s == nil {
		return variable{}, false
	}
	if v, ok := s.vars[name]; ok {
		return v, v.set
	}
	switch {
	case s.lost:
		return variable{}, false
	case name == "HOME":
		return variable{text: "~", home: true, set: true}, true
	case name == "PWD" && len(s.dirs) == 1 && s.dirs[0] == "" && s.moves == 0:
		return variable{text: ".", set: true, odd: true}, true
	}
	return variable{}, false
}

// homeHolds tells whether HOME is the person's.
func (s *scope) homeHolds() bool {
	if s == nil {
		return true
	}
	_, set := s.vars["HOME"]
	return !set && !s.lost
}

// splitsPlainly tells whether unquoted values are split at blanks.
func (s *scope) splitsPlainly() bool {
	if s == nil {
		return true
	}
	_, set := s.vars["IFS"]
	return !set && !s.lost
}

// assign gives a variable the value of a word.
func (s *scope) assign(name string, value Word, appends bool) {
	_, again := s.vars[name]
	plain := value.Text != "" && !strings.ContainsAny(value.Text, " \t\n*?[]{}\\'\"")
	s.vars[name] = variable{
		text: value.Text, home: value.home,
		set: value.Static && !appends,
		odd: again || !plain,
	}
}

// forbid makes a value too odd for an allow.
func (s *scope) forbid(name string) {
	v := s.vars[name]
	v.odd = true
	s.vars[name] = v
}

// forget drops what is known of some variables.
func (s *scope) forget(names ...string) {
	for _, name := range names {
		s.vars[name] = variable{}
	}
}

// forgetAll drops what is known of all variables.
func (s *scope) forgetAll() {
	clear(s.vars)
	s.lost = true
}

// leave notes a folder that is not known.
func (s *scope) leave() { s.dirs, s.moves = nil, s.moves+1 }

// enter changes the folder. stays tells that the change may fail and the script
// go on, so that the old folder is possible, too.
func (s *scope) enter(target Word, stays bool) {
	// A folder that is really called "~" would be taken for the home directory.
	if !target.Static || s.dirs == nil || strings.HasPrefix(target.Text, "~") && !target.home {
		s.leave()
		return
	}
	var dirs []string
	for _, dir := range s.dirs {
		dirs = append(dirs, joinDir(dir, target))
	}
	if stays {
		for _, dir := range s.dirs {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if slices.Equal(dirs, s.dirs) {
		return // cd .
	}
	s.moves++
	s.dirs = dirs
	if len(dirs) > maxDirs {
		s.dirs = nil
	}
}

// merge takes over where another branch of the script may have gone.
func (s *scope) merge(other *scope) {
	s.moves = max(s.moves, other.moves)
	s.lost = s.lost || other.lost
	if other.dirs == nil || s.dirs == nil {
		s.dirs = nil
		return
	}
	// Commands that were listed share the folders, so they are not changed.
	for _, dir := range other.dirs {
		if !slices.Contains(s.dirs, dir) {
			s.dirs = append(slices.Clip(s.dirs), dir)
		}
	}
	if len(s.dirs) > maxDirs {
		s.dirs = nil
	}
}

// joinDir is where a shell in dir is after `cd target`. The shell takes .. by the
// text of the path, not by links (POSIX cd, step 8).
func joinDir(dir string, target Word) string {
	if target.home || path.IsAbs(target.Text) {
		return path.Clean(target.Text)
	}
	if dir == "" {
		clean := path.Clean(target.Text)
		if clean == "." {
			return ""
		}
		return clean
	}
	return path.Join(dir, target.Text)
}
