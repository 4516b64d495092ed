package policy

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// maxScript is the longest text that is analysed, in characters.
	maxScript = 10_000
	// maxNesting and maxNested bound scripts inside scripts, as in
	// bash -c "bash -c ...": how deep, and how many in all.
	maxNesting = 8
	maxNested  = 64
)

// Script is what a shell command would do, as far as it can be known before it
// runs.
type Script struct {
	// Commands are all simple commands, in order, also those in substitutions,
	// functions, loops and nested scripts.
	Commands []Command
	// Writes are the files that output redirections write.
	Writes []Word
	// Dynamic says what cannot be known before the script runs; empty when
	// everything is known.
	Dynamic []string
	// Opaque tells that the script runs another script whose commands are not
	// listed here.
	Opaque bool
	// Refused says why the script was not analysed; then the rest is empty.
	Refused string

	// nested counts the scripts inside it.
	nested int
	// download tells that a download is piped into an interpreter.
	download bool
	// forkBomb tells that a function starts itself in the background.
	forkBomb bool
}

// Analyze reads a script in bash's grammar. It never fails: what it cannot
// analyse is refused in the answer.
func Analyze(text string) *Script {
	script := &Script{}
	if refused := script.read(text, 0); refused != "" {
		return &Script{Refused: refused}
	}
	return script
}

// read adds the commands of text, which is nested depth scripts deep. It
// answers why the text can't be analysed, or nothing.
func (s *Script) read(text string, depth int) (refused string) {
	if strings.ContainsRune(text, 0) {
		return "it contains a NUL character"
	}
	if utf8.RuneCountInString(text) > maxScript {
		return fmt.Sprintf("it is longer than %d characters", maxScript)
	}
	file, err := parse(text)
	if err != nil {
		return fmt.Sprintf("it is not valid shell (%s)", err)
	}
	walker := &walker{script: s, depth: depth}
	syntax.Walk(file, walker.visit)
	return ""
}

func parse(text string) (*syntax.File, error) {
	return syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
}

// readNested adds the commands of a script inside the script. One that can't be
// analysed does not void what is known of the rest.
func (s *Script) readNested(text string, depth int) {
	s.nested++
	if depth > maxNesting || s.nested > maxNested {
		s.opaque("nests scripts too deeply")
		return
	}
	if refused := s.read(text, depth); refused != "" {
		s.opaque("runs a script of which " + refused)
	}
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

// walker collects the commands of one parsed script.
type walker struct {
	script *Script
	depth  int
}

func (w *walker) visit(node syntax.Node) bool {
	s := w.script
	switch node := node.(type) {
	case *syntax.CallExpr:
		w.add(readCall(node))
	case *syntax.DeclClause:
		w.add(readDeclaration(node))
	case *syntax.Redirect:
		w.redirect(node)
	case *syntax.FuncDecl:
		s.dynamic("defines a function")
		s.forkBomb = s.forkBomb || isForkBomb(node)
	case *syntax.BinaryCmd:
		s.download = s.download || isDownloadPipe(node)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.ArithmExp:
		s.dynamic("evaluates an expression")
	case *syntax.ForClause:
		s.dynamic("runs a loop over a variable")
	case *syntax.CmdSubst:
		s.dynamic("uses the output of a command as words")
	case *syntax.ProcSubst:
		s.dynamic("uses a command as a file")
	case *syntax.ParamExp:
		s.dynamic("uses a variable")
	}
	return true
}

// add records a command, and the commands of the script that it runs, if any.
func (w *walker) add(command Command) {
	s := w.script
	if !allStatic(command.Words) {
		s.dynamic("has words that are only known when it runs")
	}
	var all bool
	if command.forms, all = formsOf(command.Words); !all {
		s.opaque("has a command that can be read in too many ways")
	}
	s.Commands = append(s.Commands, command)
	for _, form := range command.forms {
		if form.byName {
			continue
		}
		nested := nestedScript(form.words)
		if nested.unknown {
			s.opaque("runs a script that is only known when it runs")
		}
		if nested.text != "" {
			s.readNested(nested.text, w.depth+1)
		}
	}
}

func (w *walker) redirect(redirect *syntax.Redirect) {
	if redirect.N != nil && strings.HasPrefix(redirect.N.Value, "{") {
		w.script.dynamic("keeps a file open")
	}
	switch redirect.Op {
	case syntax.RdrIn, syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return
	}
	target := readWord(redirect.Word)
	if redirect.Op == syntax.DplOut && target.Static && isDescriptor(target.Text) {
		return
	}
	if target.Static && target.Text == "/dev/null" && redirect.Op != syntax.RdrInOut {
		return
	}
	w.script.Writes = append(w.script.Writes, target)
}

// isDescriptor tells whether the target of >& is a descriptor: 2, 2- or -.
func isDescriptor(target string) bool {
	return target != "" && strings.Trim(strings.TrimSuffix(target, "-"), "0123456789") == ""
}
