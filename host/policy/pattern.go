package policy

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// separator stands between the words of a command in a [form] and in a pattern.
const separator = "\x00"

// commandPattern matches simple commands, or for a deny or ask rule a pipeline
// of them.
type commandPattern struct {
	stages []stagePattern
}

// stagePattern matches one simple command by its words after quote removal.
type stagePattern struct {
	// text is the words with separators between them; anyText is a star, which
	// also spans words.
	text string
	// folded is text with the command's name in lower case.
	folded string
	// prefix lets any further words follow; more and foldedMore are text and
	// folded with a star for them.
	prefix           bool
	more, foldedMore string
	// literals is how many words at the start have no star.
	literals int
	// words is how many words there are.
	words int
	// assigns is how many of them are assignments before the name.
	assigns int
	// spelled are the words, as a list.
	spelled []string
}

// patternError is a fault in a pattern; offset counts bytes from its start.
type patternError struct {
	offset        int
	problem, hint string
}

// parseCommandPattern reads words with stars. At the end, " *" and ":*" are a
// star that takes none, one or several words. The words are read as bash reads
// them, so that quotes in a pattern mean what they mean in a command. pipelines
// tells whether the pattern may be one.
func parseCommandPattern(text string, pipelines bool) (*commandPattern, *patternError) {
	head := strings.TrimRight(text, " \t")
	prefix := false
	for _, ending := range []string{" *", "\t*", ":*"} {
		if cut, ok := strings.CutSuffix(head, ending); ok {
			head, prefix = cut, true
			break
		}
	}
	if strings.Trim(head, "* \t") == "" {
		return nil, &patternError{0, "it names no command", "write Bash for every command, or Bash(command *)"}
	}
	if refused := refusal(head); refused != "" {
		return nil, &patternError{0, "no command is like that: " + refused, "write one plain command"}
	}
	file, err := parse(head)
	if err != nil {
		return nil, &patternError{0, fmt.Sprintf("it is not valid shell (%s)", err), "write one plain command, and quote what is special to the shell"}
	}
	if len(file.Stmts) != 1 {
		return nil, notPlain()
	}
	pattern := &commandPattern{}
	if err := pattern.addStages(file.Stmts[0], pipelines); err != nil {
		return nil, err
	}
	last := &pattern.stages[len(pattern.stages)-1]
	last.prefix = prefix
	return pattern, nil
}

func notPlain() *patternError {
	return &patternError{0, "it is not one plain command", "write a rule for each command of a compound one"}
}

// addStages reads one command, or the commands of a pipeline.
func (p *commandPattern) addStages(stmt *syntax.Stmt, pipelines bool) *patternError {
	if stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Disown || len(stmt.Redirs) > 0 {
		return notPlain()
	}
	switch node := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if !pipelines || node.Op != syntax.Pipe && node.Op != syntax.PipeAll {
			return notPlain()
		}
		if err := p.addStages(node.X, true); err != nil {
			return err
		}
		return p.addStages(node.Y, true)
	case *syntax.CallExpr:
		stage := stagePattern{assigns: len(node.Assigns)}
		var words []string
		for _, assign := range node.Assigns {
			if assign.Append || assign.Index != nil || assign.Array != nil {
				return notPlain()
			}
			value := ""
			if assign.Value != nil {
				text, err := patternWord(assign.Value)
				if err != nil {
					return err
				}
				value = text
			}
			words = append(words, assign.Name.Value+"="+value)
		}
		for _, arg := range node.Args {
			text, err := patternWord(arg)
			if err != nil {
				return err
			}
			words = append(words, text)
		}
		p.stages = append(p.stages, stage.of(words))
		return nil
	case *syntax.DeclClause:
		command := Command{}
		w := &walker{script: &Script{}, scope: newScope(), parent: -1}
		w.declaration(node, nil)
		command = w.script.Commands[0]
		var words []string
		for _, word := range command.Words {
			words = append(words, word.shape)
		}
		p.stages = append(p.stages, stagePattern{}.of(words))
		return nil
	}
	return notPlain()
}

