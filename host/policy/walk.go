package policy

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of one parsed script. It goes through the script
// in the order of execution, with what is known of variables and folders.
type walker struct {
	script *Script
	depth  int
	parent int
	scope  *scope
	// pipe and stage are of the pipeline that is walked.
	pipe, stage int
	// and tells that the statement is followed by what runs only if it succeeds.
	and bool
}

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, stmt := range list {
		w.stmt(stmt)
	}
}

func (w *walker) stmt(stmt *syntax.Stmt) {
	if len(w.script.Commands) >= maxCommands {
		w.script.opaque("has too many commands")
		return
	}
	if stmt.Background || stmt.Coprocess || stmt.Disown {
		w.script.dynamic("runs in the background, where nobody waits for it")
		defer w.branch()()
	}
	var redirects []Redirect
	document := ""
	for _, redirect := range stmt.Redirs {
		files, text := w.redirect(redirect)
		redirects = append(redirects, files...)
		document += text
	}
	if stmt.Negated {
		w.and = false
	}
	switch node := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(node, redirects, document)
		return
	case *syntax.DeclClause:
		w.declaration(node, redirects)
		return
	}
	if len(redirects) > 0 {
		w.add(Command{Redirects: redirects})
	}
	if stmt.Cmd != nil {
		w.compound(stmt.Cmd)
	}
}

// branch walks what follows in a scope of its own, until the returned function
// is called.
func (w *walker) branch() (leave func()) {
	outer := *w
	w.scope = w.scope.clone()
	return func() { *w = outer }
}

func (w *walker) compound(cmd syntax.Command) {
	defer func(and bool) { w.and = and }(w.and)
	w.and = false
	switch node := cmd.(type) {
	case *syntax.Block:
		w.stmts(node.Stmts)
	case *syntax.Subshell:
		defer w.branch()()
		w.stmts(node.Stmts)
	case *syntax.TimeClause:
		if node.Stmt != nil {
			w.stmt(node.Stmt)
		}
	case *syntax.BinaryCmd:
		w.binary(node)
	case *syntax.IfClause:
		w.conditional(node, func() { w.ifClause(node) })
	case *syntax.WhileClause:
		w.loop(node, func() {
			w.stmts(node.Cond)
			w.stmts(node.Do)
		})
	case *syntax.ForClause:
		w.loop(node, func() { w.forClause(node) })
	case *syntax.CaseClause:
		w.script.dynamic("chooses by a pattern")
		w.conditional(node, func() { w.caseClause(node) })
	case *syntax.FuncDecl:
		w.script.dynamic("defines a function")
		w.script.forkBomb = w.script.forkBomb || isForkBomb(node)
		w.elsewhere(func() { w.stmt(node.Body) })
	case *syntax.CoprocClause:
		w.script.dynamic("runs in the background, where nobody waits for it")
		w.elsewhere(func() { w.stmt(node.Stmt) })
	case *syntax.TestDecl:
		w.script.dynamic("declares a test")
		w.elsewhere(func() { w.stmt(node.Body) })
	default: // [[ ]], (( )), let: expressions may assign and run substitutions
		w.script.evaluate()
		w.inside(node)
		w.scope.forgetAll()
	}
}

func (w *walker) binary(node *syntax.BinaryCmd) {
	switch node.Op {
	case syntax.AndStmt, syntax.OrStmt:
		w.and = node.Op == syntax.AndStmt
		w.stmt(node.X)
		w.and = false
		w.conditional(node.Y, func() { w.stmt(node.Y) })
		if node.Op == syntax.AndStmt {
			w.scope.dirs = withStart(w.scope.dirs, w.scope.moves)
		}
	default:
		w.script.download = w.script.download || isDownloadPipe(node)
		defer w.branch()()
		if w.pipe == 0 {
			w.script.pipes++
			w.pipe = w.script.pipes
		}
		leave := w.branch()
		w.stmt(node.X)
		leave()
		w.stage = w.lastStage() + 1
		w.stmt(node.Y)
	}
}

// lastStage is the stage of the last command of the current pipeline.
func (w *walker) lastStage() int {
	last := w.stage
	for i := len(w.script.Commands) - 1; i >= 0 && w.script.Commands[i].pipe == w.pipe; i-- {
		last = max(last, w.script.Commands[i].stage)
	}
	return last
}

// withStart adds the folder the script started in to those it may be in: what
// stands before && may have failed.
func withStart(dirs []string, moves int) []string {
	if dirs == nil || moves == 0 || slices.Contains(dirs, "") {
		return dirs
	}
	return append(slices.Clip(dirs), "")
}

// conditional walks what may run or not: afterwards, what it sets is not known.
func (w *walker) conditional(node syntax.Node, walk func()) {
	before := *w.scope
	if stmt, ok := node.(*syntax.Stmt); ok && isPlainCall(stmt) {
		walk() // which forgets what the call may set
		w.scope.merge(&before)
		return
	}
	changes := changesOf(node)
	walk()
	w.scope.merge(&before)
	w.scope.apply(changes)
}

// isPlainCall tells whether a statement is a command that may set variables by
// its effect alone.
func isPlainCall(stmt *syntax.Stmt) bool {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0
}

