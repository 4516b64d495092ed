package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/toolcrib/toolcrib/sdk/environ"
)

// scope is what the expressions of one file may refer to: var, path, host and
// the functions. Files of a workspace do not see the person's variables, and
// the person's file does not see the workspace's.
//
// variables are those that the expressions name, or more.
func (l *loader) scope(layer *layer, variables map[string]cty.Value) *hcl.EvalContext {
	functions := l.functions(layer)
	functions["env"] = envOutside
	return &hcl.EvalContext{
		Variables: map[string]cty.Value{
			"var": cty.ObjectVal(variables),
			"path": cty.ObjectVal(map[string]cty.Value{
				"workspace": cty.StringVal(l.config.Workspace),
				"config":    cty.StringVal(layer.folder),
			}),
			"host": cty.ObjectVal(map[string]cty.Value{
				"os": cty.StringVal(runtime.GOOS), "arch": cty.StringVal(runtime.GOARCH),
			}),
		},
		Functions: functions,
	}
}

// defaultScope is the scope of the defaults of variables, in which env works.
func (l *loader) defaultScope(layer *layer, variables map[string]cty.Value) *hcl.EvalContext {
	scope := l.scope(layer, variables)
	scope.Functions["env"] = l.env(layer)
	return scope
}

// references reports the first reference to something that the scope does not
// have. HCL itself would speak of attributes of objects.
func (e *evaluator) references(expr hcl.Expression) (ok bool) {
	traversals := expr.Variables()
	if len(traversals) == 0 {
		return true
	}
	if e.referred == nil {
		e.referred = make(map[hcl.Range][]hcl.Traversal)
	}
	e.referred[expr.Range()] = traversals
	for _, traversal := range traversals {
		if summary, detail := e.mistaken(traversal); summary != "" {
			e.fault(summary, detail, traversal.SourceRange())
			return false
		}
	}
	return true
}

// mistaken says what is wrong with a reference; summary is empty when nothing is.
func (e *evaluator) mistaken(traversal hcl.Traversal) (summary, detail string) {
	root := traversal.RootName()
	object, ok := e.scope.Variables[root]
	if !ok {
		switch {
		case root == strings.ToUpper(root):
			detail = fmt.Sprintf("A variable of the environment is read by variable \"x\" { default = env(%q) } and written as var.x. ", root)
		case len(traversal) == 1:
			detail = fmt.Sprintf("Text is written in quotes: %q. ", root)
		}
		return fmt.Sprintf("Nothing is called %q", root), detail + "There are var.<name> for variables, path.workspace, path.config, host.os and host.arch." + didYouMean(root, slices.Sorted(maps.Keys(e.scope.Variables)))
	}
	name, ok := secondStep(traversal)
	if !ok {
		return fmt.Sprintf("%q is no value", root), fmt.Sprintf("Write %s and a name behind it.", root)
	}
	declared := root == "var" && e.declared != nil
	if declared && e.declared[name] != nil || !declared && object.Type().HasAttribute(name) {
		return "", ""
	}
	known := suggestible(object.Type().AttributeTypes())
	if declared {
		known = suggestible(e.declared)
	}
	if root != "var" {
		return fmt.Sprintf("There is no %s.%s", root, name), fmt.Sprintf("It has %s.", enumerate(known)) + didYouMean(name, known)
	}
	return fmt.Sprintf("No variable is called %q", name),
		fmt.Sprintf("Declare it, as in variable %q { default = \"\" }. The files of a workspace and your own do not see each other's variables.", name) + didYouMean(name, known)
}

func didYouMean(given string, known []string) string {
	if near := nearest(given, known); near != "" {
		return fmt.Sprintf(" Did you mean %q?", near)
	}
	return ""
}

// secondStep is the name behind the root of a reference.
func secondStep(traversal hcl.Traversal) (string, bool) {
	if len(traversal) < 2 {
		return "", false
	}
	switch step := traversal[1].(type) {
	case hcl.TraverseAttr:
		return step.Name, true
	case hcl.TraverseIndex:
		if step.Key.Type() == cty.String && step.Key.IsKnown() && !step.Key.IsNull() {
			return step.Key.AsString(), true
		}
	}
	return "", false
}

// involved are the values of references, as they are shown beside a fault.
func (e *evaluator) involved(traversals []hcl.Traversal) []VariableValue {
	if e.scope == nil {
		return nil
	}
	var values []VariableValue
	for _, traversal := range traversals {
		name, ok := secondStep(traversal)
		if !ok {
			continue
		}
		v, found := traversal[:2].TraverseAbs(e.scope)
		if found.HasErrors() || !v.IsKnown() {
			continue
		}
		value := VariableValue{Name: traversal.RootName() + "." + name, Value: shownValue(v)}
		if !slices.Contains(values, value) {
			values = append(values, value)
		}
	}
	return values
}

// maxShown is how much of a value is shown beside a fault, in characters.
const maxShown = 80

// shownSensitive stands for a sensitive value.
const shownSensitive = "(sensitive)"

func shownValue(v cty.Value) string {
	if v.ContainsMarked() {
		return shownSensitive
	}
	if v.IsNull() {
		return "null"
	}
	value, err := jsonOf(v)
	if err != nil {
		return friendlyType(v.Type())
	}
	text := []rune(string(marshal(value)))
	if len(text) > maxShown {
		text = append(text[:maxShown], '…')
	}
	return string(text)
}

// refusal is an error of a function that quotes no value but names.
type refusal string

func (r refusal) Error() string { return string(r) }

// env is the function that reads the environment. A workspace gets only what its
// providers could be given.
func (l *loader) env(layer *layer) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "name", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			name := args[0].AsString()
			if layer.kind.Foreign() && !environ.IsPassed(name) && !fitsAny(l.allowed, name) {
				return cty.NilVal, refusal(fmt.Sprintf("a workspace may not read the environment variable %s; allow it in your own configuration with environment { allow = [%q] }", name, name))
			}
			value, _ := l.lookup(name)
			return cty.StringVal(strings.ToValidUTF8(value, "�")), nil
		},
	})
}

// envOutside is env where it does not work.
var envOutside = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "name", Type: cty.DynamicPseudoType, AllowDynamicType: true, AllowNull: true, AllowUnknown: true, AllowMarked: true},
	Type:     function.StaticReturnType(cty.String),
	Impl: func([]cty.Value, cty.Type) (cty.Value, error) {
		return cty.NilVal, refusal("it works only in the default of a variable; declare variable \"x\" { default = env(\"NAME\") } and write var.x here")
	},
})

// within resolves a path of a file against the folder of the configuration.
func (layer *layer) within(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(layer.folder, path)
}
