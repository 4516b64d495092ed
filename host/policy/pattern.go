package policy

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// commandPattern matches simple commands word by word.
type commandPattern struct {
	words []string
	// prefix lets any further words follow.
	prefix bool
}

// patternError is a fault in a pattern; offset counts bytes from its start.
type patternError struct {
	offset        int
	problem, hint string
}

// parseCommandPattern reads "words", "words *" or "words:*". The words are read
// as bash reads them, so that quotes in a pattern mean what they mean in a
// command.
func parseCommandPattern(text string) (*commandPattern, *patternError) {
	pattern := &commandPattern{}
	head := strings.TrimRight(text, " \t")
	for _, ending := range []string{" *", "\t*", ":*"} {
		if cut, ok := strings.CutSuffix(head, ending); ok {
			head, pattern.prefix = cut, true
			break
		}
	}
	if strings.TrimSpace(head) == "" {
		return nil, &patternError{0, "it names no command", "write Bash for every command, or Bash(command *)"}
	}
	words, err := parsePatternWords(head)
	if err != nil {
		return nil, err
	}
	pattern.words = words
	return pattern, nil
}

// parsePatternWords reads a single command of constant words.
func parsePatternWords(text string) ([]string, *patternError) {
	if strings.ContainsRune(text, 0) || len(text) > maxScript {
		return nil, &patternError{0, "no command is like that", "write one plain command"}
	}
	file, err := parse(text)
	if err != nil {
		return nil, &patternError{0, fmt.Sprintf("it is not valid shell (%s)", err), "write one plain command, and quote what is special to the shell"}
	}
	command, ok := plainCommand(file)
	if !ok {
		return nil, &patternError{0, "it is not one plain command", "write a rule for each command of a compound one"}
	}
	words := make([]string, 0, len(command.Words))
	for _, word := range command.Words {
		if !word.Static {
			return nil, &patternError{max(strings.IndexAny(text, "*?[{$`<~="), 0),
				"a pattern has a star only at its end, after a blank or a colon, and no expansion",
				"end the rule with ` *`, or quote the character"}
		}
		words = append(words, word.Text)
	}
	if name, _, parameter := strings.Cut(words[0], ":"); parameter {
		return nil, &patternError{strings.Index(text, ":"), fmt.Sprintf("no command is called %q", words[0]),
			fmt.Sprintf("write Bash(%s *) if you mean the command; rules about other inputs of Bash are not understood", name)}
	}
	return words, nil
}

// plainCommand is the only command of a script, if there is nothing else in it.
func plainCommand(file *syntax.File) (Command, bool) {
	if len(file.Stmts) != 1 {
		return Command{}, false
	}
	stmt := file.Stmts[0]
	if stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown || len(stmt.Redirs) > 0 {
		return Command{}, false
	}
	switch node := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		command := readCall(node)
		return command, len(command.Words) > 0 && len(command.Assigns) == 0
	case *syntax.DeclClause:
		return readDeclaration(node), true
	}
	return Command{}, false
}

// matchAll tells whether every word of a command is known and fits. It is the
// reading for allow: the command as written, or what a transparent wrapper runs.
func (p *commandPattern) matchAll(command Command) bool {
	if len(command.Assigns) > 0 {
		return false
	}
	for _, form := range command.forms {
		if form.transparent && allStatic(form.words) && p.match(form.words, exactName) == yes {
			return true
		}
	}
	return false
}

// matchAny tells whether the command fits in any reading: behind a wrapper, or
// called by its path. It is the reading for deny and ask. The case of the
// command's name does not count, since file systems exist where it does not.
func (p *commandPattern) matchAny(command Command) certainty {
	best := no
	for _, form := range command.forms {
		best = max(best, p.match(form.words, strings.EqualFold))
		if best == yes {
			break
		}
	}
	return best
}

// match compares words. From the first unknown word on the answer can only be
// maybe, since such a word may become none or several.
func (p *commandPattern) match(words []Word, sameName func(a, b string) bool) certainty {
	for i, want := range p.words {
		if i >= len(words) {
			return no
		}
		if !words[i].Static {
			return maybe
		}
		if i == 0 && !sameName(words[i].Text, want) || i > 0 && words[i].Text != want {
			return no
		}
	}
	if p.prefix || len(words) == len(p.words) {
		return yes
	}
	for _, word := range words[len(p.words):] {
		if word.Static {
			return no
		}
	}
	return maybe
}

func exactName(a, b string) bool { return a == b }

func allStatic(words []Word) bool {
	for _, word := range words {
		if !word.Static {
			return false
		}
	}
	return true
}
