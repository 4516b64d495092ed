package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxScript is the longest text that may run unasked, in characters.
	maxScript = 10_000
	// maxRead is the longest text that is looked through for what is denied.
	maxRead = 1 << 20
	// maxNesting and maxNested bound scripts inside scripts, as in
	// bash -c "bash -c ...": how deep, and how many in all.
	maxNesting = 8
	maxNested  = 64
	// maxCommands bounds what is listed of one script.
	maxCommands = 5_000
)

// Script is what a shell command would do, as far as it can be known before it
// runs.
type Script struct {
	// Commands are all simple commands, in order, also those in substitutions,
	// functions, loops and nested scripts.
	Commands []Command
	// Dynamic says what cannot be known before the script runs, or is not
	// followed; empty when everything is known.
	Dynamic []string
	// Opaque tells that the script runs another script whose commands are not
	// listed here.
	Opaque bool
	// Refused says why the script was not analysed; then Commands is empty.
	Refused string

	// suspects are the commands that a refused script seems to have.
	suspects []Command
	// nested counts the scripts inside it, pipes its pipelines.
	nested, pipes int
	// download tells that a download is piped into an interpreter.
	download bool
	// evaluates tells that text is evaluated as an expression.
	evaluates bool
	// forkBomb tells that a function starts itself in the background.
	forkBomb bool
}

// Analyze reads a script in bash's grammar. It never fails: what it cannot
// analyse is refused in the answer.
func Analyze(text string) *Script {
	script := &Script{}
	refused := refusal(text)
	if refused == "" {
		refused = script.read(text, 0, -1, newScope())
	}
	if len(script.Commands) >= maxCommands && refused == "" {
		refused = "it has too many commands"
	}
	if refused == "" {
		return script
	}
	return &Script{Refused: refused, suspects: suspects(text)}
}

// refusal tells why a text is not even parsed.
func refusal(text string) string {
	switch {
	case strings.ContainsRune(text, 0):
		return "it contains a NUL character"
	case strings.ContainsAny(text, marks):
		return "it contains a control character"
	case utf8.RuneCountInString(text) > maxScript:
		return fmt.Sprintf("it is longer than %d characters", maxScript)
	}
	return ""
}

// read adds the commands of text, which is nested depth scripts deep, in the
// command parent. It answers why the text can't be analysed, or nothing.
func (s *Script) read(text string, depth, parent int, at *scope) (refused string) {
	if refused := refusal(text); refused != "" {
		return refused
	}
	file, err := parse(text)
	if err != nil {
		return fmt.Sprintf("it is not valid shell (%s)", err)
	}
	w := &walker{script: s, depth: depth, parent: parent, scope: at}
	w.stmts(file.Stmts)
	if s.evaluates {
		s.readHidden(file, depth, at)
	}
	return ""
}

func parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// readNested adds the commands of a script inside the script. One that can't be
// analysed does not void what is known of the rest.
func (s *Script) readNested(text string, depth, parent int, at *scope) {
	s.nested++
	if depth > maxNesting || s.nested > maxNested {
		s.opaque("nests scripts too deeply")
		return
	}
	if refused := s.read(text, depth, parent, at); refused != "" {
		s.opaque("runs a script of which " + refused)
		s.suspects = append(s.suspects, suspects(text)...)
	}
}

func (s *Script) evaluate() {
	s.evaluates = true
	s.dynamic("evaluates an expression")
}

func (s *Script) opaque(why string) {
	s.Opaque = true
	s.dynamic(why)
}

func (s *Script) dynamic(why string) {
	if !slices.Contains(s.Dynamic, why) {
		s.Dynamic = append(s.Dynamic, why)
	}
}

// suspects lists what a text that cannot be parsed seems to run: its parts
// between the shell's operators, without quotes and escapes. It is for deny and
// ask rules only, and may list what would not run.
func suspects(text string) []Command {
	if len(text) > maxRead {
		text = text[:maxRead]
	}
	var whole Script
	if file, err := parse(strings.Map(dropMarks, text)); err == nil {
		w := &walker{script: &whole, parent: -1, scope: newScope()}
		w.stmts(file.Stmts)
	}
	unquoted := strings.NewReplacer("\\\n", "", "\\", "", "'", "", `"`, "", "\x00", "", "\x01", "", "\x02", "").Replace(text)
	parts := strings.FieldsFunc(unquoted, func(r rune) bool { return strings.ContainsRune(";&|\n(){}`$!<>", r) })
	for _, part := range parts[:min(len(parts), maxCommands)] {
		words := strings.Fields(part)
		for len(words) > 0 && (strings.Contains(words[0], "=") || isKeyword(words[0])) {
			words = words[1:]
		}
		if len(words) == 0 {
			continue
		}
		command := Command{parent: -1, dirs: []string{""}}
		for _, word := range words {
			command.Words = append(command.Words, knownWord(word))
		}
		command.forms, _ = formsOf(command.Words)
		whole.Commands = append(whole.Commands, command)
	}
	return whole.Commands
}

func dropMarks(r rune) rune {
	if r <= anyChar {
		return -1
	}
	return r
}

func isKeyword(word string) bool {
	switch word {
	case "if", "then", "elif", "else", "while", "until", "do", "time", "!", "case", "coproc", "function":
		return true
	}
	return false
}
