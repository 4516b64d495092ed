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
	ends *ends
	// access is what happens to it; empty when that is not known.
	access pool.Access
	// lists tells that only names are read, as ls does.
	lists bool
	// deep tells that what is below a folder is touched, too.
	deep bool
	// lost tells that it is not known which file it is; then ends is nil.
	lost bool
	// text is how the call names it, and command what touches it; nil for the
	// call itself.
	text    string
	command *Command
}

// part is what of the call touches the file, for reasons.
func (t touch) part() string {
	if t.command == nil {
		return t.text
	}
	return t.command.shown()
}

// nameListers read names and sizes, not contents.
var nameListers = strings.Fields("ls dir vdir cd pushd find du tree stat realpath readlink file eza exa lsd")

// touches lists the files of the call's subjects and commands. It is computed
// once.
func (j *judgement) touches() []touch {
	if j.touched {
		return j.files
	}
	j.touched = true
	for _, script := range j.scripts {
		j.files = slices.Grow(j.files, 4*len(script.Commands))
	}
	for _, subject := range j.call.Subjects {
		if subject.Kind != pool.SubjectPath {
			continue
		}
		file := j.subjectFile(subject)
		j.files = append(j.files, touch{ends: file, access: subject.Access, text: subject.Value, lost: file == nil, lists: len(j.scripts) > 0})
	}
	for _, script := range j.scripts {
		for i := range script.Commands {
			j.commandTouches(&script.Commands[i])
		}
		for i := range script.suspects {
			j.commandTouches(&script.suspects[i])
		}
	}
	return j.files
}

// subjectFile is the file of a subject; nil when it is not known. The host's paths
// are absolute; in a call that is only asked about, "~/" is the home directory.
func (j *judgement) subjectFile(subject Subject) *ends {
	home := j.places.home != "" && (subject.Value == "~" || strings.HasPrefix(subject.Value, "~/"))
	return j.places.at(subject.Value, home, "")
}

// commandTouches adds the files of all readings of a command.
func (j *judgement) commandTouches(command *Command) {
	for _, redirect := range command.Redirects {
		j.wordTouches(redirect.Target, touch{access: redirect.access(), command: command})
	}
	for i := range command.forms {
		form := &command.forms[i]
		if form.byName {
			continue
		}
		lists := slices.Contains(nameListers, base(form.words[0]))
		for _, use := range form.uses() {
			j.wordTouches(use.word, touch{access: use.access, command: command, lists: lists, deep: use.deep})
		}
	}
}

func (r Redirect) access() pool.Access {
	if r.Writes {
		return pool.AccessWrite
	}
	return pool.AccessRead
}

// wordTouches adds the files that a word may stand for in the folders that the
// command may run in.
func (j *judgement) wordTouches(word Word, t touch) {
	dirs := t.command.dirs
	t.text = word.Text
	switch {
	case word.kind == number, noFile(word):
		return
	case word.kind == input, word.kind == unknown, dirs == nil && !filepath.IsAbs(word.Text) && !word.home:
		t.lost = true
		j.files = append(j.files, t)
		return
	case dirs == nil:
		dirs = []string{""}
	}
	for _, dir := range dirs {
		file := j.places.at(word.Text, word.home, dir)
		if file == nil {
			t.ends, t.lost = nil, true
			j.files = append(j.files, t)
			return
		}
		t.ends = file
		j.files = append(j.files, t)
		if word.kind != glob {
			continue
		}
		matches, all := expandGlob(file.path)
		for _, match := range matches {
			t.ends = j.places.of(match)
			j.files = append(j.files, t)
		}
		if !all {
			t.ends, t.lost = nil, true
			j.files = append(j.files, t)
			t.lost = false
		}
	}
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
	if t.lost {
		return false
	}
	for _, path := range t.ends.paths {
		if _, err := os.Lstat(path); err == nil {
			return true
		}
	}
	return false
}
