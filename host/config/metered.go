package config

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// metered is an expression whose values are paid for out of a budget, each time
// that it is evaluated. Its parts are metered as well, so that no step takes more
// than was left before it.
type metered struct {
	hclsyntax.Expression // with metered parts
	written              hclsyntax.Expression
	budget               *budget
	// parts is how many parts of an expression are compared with each other.
	parts int
	// compared is true of a value whose elements are compared with each other.
	compared bool
}

var _ hclsyntax.Expression = (*metered)(nil)

// Variables are those of the expression as it is written: HCL does not look for
// them inside of a type that is not its own.
func (m *metered) Variables() []hcl.Traversal { return m.written.Variables() }

func (m *metered) Value(scope *hcl.EvalContext) (cty.Value, hcl.Diagnostics) {
	at := m.written.Range()
	m.budget.spendSquare(m.parts, at)
	if m.budget.empty() {
		return cty.DynamicVal, unpaid
	}
	v, found := m.Expression.Value(scope)
	m.budget.spendFaults(found, at)
	weight := scale{limit: m.budget.left}
	weight.add(v)
	m.budget.spend(weight.weight(), at)
	if m.compared {
		m.budget.spendSquare(weight.parts, at)
	}
	// A part may have used it up, and a function that tries have kept that.
	if m.budget.empty() {
		return cty.DynamicVal, unpaid
	}
	return v, found
}

// unpaid keeps HCL from going on with a value that is missing. It is never shown.
var unpaid = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "The value is too large"}}

// meter makes the same expression, paid for out of the budget.
func (b *budget) meter(expr hclsyntax.Expression) hclsyntax.Expression {
	m := &metered{Expression: expr, written: expr, budget: b}
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return expr // as heavy as it is written, and part of what is metered
	case *hclsyntax.ObjectConsKeyExpr:
		if hcl.ExprAsKeyword(expr.Wrapped) != "" {
			return expr // HCL looks at the type of what it wraps
		}
		copied := *expr
		copied.Wrapped = b.meter(expr.Wrapped)
		m.Expression = &copied
	case *hclsyntax.ParenthesesExpr:
		copied := *expr
		copied.Expression = b.meter(expr.Expression)
		m.Expression = &copied
	case *hclsyntax.TemplateExpr:
		copied := *expr
		copied.Parts = b.meterAll(expr.Parts)
		m.Expression = &copied
	case *hclsyntax.TemplateJoinExpr:
		copied := *expr
		copied.Tuple = b.meter(expr.Tuple)
		m.Expression = &copied
	case *hclsyntax.TemplateWrapExpr:
		copied := *expr
		copied.Wrapped = b.meter(expr.Wrapped)
		m.Expression = &copied
	case *hclsyntax.TupleConsExpr:
		copied := *expr
		copied.Exprs = b.meterAll(expr.Exprs)
		m.Expression = &copied
	case *hclsyntax.ObjectConsExpr:
		copied := *expr
		copied.Items = make([]hclsyntax.ObjectConsItem, len(expr.Items))
		for i, item := range expr.Items {
			copied.Items[i] = hclsyntax.ObjectConsItem{KeyExpr: b.meter(item.KeyExpr), ValueExpr: b.meter(item.ValueExpr)}
		}
		m.Expression = &copied
	default:
		b.meterOperation(m)
	}
	return m
}

// meterOperation is meter for what computes a value of others.
func (b *budget) meterOperation(m *metered) {
	switch expr := m.written.(type) {
	case *hclsyntax.BinaryOpExpr:
		copied := *expr
		copied.LHS, copied.RHS = b.meter(expr.LHS), b.meter(expr.RHS)
		m.Expression = &copied
	case *hclsyntax.UnaryOpExpr:
		copied := *expr
		copied.Val = b.meter(expr.Val)
		m.Expression = &copied
	case *hclsyntax.ConditionalExpr:
		copied := *expr
		copied.Condition = b.meter(expr.Condition)
		copied.TrueResult, copied.FalseResult = b.meterCompared(expr.TrueResult), b.meterCompared(expr.FalseResult)
		m.Expression = &copied
	case *hclsyntax.IndexExpr:
		copied := *expr
		copied.Collection, copied.Key = b.meter(expr.Collection), b.meter(expr.Key)
		m.Expression = &copied
	case *hclsyntax.RelativeTraversalExpr:
		copied := *expr
		copied.Source = b.meter(expr.Source)
		m.Expression = &copied
	case *hclsyntax.SplatExpr:
		copied := *expr
		copied.Source, copied.Each = b.meter(expr.Source), b.meter(expr.Each)
		m.Expression = &copied
	case *hclsyntax.ForExpr:
		copied := *expr
		copied.CollExpr, copied.ValExpr = b.meter(expr.CollExpr), b.meter(expr.ValExpr)
		if expr.KeyExpr != nil {
			copied.KeyExpr = b.meter(expr.KeyExpr)
		}
		if expr.CondExpr != nil {
			copied.CondExpr = b.meter(expr.CondExpr)
		}
		m.Expression = &copied
	case *hclsyntax.FunctionCallExpr:
		copied := *expr
		copied.Args = b.meterAll(expr.Args)
		last := len(expr.Args) - 1
		for i, arg := range expr.Args {
			if expr.Name == "coalesce" || i == last && expr.ExpandFinal {
				copied.Args[i] = b.meterCompared(arg)
			}
		}
		m.parts = len(expr.Args)
		m.Expression = &copied
	}
}

