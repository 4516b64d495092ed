package policy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// touch is a file that a call reads or writes.
type touch struct {
	ends ends
	// access is what happens to it; empty when that is not known.
	access pool.Access
	// lists tells that only names are read, as ls does.
	lists bool
	// lost tells that it is not known which file it is; then ends is empty.
	lost bool
	// text is how the call names it, part what of the call does; for reasons.
	text, part string
}

// maxGlob is how many files a pattern is followed to.
const maxGlob = 256

// nameListers read names and sizes, not contents.
var nameListers = strings.Fields("ls dir vdir cd pushd find du tree stat realpath readlink file eza exa lsd")

// touches lists the files of the call's subjects and commands. It is computed
// once.
func (j *judgement) touches() []touch {
	if j.touched {
		return j.files
	}
	j.touched = true
	for _, subject := range j.call.Subjects {
		if subject.Kind != pool.SubjectPath {
			continue
		}
		path, ok := j.places.absolute(subject.Value, false, "")
		t := touch{access: subject.Access, part: subject.Value, lost: !ok, lists: len(j.scripts) > 0}
		if ok {
			t.ends = j.places.of(path)
		}
		j.files = append(j.files, t)
	}
	for _, script := range j.scripts {
		for i := range script.Commands {
			j.files = append(j.files, j.commandTouches(&script.Commands[i])...)
		}
		for i := range script.suspects {
			j.files = append(j.files, j.commandTouches(&script.suspects[i])...)
		}
	}
	return j.files
}

// commandTouches lists the files of all readings of a command.
func (j *judgement) commandTouches(command *Command) []touch {
	var touches []touch
	part := command.shown()
	for _, redirect := range command.Redirects {
		touches = append(touches, j.wordTouches(redirect.Target, redirect.access(), command.dirs, part)...)
	}
	for _, form := range command.forms {
		if form.byName {
			continue
		}
		lists := slices.Contains(nameListers, base(form.words[0]))
		for _, use := range usesOf(form.words) {
			for _, t := range j.wordTouches(use.word, use.access, command.dirs, part) {
				t.lists = lists
				touches = append(touches, t)
			}
		}
	}
	return touches
}

func (r Redirect) access() pool.Access {
	if r.Writes {
		return pool.AccessWrite
	}
	return pool.AccessRead
}

// wordTouches lists the files that a word may stand for in the folders that the
// command may run in.
func (j *judgement) wordTouches(word Word, access pool.Access, dirs []string, part string) []touch {
	t := touch{access: access, text: word.Text, part: part}
	switch {
	case word.kind == number, noFile(word):
		return nil
	case word.kind == input, word.kind == unknown:
		t.lost = true
		return []touch{t}
	case dirs == nil && !filepath.IsAbs(word.Text) && !word.home:
		t.lost = true
		return []touch{t}
	case dirs == nil:
		dirs = []string{""}
	}
	var touches []touch
	for _, dir := range dirs {
		path, ok := j.places.absolute(word.Text, word.home, dir)
		if !ok {
			t.lost = true
			return []touch{t}
		}
		paths := []string{path}
		if word.kind == glob {
			paths = append(paths, expandGlob(path)...)
		}
		for _, path := range paths {
			t.ends = j.places.of(path)
			touches = append(touches, t)
		}
	}
	return touches
}

// expandGlob lists the files that a pattern matches now.
func expandGlob(pattern string) []string {
	matches, err := filepath.Glob(pattern)
	if err != nil {
		return nil
	}
	return matches[:min(len(matches), maxGlob)]
}

// noFile tells whether an operand is no file on disk.
func noFile(word Word) bool {
	switch word.Text {
	case "-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "":
		return word.Static
	}
	return false
}

// plausible tells whether an argument of a command that is not known may well be
// a file: it exists, or is written as a path.
func (t touch) plausible() bool {
	if strings.Contains(t.text, "/") && !strings.ContainsAny(t.text, " \t\n") {
		return true
	}
	for _, path := range t.ends.paths {
		if _, err := os.Lstat(path); err == nil {
			return true
		}
	}
	return false
}
