package policy

import (
	"mvdan.cc/sh/v3/syntax"
)

// add records a command, and the commands of the script that it runs, if any. It
// returns what it recorded.
func (w *walker) add(command Command) Command {
	s := w.script
	command.parent, command.pipe, command.stage = w.parent, w.pipe, w.stage
	command.dirs, command.moved = w.scope.dirs, w.scope.moves > 0
	var all bool
	if command.forms, all = formsOf(command.Words); !all {
		s.opaque("has a command that can be read in too many ways")
	}
	s.Commands = append(s.Commands, command)
	index := len(s.Commands) - 1
	for _, form := range command.forms {
		if evaluates(form.words) {
			s.evaluate()
		}
	}
	s.readSettings(command, w.depth, index, w.scope)
	for _, form := range command.forms {
		if form.byName {
			continue
		}
		nested := nestedScript(form.words)
		if nested.unknown {
			s.opaque("runs a script that is only known when it runs")
		}
		if nested.fromInput && nested.text == "" {
			nested.text = command.document + s.piped(command)
		}
		if nested.text == "" {
			continue
		}
		at := w.scope
		if !nested.here {
			// Another shell knows only what was exported.
			at = at.clone()
			at.forgetAll()
		}
		s.readNested(nested.text, w.depth+1, index, at)
	}
	return command
}

// piped is what the command before it in a pipeline prints, as far as that is
// plain: echo, printf, and cat with a here document.
func (s *Script) piped(command Command) string {
	for i := len(s.Commands) - 1; i >= 0 && command.pipe != 0; i-- {
		before := &s.Commands[i]
		if before.pipe != command.pipe || before.stage != command.stage-1 || len(before.Words) == 0 {
			continue
		}
		switch before.Words[0].Text {
		case "echo", "printf":
			return joined(skipOptions(before.Words[1:], "")).text
		case "cat":
			return before.document
		}
		return ""
	}
	return ""
}

// effect follows what a command changes in the shell that runs it.
func (w *walker) effect(command Command) {
	for _, form := range command.forms {
		first := form.words[0]
		if !first.Static {
			w.scope.forgetAll()
			w.scope.leave()
			continue
		}
		switch first.Text {
		case "cd", "pushd":
			w.scope.enter(cdTarget(form.words), !w.and)
		case "popd":
			w.scope.leave()
		case "alias":
			w.script.dynamic("defines an alias")
		case "source", ".":
			w.script.dynamic("runs a file in this shell")
			w.scope.forgetAll()
			w.scope.leave()
		case "eval":
			w.scope.forgetAll()
			w.scope.leave()
		default:
			if setsVariables(first.Text) {
				w.scope.forgetAll()
			}
		}
	}
}

// cdTarget is where cd goes: home without an operand, and unknown for `cd -` and
// for several operands.
func cdTarget(words []Word) Word {
	operands := arguments(words[1:]).operands
	switch {
	case len(operands) == 0:
		return homeWord()
	case len(operands) > 1 || operands[0].Text == "-":
		return unknownWord(unknown)
	}
	return operands[0]
}

// setsVariables lists the builtins that set variables by their arguments.
func setsVariables(name string) bool {
	switch name {
	case "read", "mapfile", "readarray", "getopts", "printf", "unset", "let", "wait", "declare", "typeset", "local", "export",
		"readonly", "set", "shift", "trap", "exec", "unalias", "shopt":
		return true
	}
	return false
}

// declaration reads export, declare and the like as the commands they are.
func (w *walker) declaration(clause *syntax.DeclClause, redirects []Redirect) {
	command := Command{Words: []Word{knownWord(clause.Variant.Value)}, Redirects: redirects}
	plain := clause.Variant.Value == "export" || clause.Variant.Value == "readonly"
	var set []Assign
	for _, arg := range clause.Args {
		w.inside(arg)
		switch {
		case arg.Name == nil && arg.Value != nil:
			command.Words = append(command.Words, readWords(arg.Value, w.scope, w.odd)...)
			plain = false
		case arg.Name != nil && arg.Naked && arg.Index == nil:
			command.Words = append(command.Words, knownWord(arg.Name.Value))
		case arg.Name != nil:
			assign := w.assignment(arg)
			set = append(set, assign)
			word := assign.Value
			word.Text, word.shape = assign.Name+"="+word.Text, assign.Name+"="+word.shape
			word.open, word.home = false, false
			command.Words = append(command.Words, word)
		}
	}
	w.add(command)
	if !plain {
		w.scope.forgetAll()
	}
	for _, assign := range set {
		w.scope.assign(assign.Name, assign.Value, !plain)
	}
}

// changes are what a part of a script may change of its scope.
type changes struct {
	names []string
	all   bool
	dirs  bool
}

// changesOf looks through a part of a script without following it.
func changesOf(node syntax.Node) changes {
	var c changes
	syntax.Walk(node, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			if node.Name != nil {
				c.names = append(c.names, node.Name.Value)
			}
		case *syntax.WordIter:
			c.names = append(c.names, node.Name.Value)
		case *syntax.ParamExp:
			c.all = c.all || node.Exp != nil && (node.Exp.Op == syntax.AssignUnset || node.Exp.Op == syntax.AssignUnsetOrNull)
		case *syntax.ArithmCmd, *syntax.ArithmExp, *syntax.LetClause, *syntax.TestClause, *syntax.DeclClause:
			c.all = true
		case *syntax.CallExpr:
			c.addCall(node)
		}
		return true
	})
	return c
}

func (c *changes) addCall(call *syntax.CallExpr) {
	for _, arg := range call.Args {
		for _, word := range readWords(arg, nil, func(string) {}) {
			switch {
			// A wrapper may stand before the name, so every word counts.
			case !word.Static && word.kind == unknown, word.Text == "eval", word.Text == "source", word.Text == ".":
				c.all, c.dirs = true, true
			case word.Text == "cd", word.Text == "pushd", word.Text == "popd":
				c.dirs = true
			case setsVariables(word.Text):
				c.all = true
			}
		}
	}
}

// apply forgets what may have changed.
func (s *scope) apply(c changes) {
	if c.all {
		s.forgetAll()
		return
	}
	s.forget(c.names...)
}