func (b *budget) meterAll(exprs []hclsyntax.Expression) []hclsyntax.Expression {
	all := make([]hclsyntax.Expression, len(exprs))
	for i, expr := range exprs {
		all[i] = b.meter(expr)
	}
	return all
}

// meterCompared is meter for a value that is brought to one type with others:
// HCL compares the types of all their elements with each other.
func (b *budget) meterCompared(expr hclsyntax.Expression) hclsyntax.Expression {
	m, ok := b.meter(expr).(*metered)
	if !ok {
		return expr
	}
	m.compared = true
	return m
}

// isPlain tells that an expression only writes a value out, which is as heavy as
// its text then.
func isPlain(expr hclsyntax.Expression) bool {
	switch expr := expr.(type) {
	case *hclsyntax.LiteralValueExpr:
		return true
	case *hclsyntax.TemplateExpr:
		return expr.IsStringLiteral()
	case *hclsyntax.ObjectConsKeyExpr:
		return hcl.ExprAsKeyword(expr.Wrapped) != "" || isPlain(expr.Wrapped)
	case *hclsyntax.TupleConsExpr:
		for _, element := range expr.Exprs {
			if !isPlain(element) {
				return false
			}
		}
		return true
	case *hclsyntax.ObjectConsExpr:
		for _, item := range expr.Items {
			if !isPlain(item.KeyExpr) || !isPlain(item.ValueExpr) {
				return false
			}
		}
		return true
	}
	return false
}

// fixed is an expression that has its value already.
type fixed struct{ hcl.Expression }

// evaluate finds the value of an expression, and pays for it. Every expression
// of a configuration is evaluated here. paid is false when the budget is used up:
// there is no value then.
func (e *evaluator) evaluate(expr hcl.Expression) (v cty.Value, found hcl.Diagnostics, paid bool) {
	if e.budget == nil {
		e.budget = newBudget()
	}
	switch expr := expr.(type) {
	case fixed:
		v, found = expr.Value(nil)
		return v, found, true
	case hclsyntax.Expression:
		if isPlain(expr) {
			v, found = expr.Value(e.scope)
			return v, found, true
		}
		v, found = e.budget.meter(expr).Value(e.scope)
		return v, found, !e.budget.empty()
	}
	// HCL's JSON cannot be metered. What its texts take is found out before.
	if e.scope != nil && !e.affordsTemplates(expr) {
		return cty.DynamicVal, unpaid, false
	}
	v, found = expr.Value(e.scope)
	return v, found, true
}

// affordsTemplates evaluates the templates in an expression of HCL's JSON syntax,
// whose faults are told later.
func (e *evaluator) affordsTemplates(expr hcl.Expression) bool {
	if elements, found := hcl.ExprList(expr); !found.HasErrors() {
		for _, element := range elements {
			if !e.affordsTemplates(element) {
				return false
			}
		}
		return true
	}
	if pairs, found := hcl.ExprMap(expr); !found.HasErrors() {
		for _, pair := range pairs {
			if !e.affordsTemplates(pair.Key) || !e.affordsTemplates(pair.Value) {
				return false
			}
		}
		return true
	}
	written, _ := expr.Value(nil)
	if written.Type() != cty.String {
		return true
	}
	text := written.AsString()
	if !strings.Contains(text, "${") && !strings.Contains(text, "%{") {
		return true
	}
	start := expr.Range().Start
	start.Byte, start.Column = start.Byte+1, start.Column+1 // behind the quote
	template, found := hclsyntax.ParseTemplate([]byte(text), expr.Range().Filename, start)
	if found.HasErrors() {
		return true
	}
	e.budget.meter(template).Value(e.scope)
	return !e.budget.empty()
}
