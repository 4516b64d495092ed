package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// variable is what the files of one side, the person's or the workspace's, say
// of a variable.
type variable struct {
	name        string
	description string
	sensitive   bool
	// layer declares it, or gives it its default if several files have it.
	layer    *layer
	declared hcl.Range
	fallback *hcl.Attribute // nil without a default
	faulty   bool           // its block was complained about

	value cty.Value // not known after a fault, which was reported
	state progress
	from  origin
}

// origin is where the value of a variable comes from.
type origin struct {
	layer Layer
	file  string
	line  int
}

type progress int

const (
	waiting progress = iota
	resolving
	resolved
)

// resolver finds the values of the variables of one side.
type resolver struct {
	*loader
	budget    *budget
	variables map[string]*variable
	stack     []string // being resolved, each needed by the one before
}

// resolve finds the values of the variables that the layers declare. taken are
// those of the person, which a workspace cannot declare as well.
func (l *loader) resolve(layers []*layer, taken map[string]*variable, budget *budget) map[string]*variable {
	r := &resolver{loader: l, budget: budget, variables: make(map[string]*variable)}
	for _, layer := range layers {
		for _, w := range layer.written {
			if w.spec.Type == "variable" && !w.repeated {
				r.declare(layer, w, taken)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.variables)) {
		r.find(r.variables[name])
	}
	return r.variables
}

func (r *resolver) declare(l *layer, w *written, taken map[string]*variable) {
	if other, ok := taken[w.label]; ok {
		r.diags = append(r.diags, l.source.error(fmt.Sprintf("Variable %q is the person's own", w.label),
			fmt.Sprintf("It is declared at %s, and a workspace cannot change it. Choose another name here.", other.layer.source.place(other.declared)), w.block.DefRange))
		return
	}
	v := r.variables[w.label]
	if v == nil {
		v = &variable{name: w.label, layer: l, declared: w.block.DefRange}
		r.variables[w.label] = v
	}
	// What describes a variable is plain: it is known before any variable is.
	plain := &reader{evaluator: evaluator{source: l.source}, layer: l}
	for _, s := range plain.settings(w, "description", "sensitive") {
		if text, ok := s.scalar.(string); ok {
			v.description = text
		} else {
			v.sensitive = v.sensitive || s.scalar == true
		}
	}
	r.diags = append(r.diags, plain.diags...)
	if w.faulty || plain.diags.HasErrors() {
		// One fault is enough, and what may be a secret is one.
		v.faulty, v.sensitive = true, true
	}
	if fallback, ok := w.content.Attributes["default"]; ok {
		v.layer, v.declared, v.fallback = l, w.block.DefRange, fallback
	}
}

// values are the variables as expressions see them.
func values(variables map[string]*variable) map[string]cty.Value {
	all := make(map[string]cty.Value, len(variables))
	for name, v := range variables {
		all[name] = cty.DynamicVal
		if v.state == resolved {
			all[name] = v.value
		}
	}
	return all
}

// find gives a variable its value, and before it those that it needs.
func (r *resolver) find(v *variable) {
	if v.state == resolved {
		return
	}
	if v.state == resolving {
		r.circle(v)
		return
	}
	v.state = resolving
	r.stack = append(r.stack, v.name)
	if v.fallback != nil {
		for _, traversal := range v.fallback.Expr.Variables() {
			name, _ := secondStep(traversal)
			if needed, ok := r.variables[name]; ok && traversal.RootName() == "var" {
				r.find(needed)
			}
		}
	}
	r.stack = r.stack[:len(r.stack)-1]
	if v.state == resolving { // it is in no circle
		v.value = r.valueOf(v)
		v.state = resolved
	}
	if v.sensitive {
		v.value = v.value.Mark(sensitiveMark)
	}
}

// circle reports variables that need each other.
func (r *resolver) circle(v *variable) {
	names := r.stack[slices.Index(r.stack, v.name):]
	r.diags = append(r.diags, v.layer.source.error("Variables need each other",
		fmt.Sprintf("%s. Give one of them a default without the others.", strings.Join(append(slices.Clone(names), v.name), " needs ")), v.fallback.Expr.Range()))
	for _, name := range names {
		r.variables[name].value, r.variables[name].state = cty.DynamicVal, resolved
	}
}

// valueOf is what is given from outside, or the default.
func (r *resolver) valueOf(v *variable) cty.Value {
	fallback := cty.NullVal(cty.DynamicPseudoType)
	text, from, given := r.given(v.name)
	if v.fallback != nil {
		var faults Diagnostics
		fallback, faults = r.fallback(v)
		if !given { // else it tells only the type
			r.diags = append(r.diags, faults...)
		}
	}
	switch {
	case given:
		v.from = from
		return r.parse(v, text, fallback)
	case v.fallback != nil:
		v.from = origin{v.layer.kind, v.layer.source.name, v.fallback.Range.Start.Line}
		return fallback
	case v.faulty:
		return cty.DynamicVal
	}
	detail := fmt.Sprintf("Give it with --var %s=... or in the environment as TOOLCRIB_VAR_%s, or give it a default.", v.name, v.name)
	if v.description != "" {
		detail += fmt.Sprintf(" It is for: %s", v.description)
	}
	r.diags = append(r.diags, v.layer.source.error(fmt.Sprintf("Variable %q has no value", v.name), detail, v.declared))
	return cty.DynamicVal
}

func (r *resolver) fallback(v *variable) (cty.Value, Diagnostics) {
	// Only those that it names: a file may have thousands.
	named := make(map[string]*variable)
	for _, traversal := range v.fallback.Expr.Variables() {
		if name, _ := secondStep(traversal); r.variables[name] != nil {
			named[name] = r.variables[name]
		}
	}
	e := evaluator{source: v.layer.source, scope: r.defaultScope(v.layer, values(named)), declared: r.variables, secret: v.sensitive, budget: r.budget}
	value, _, ok := e.marked(v.fallback.Expr)
	if !ok {
		return cty.DynamicVal, e.diags
	}
	return value, e.diags
}

// given is the value of a variable from outside.
func (l *loader) given(name string) (text string, from origin, ok bool) {
	if text, ok := l.options.Vars[name]; ok {
		return text, origin{layer: LayerFlags, file: "--var " + name}, true
	}
	text, ok = l.lookup("TOOLCRIB_VAR_" + name)
	return text, origin{layer: LayerFlags, file: "TOOLCRIB_VAR_" + name}, ok
}

// parse reads a value from outside: as text, or as HCL where the default is no
// text. It is not shown, since it may be sensitive.
func (r *resolver) parse(v *variable, text string, fallback cty.Value) cty.Value {
	text = strings.ToValidUTF8(text, "�")
	fallback, _ = fallback.Unmark()
	if !fallback.IsKnown() || fallback.IsNull() || fallback.Type() == cty.String {
		return cty.StringVal(text)
	}
	want := friendlyType(fallback.Type())
	fault := func(detail string) cty.Value {
		r.diags = append(r.diags, plain(fmt.Sprintf("Invalid value for variable %q", v.name), fmt.Sprintf("%s %s", v.from.file, detail)))
		return cty.DynamicVal
	}
	s := &source{name: v.from.file, text: []byte(text)}
	if _, deep := s.tooDeep(); deep {
		return fault("nests too deep.")
	}
	expr, found := hclsyntax.ParseExpression(s.text, s.name, hcl.InitialPos)
	if found.HasErrors() {
		return fault(fmt.Sprintf("is no HCL value. Write %s, as the default is.", want))
	}
	value, found, paid := (&evaluator{}).evaluate(expr)
	if !paid {
		return fault("is too large. Give a smaller value.")
	}
	if found.HasErrors() || value.IsNull() || friendlyType(value.Type()) != want {
		return fault(fmt.Sprintf("must be %s, as the default is.", want))
	}
	return value
}

// undeclared reports values for variables that no file declares.
func (l *loader) undeclared(sides ...map[string]*variable) {
	var known []string
	for _, side := range sides {
		known = slices.AppendSeq(known, maps.Keys(side))
	}
	slices.Sort(known)
	for _, name := range slices.Sorted(maps.Keys(l.options.Vars)) {
		if !slices.Contains(known, name) {
			l.diags = append(l.diags, plain(fmt.Sprintf("No variable is called %q", name),
				fmt.Sprintf("It is given by --var, and no file declares it with variable %q { }.%s", name, didYouMean(name, known))))
		}
	}
}
