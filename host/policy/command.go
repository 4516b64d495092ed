package policy

import (
	"strings"
)

// Command is one simple command. One without words is a bare assignment or a
// redirection alone.
type Command struct {
	// Words are its name and arguments.
	Words []Word
	// Assigns are the variables set before it.
	Assigns []Assign
	// Redirects are the files that it, or the compound command around it, has
	// as its input or output.
	Redirects []Redirect

	forms []form
	// dirs are the folders it may run in, as in scope; nil: not known.
	dirs []string
	// moved tells that it may run in another folder than the script started in.
	moved bool
	// parent is the index of the command whose nested script it is in; -1: none.
	parent int
	// literal tells that it is the cat of a quoted here document, whose output
	// was read as text.
	literal bool
	// document is what it reads from a here document or a here string, as far as
	// it is known.
	document string
	// pipe is the pipeline it is in and stage its place there; pipe 0: none.
	pipe, stage int
}

// Assign is one variable set before a command.
type Assign struct {
	Name  string
	Value Word
	// loop tells that it is the variable of a for loop.
	loop bool
}

// Redirect is a file that a command has as its input or output.
type Redirect struct {
	Target Word
	Reads  bool
	Writes bool
}

// String is the command for a person: words that are not known are shown as they
// can be known, followed by a star.
func (c Command) String() string {
	var parts []string
	for _, assign := range c.Assigns {
		parts = append(parts, assign.Name+"=")
	}
	for _, word := range c.Words {
		parts = append(parts, word.shown())
	}
	for _, redirect := range c.Redirects {
		sign := ">"
		if !redirect.Writes {
			sign = "<"
		}
		parts = append(parts, sign+" "+redirect.Target.shown())
	}
	return strings.Join(parts, " ")
}

func (w Word) shown() string {
	if w.Static {
		return w.Text
	}
	return strings.TrimSuffix(w.Text, "*") + "*"
}

// maxShown is how much of a command a reason shows, in characters.
const maxShown = 160

// shown is the command as reasons show it: cut when it is long.
func (c Command) shown() string {
	text := []rune(c.String())
	if len(text) <= maxShown {
		return string(text)
	}
	return string(text[:maxShown-1]) + "…"
}
