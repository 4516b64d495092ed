package policy

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Command is one simple command.
type Command struct {
	// Words are its name and arguments; empty for a bare assignment.
	Words []Word
	// Assigns are the names of the variables set before it.
	Assigns []string

	forms []form
}

// String is the command for a person: words that are not known are shown as they
// can be known, followed by a star.
func (c Command) String() string {
	var parts []string
	for _, name := range c.Assigns {
		parts = append(parts, name+"=")
	}
	for _, word := range c.Words {
		if word.Static {
			parts = append(parts, word.Text)
		} else {
			parts = append(parts, strings.TrimSuffix(word.Text, "*")+"*")
		}
	}
	return strings.Join(parts, " ")
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

// readCall reads a simple command.
func readCall(call *syntax.CallExpr) Command {
	command := Command{}
	for _, word := range call.Args {
		command.Words = append(command.Words, readWord(word))
	}
	for _, assign := range call.Assigns {
		if assign.Name != nil {
			command.Assigns = append(command.Assigns, assign.Name.Value)
		}
	}
	return command
}

// readDeclaration reads export, declare and the like as the commands they are.
func readDeclaration(clause *syntax.DeclClause) Command {
	command := Command{Words: []Word{{Text: clause.Variant.Value, Static: true}}}
	for _, arg := range clause.Args {
		switch {
		case arg.Name == nil && arg.Value != nil:
			command.Words = append(command.Words, readWord(arg.Value))
		case arg.Name != nil && arg.Naked && arg.Index == nil:
			command.Words = append(command.Words, Word{Text: arg.Name.Value, Static: true})
		case arg.Name != nil:
			command.Words = append(command.Words, Word{Text: arg.Name.Value + "="})
		}
	}
	return command
}