func (s stagePattern) of(words []string) stagePattern {
	s.words, s.spelled = len(words), words
	s.text = strings.Join(words, separator)
	for s.literals < len(words) && !strings.ContainsRune(words[s.literals], anyText) {
		s.literals++
	}
	folded := append([]string(nil), words...)
	for i := range folded {
		if i >= s.assigns {
			folded[i] = strings.ToLower(folded[i])
			break
		}
	}
	s.folded = strings.Join(folded, separator)
	s.more, s.foldedMore = s.text+separator+string(anyText), s.folded+separator+string(anyText)
	return s
}

// name is the command that the pattern is about, in lower case; empty when a
// star leaves it open.
func (s *stagePattern) name() string {
	if s.literals <= s.assigns {
		return ""
	}
	return strings.Split(s.folded, separator)[s.assigns]
}

// patternWord reads a word of a pattern, in which only the star is special.
func patternWord(word *syntax.Word) (string, *patternError) {
	var text strings.Builder
	for _, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text.WriteString(patternLiteral(part.Value))
			continue
		case *syntax.SglQuoted:
			if !part.Dollar {
				text.WriteString(part.Value)
				continue
			}
		case *syntax.DblQuoted:
			if lit, ok := plainQuoted(part); ok {
				text.WriteString(lit)
				continue
			}
		case *syntax.ParamExp:
			if name, plain := plainParameter(part); plain && name == "HOME" && text.Len() == 0 {
				text.WriteByte('~')
				continue
			}
		}
		return "", &patternError{int(part.Pos().Offset()), "a pattern has stars and no expansion",
			"write what the expansion stands for, or a star"}
	}
	return text.String(), nil
}

func patternLiteral(value string) string {
	var text strings.Builder
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\' && i+1 < len(value):
			i++
			if value[i] != '\n' {
				text.WriteByte(value[i])
			}
		case c == '*':
			text.WriteByte(anyText)
		default:
			text.WriteByte(c)
		}
	}
	return text.String()
}

func plainQuoted(quoted *syntax.DblQuoted) (string, bool) {
	if quoted.Dollar || len(quoted.Parts) > 1 {
		return "", false
	}
	if len(quoted.Parts) == 0 {
		return "", true
	}
	lit, ok := quoted.Parts[0].(*syntax.Lit)
	if !ok {
		return "", false
	}
	return doubleQuoted(lit.Value), true
}

// covers tells whether the pattern matches a command for sure, in the reading
// for allow: the command as written, or what a transparent wrapper runs, with
// the case as it is. It answers the reading that matches.
func (p *commandPattern) covers(command *Command) (*form, bool) {
	stage := &p.stages[0]
	for i := range command.forms {
		form := &command.forms[i]
		if !form.transparent {
			continue
		}
		exact := form.exact
		if stage.assigns > 0 {
			if i > 0 || len(command.Assigns) < stage.assigns {
				continue
			}
			exact = assignText(command.Assigns[:stage.assigns]) + exact
		}
		if matchWildcard(stage.text, exact) || stage.prefix && matchWildcard(stage.more, exact) {
			return form, true
		}
	}
	return nil, false
}

func (s *stagePattern) covers(folded string) bool {
	return matchWildcard(s.folded, folded) || s.prefix && matchWildcard(s.foldedMore, folded)
}

func (s *stagePattern) mayCover(loose string) bool {
	return overlaps(s.folded, loose) || s.prefix && overlaps(s.foldedMore, loose)
}

// reaches tells whether the pattern fits a command in any reading: behind a
// wrapper, or called by its path. It is the reading for deny and ask. The case
// of the command's name does not count, since file systems exist where it does
// not.
func (s *stagePattern) reaches(command *Command) certainty {
	best := no
	for i := range command.forms {
		form := &command.forms[i]
		prefix := ""
		if s.assigns > 0 {
			if len(command.Assigns) < s.assigns {
				return no
			}
			prefix = assignText(command.Assigns[:s.assigns])
		}
		if s.covers(prefix + form.folded) {
			return yes
		}
		if best == no && form.loose != "" && s.mayCover(prefix+form.loose) {
			best = maybe
		}
	}
	return best
}

func assignText(assigns []Assign) string {
	var text strings.Builder
	for _, assign := range assigns {
		text.WriteString(assign.Name + "=" + assign.Value.shape + separator)
	}
	return text.String()
}
