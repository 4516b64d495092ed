package policy

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Bash evaluates some text as an expression, and an expression may hold an index
// with a command substitution: [ -v 'a[$(rm x)]' ] runs rm, whatever the quotes.
// Other text is run by what reads it from the environment or a setting.

// evaluators are builtins that take names of variables, and with them an index.
var evaluators = strings.Fields("test [ printf unset read export declare local readonly typeset let mapfile readarray wait getopts")

// evaluates tells whether a command may evaluate one of its words.
func evaluates(words []Word) bool {
	return slices.Contains(evaluators, words[0].Text) && slices.ContainsFunc(words[1:], func(w Word) bool { return substitutes(w.Text) })
}

// substitutes tells whether a text has a command substitution in it.
func substitutes(text string) bool {
	return strings.Contains(text, "$(") || strings.Contains(text, "`")
}

// readHidden adds the commands of substitutions that quotes hide. It is for
// scripts that evaluate expressions, which then may run them.
func (s *Script) readHidden(file *syntax.File, depth int, at *scope) {
	var texts []string
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.SglQuoted:
			texts = append(texts, node.Value)
			if decoded, ok := decodeANSI(node.Value); ok && node.Dollar {
				texts = append(texts, decoded)
			}
		case *syntax.Lit:
			if strings.Contains(node.Value, `\`) {
				texts = append(texts, strings.ReplaceAll(node.Value, `\`, ""))
			}
		}
		return true
	})
	for _, text := range texts {
		if substitutes(text) {
			s.opaque("evaluates text with a command in it")
			s.readNested(": "+text, depth+1, -1, at.clone())
		}
	}
}

// readSettings adds the commands in variables and settings that programs run.
func (s *Script) readSettings(command Command, depth, parent int, at *scope) {
	var texts []string
	for _, assign := range command.Assigns {
		if changesPrograms(assign.Name) && assign.Value.Static {
			texts = append(texts, assign.Value.Text)
		}
	}
	for _, form := range command.forms {
		for _, word := range form.words[1:] {
			name, value, ok := strings.Cut(word.Text, "=")
			switch {
			case !ok || value == "" || form.byName:
			case base(form.words[0]) == "git" && runsByConfig(strings.TrimPrefix(name, "-c")), base(form.words[0]) == "env" && changesPrograms(name),
				strings.HasPrefix(name, "--checkpoint-action"), strings.HasPrefix(name, "--to-command"), strings.HasPrefix(name, "--use-compress-program"):
				texts = append(texts, strings.TrimPrefix(strings.TrimLeft(value, "!"), "exec="))
			}
		}
	}
	for _, text := range texts {
		if strings.ContainsAny(text, " $`") {
			s.readNested(text, depth+1, parent, at.clone())
		}
	}
}
