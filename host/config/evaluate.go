package config

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// evaluator finds the values of expressions, and collects what is wrong with
// them.
type evaluator struct {
	source *source
	scope  *hcl.EvalContext // nil: no variables and no functions
	// declared are all variables there are; nil: those in the scope.
	declared map[string]*variable
	// secret tells that the source text itself is not to be shown.
	secret bool
	// referred are the references of expressions, for faults at their places.
	referred map[hcl.Range][]hcl.Traversal
	// budget is what evaluating may take; nil: one of its own.
	budget *budget
	// unknown counts values that are missing because a variable has a fault.
	unknown int
	diags   Diagnostics
}

func (e *evaluator) fault(summary, detail string, at hcl.Range) {
	d := e.source.error(summary, detail, at)
	d.Values = e.involved(e.referred[at])
	e.report(d)
}

func (e *evaluator) report(d Diagnostic) {
	if e.secret {
		d.Snippet, d.Mark = "", nil
	}
	e.diags = append(e.diags, d)
}

// textAt is a string and where it was written.
type textAt struct {
	text      string
	at        hcl.Range
	sensitive bool
	key       string // in an object
	keyAt     hcl.Range
}

// value evaluates an expression. ok is false when there is no value, for a
// reason that was reported.
func (e *evaluator) value(expr hcl.Expression) (v cty.Value, sensitive, ok bool) {
	v, known, ok := e.marked(expr)
	if !ok {
		return cty.NilVal, false, false
	}
	if !known {
		e.unknown++
	}
	v, marks := v.UnmarkDeep()
	return v, len(marks) > 0, known
}

// marked is value with the marks of sensitive values. What is not known depends
// on a variable with a fault.
func (e *evaluator) marked(expr hcl.Expression) (v cty.Value, known, ok bool) {
	if e.scope != nil && !e.references(expr) {
		return cty.NilVal, false, false
	}
	v, found, paid := e.evaluate(expr)
	if !paid {
		e.overspent()
		return cty.DynamicVal, false, true
	}
	if found.HasErrors() {
		e.refuse(firstError(found)[0], expr)
		return cty.NilVal, false, false
	}
	return v, v.IsWhollyKnown(), true
}

// refuse reports what evaluating an expression found.
func (e *evaluator) refuse(found *hcl.Diagnostic, expr hcl.Expression) {
	at := expr.Range()
	if found.Subject != nil {
		at = *found.Subject
	}
	values := e.involved(expr.Variables())
	summary, detail := found.Summary, found.Detail
	extra, isCall := hcl.DiagnosticExtra[hclsyntax.FunctionCallDiagExtra](found)
	if isCall && extra.FunctionCallError() != nil {
		summary, detail = fmt.Sprintf("The function %s fails", extra.CalledFunctionName()), sentence(extra.FunctionCallError().Error())
		// The function may quote what it was given.
		var harmless refusal
		sensitive := slices.ContainsFunc(values, func(v VariableValue) bool { return v.Value == shownSensitive })
		if sensitive || e.secret && !errors.As(extra.FunctionCallError(), &harmless) {
			detail = "It was given a sensitive value, so that its reason is not shown."
		}
	}
	d := e.source.error(summary, detail, at)
	d.Values = values
	e.report(d)
}

// text evaluates an expression that must be a string.
func (e *evaluator) text(expr hcl.Expression) (textAt, bool) {
	v, sensitive, ok := e.value(expr)
	if !ok {
		return textAt{}, false
	}
	if v.IsNull() || v.Type() != cty.String {
		e.wrongType("a string", v, expr)
		return textAt{}, false
	}
	return textAt{text: v.AsString(), at: expr.Range(), sensitive: sensitive}, true
}

// texts evaluates a list of strings. Elements that are none are reported and
// left out; ok is false when it is no list.
func (e *evaluator) texts(expr hcl.Expression) (list []textAt, ok bool) {
	elements, ok := e.elements(expr, "a list of strings")
	for _, element := range elements {
		if text, ok := e.text(element); ok {
			list = append(list, text)
		}
	}
	return list, ok
}

// elements are the expressions of a list, be it written out or the result of an
// expression. What is no list is reported; ok is false for that, and for null.
func (e *evaluator) elements(expr hcl.Expression, want string) (elements []hcl.Expression, ok bool) {
	if elements, found := hcl.ExprList(expr); !found.HasErrors() {
		return elements, true
	}
	v, sensitive, ok := e.value(expr)
	if !ok {
		return nil, false
	}
	if v.IsNull() {
		return nil, false
	}
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() && !t.IsSetType() {
		e.wrongType(want, v, expr)
		return nil, false
	}
	for _, element := range v.AsValueSlice() {
		elements = append(elements, staticExpr(element, sensitive, expr.Range()))
	}
	return elements, true
}

// pairs are the keys and values of an object, be it written out or the result of
// an expression. What is no object is reported; ok is false for that, and for
// null.
func (e *evaluator) pairs(expr hcl.Expression, want string) (pairs []hcl.KeyValuePair, ok bool) {
	if pairs, found := hcl.ExprMap(expr); !found.HasErrors() {
		return pairs, true
	}
	v, sensitive, ok := e.value(expr)
	if !ok {
		return nil, false
	}
	if v.IsNull() {
		return nil, false
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		e.wrongType(want, v, expr)
		return nil, false
	}
	for it := v.ElementIterator(); it.Next(); {
		key, element := it.Element()
		pairs = append(pairs, hcl.KeyValuePair{Key: staticExpr(key, false, expr.Range()), Value: staticExpr(element, sensitive, expr.Range())})
	}
	return pairs, true
}

func staticExpr(v cty.Value, sensitive bool, at hcl.Range) hcl.Expression {
	if sensitive {
		v = v.Mark(sensitiveMark)
	}
	return fixed{hcl.StaticExpr(v, at)}
}

// sensitiveMark marks values that are never shown.
const sensitiveMark = valueMark("sensitive")

type valueMark string

// key evaluates the key of an object.
func (e *evaluator) key(expr hcl.Expression, summary string) (string, bool) {
	v, found, paid := e.evaluate(expr)
	if !paid {
		e.overspent()
		return "", false
	}
	if found.HasErrors() || v.IsMarked() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		e.fault(summary, "Write the name as it is, or in quotes.", expr.Range())
		return "", false
	}
	return v.AsString(), true
}

func (e *evaluator) wrongType(want string, got cty.Value, expr hcl.Expression) {
	have := "null"
	if !got.IsNull() {
		have = friendlyType(got.Type())
	}
	detail := fmt.Sprintf("It must be %s, and this is %s.", want, have)
	if want == "a string" && !got.IsNull() && (got.Type() == cty.Number || got.Type() == cty.Bool) {
		written := string(expr.Range().SliceBytes(e.source.text))
		if len(expr.Variables()) > 0 {
			detail += fmt.Sprintf(` Make it text: format("%%v", %s).`, written)
		} else {
			detail += fmt.Sprintf(` Put it in quotes: "%s".`, written)
		}
	}
	e.fault("Wrong type", detail, expr.Range())
}

func friendlyType(t cty.Type) string {
	switch {
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a bool"
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "a list"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	}
	return t.FriendlyName()
}