// loop walks what may run many times, each time with what the last left.
func (w *walker) loop(node syntax.Node, walk func()) {
	changes := changesOf(node)
	w.scope.apply(changes)
	if changes.dirs {
		w.scope.leave()
	}
	before := *w.scope
	walk()
	w.scope.merge(&before)
	w.scope.apply(changes)
}

// elsewhere walks what runs at another time, when anything may be set.
func (w *walker) elsewhere(walk func()) {
	defer w.branch()()
	w.scope.forgetAll()
	w.scope.leave()
	walk()
}

func (w *walker) ifClause(node *syntax.IfClause) {
	w.stmts(node.Cond)
	w.stmts(node.Then)
	if node.Else != nil {
		w.conditional(node.Else, func() { w.ifClause(node.Else) })
	}
}

func (w *walker) forClause(node *syntax.ForClause) {
	if node.Select {
		w.script.dynamic("asks for a choice")
	}
	switch loop := node.Loop.(type) {
	case *syntax.WordIter:
		w.readAll(loop.Items)
		// What the loop sets is an assignment as any other.
		w.add(Command{Assigns: []Assign{{Name: loop.Name.Value, Value: unknownWord(unknown), loop: true}}})
	default:
		w.script.evaluate()
		w.inside(node.Loop)
		w.scope.forgetAll()
	}
	w.stmts(node.Do)
}

func (w *walker) caseClause(node *syntax.CaseClause) {
	w.readAll([]*syntax.Word{node.Word})
	for _, item := range node.Items {
		w.readAll(item.Patterns)
		leave := w.branch()
		w.stmts(item.Stmts)
		leave()
	}
}

// call adds a simple command and follows what it changes.
func (w *walker) call(node *syntax.CallExpr, redirects []Redirect, document string) {
	command := Command{Redirects: redirects, Words: w.readAll(node.Args), document: document}
	for _, assign := range node.Assigns {
		command.Assigns = append(command.Assigns, w.assignment(assign))
	}
	command = w.add(command)
	if len(node.Args) == 0 {
		for i, assign := range node.Assigns {
			value := command.Assigns[i].Value
			value.Static = value.Static && assign.Index == nil && assign.Array == nil
			w.scope.assign(assign.Name.Value, value, assign.Append)
			if w.and {
				w.scope.forbid(assign.Name.Value)
			}
		}
		return
	}
	w.effect(command)
}

// assignment reads NAME=value, where tildes expand after each colon, too.
func (w *walker) assignment(assign *syntax.Assign) Assign {
	w.inside(assign)
	if assign.Index != nil {
		w.script.evaluate()
	}
	read := Assign{Name: assign.Name.Value, Value: knownWord("")}
	switch {
	case assign.Value != nil:
		read.Value = readOne(assign.Value, w.scope, w.odd)
		if strings.Contains(read.Value.Text, ":~") {
			read.Value = unknownWord(unknown)
		}
	case assign.Array != nil:
		read.Value = unknownWord(unknown)
	}
	if assign.Append || assign.Index != nil || read.Value.kind == glob {
		read.Value = unknownWord(unknown)
	}
	return read
}

// readAll reads words as bash splits them, and walks what is inside.
func (w *walker) readAll(list []*syntax.Word) []Word {
	words := make([]Word, 0, len(list))
	for _, word := range list {
		if len(word.Parts) == 1 {
			// Most words are plain, and there is nothing in them.
			if lit, ok := word.Parts[0].(*syntax.Lit); ok && isPlain(lit.Value) {
				words = append(words, knownWord(lit.Value))
				continue
			}
		}
		w.inside(word)
		words = append(words, readWords(word, w.scope, w.odd)...)
	}
	return words
}

func (w *walker) odd(why string) { w.script.dynamic(why) }

// inside walks the scripts in a word or an expression: $(...), `...` and <(...).
func (w *walker) inside(node syntax.Node) {
	syntax.Walk(node, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			if _, ok := quotedDocument(node); ok {
				w.add(Command{Words: []Word{knownWord("cat")}, literal: true})
				return false
			}
			w.script.dynamic("uses the output of a command as words")
			w.substitution(node.Stmts)
			return false
		case *syntax.ProcSubst:
			w.script.dynamic("uses a command as a file")
			w.substitution(node.Stmts)
			return false
		case *syntax.ParamExp:
			if node.Index != nil || node.Slice != nil {
				w.script.evaluate()
			}
			if node.Exp != nil && (node.Exp.Op == syntax.AssignUnset || node.Exp.Op == syntax.AssignUnsetOrNull) {
				w.scope.forgetAll()
			}
		case *syntax.ArithmExp:
			if !constantArithmetic(node.X) {
				w.script.evaluate()
				w.scope.forgetAll()
			}
		}
		return true
	})
}

func (w *walker) substitution(stmts []*syntax.Stmt) {
	defer w.branch()()
	w.pipe, w.stage, w.and = 0, 0, false
	w.stmts(stmts)
}

// base is a command's name without the folder it is called by.
func base(word Word) string { return path.Base(word.Text) }
