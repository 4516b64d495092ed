package config

import (
	"bytes"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// flagName is how settings from the command line are shown in diagnostics.
const flagName = "--set"

// parseFlag reads one setting from the command line, path = value, into the body
// that a file with just this setting would have.
func parseFlag(text string, table []Block) (*source, hcl.Body, Diagnostics) {
	s := &source{name: flagName, text: []byte(text)}
	if fault, ok := s.tooDeep(); ok {
		return s, nil, Diagnostics{fault}
	}
	equals := bytes.IndexByte(s.text, '=')
	if equals < 0 {
		return s, nil, Diagnostics{s.error("A setting has a value", `Write a path, = and a value, as in policy.approval_mode="recommend".`, s.whole())}
	}
	path, found := hclsyntax.ParseTraversalAbs(s.text[:equals], flagName, hcl.InitialPos)
	if found.HasErrors() {
		return s, nil, Diagnostics{s.error("Invalid path of a setting", `Write names with dots between them, as in plugin.words.load="deferred".`, s.whole())}
	}
	start := hcl.Pos{Line: 1, Column: equals + 2, Byte: equals + 1}
	expr, found := hclsyntax.ParseExpression(s.text[equals+1:], flagName, start)
	if found.HasErrors() {
		return s, nil, s.fromHCL(firstError(found))
	}
	steps, ok := pathSteps(path)
	if !ok || len(steps) < 2 {
		return s, nil, Diagnostics{s.error("Invalid path of a setting", fmt.Sprintf("It must name a block and an argument in it, as in policy.approval_mode or plugin.words.load, and %q does not.", s.text[:equals]), s.whole())}
	}
	return s, nest(steps, expr, table), nil
}

func (s *source) whole() hcl.Range {
	end := hcl.Pos{Line: 1, Column: 1 + len(s.text), Byte: len(s.text)}
	return hcl.Range{Filename: s.name, Start: hcl.InitialPos, End: end}
}

// namedStep is a name in the path of a setting.
type namedStep struct {
	name string
	at   hcl.Range
}

func pathSteps(path hcl.Traversal) ([]namedStep, bool) {
	var steps []namedStep
	for i, step := range path {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			steps = append(steps, namedStep{step.Name, step.SrcRange})
		case hcl.TraverseAttr:
			at := step.SrcRange
			at.Start.Byte, at.Start.Column = at.Start.Byte+1, at.Start.Column+1 // behind the dot
			steps = append(steps, namedStep{step.Name, at})
		default:
			name, ok := secondStep(path[i-1 : i+1])
			if !ok {
				return nil, false
			}
			steps = append(steps, namedStep{name, step.SourceRange()})
		}
	}
	return steps, true
}

// nest makes the blocks around an argument: the first of a type of the table,
// with its label, and those of a plugin's configuration.
func nest(steps []namedStep, expr hclsyntax.Expression, table []Block) *hclsyntax.Body {
	at := steps[0].at
	if len(steps) == 1 {
		whole := hcl.RangeBetween(at, expr.Range())
		attribute := &hclsyntax.Attribute{Name: steps[0].name, Expr: expr, SrcRange: whole, NameRange: at, EqualsRange: at}
		return &hclsyntax.Body{Attributes: hclsyntax.Attributes{attribute.Name: attribute}, SrcRange: whole, EndRange: whole}
	}
	block := &hclsyntax.Block{Type: steps[0].name, TypeRange: at, OpenBraceRange: at, CloseBraceRange: at}
	rest := steps[1:]
	for _, spec := range table {
		if spec.Type == block.Type && spec.Label != "" && len(rest) > 1 {
			block.Labels, block.LabelRanges = []string{rest[0].name}, []hcl.Range{rest[0].at}
			rest = rest[1:]
		}
	}
	block.Body = nest(rest, expr, nil)
	return &hclsyntax.Body{Blocks: hclsyntax.Blocks{block}, SrcRange: at, EndRange: at}
}
