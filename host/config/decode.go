package config

import (
	"fmt"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// maxDepth is how deep brackets may nest. The parser recurses, and a file must
// not be able to exhaust the stack.
const maxDepth = 200

func rootSchema() *hcl.BodySchema {
	return &hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "toolcrib"},
		{Type: "plugin", LabelNames: []string{"name"}},
		{Type: "policy"},
	}}
}

func toolcribSchema() *hcl.BodySchema {
	return &hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "required_version"}}}
}

// decode reads the layer's file into the layer.
func (l *layer) decode(bundled []string, running string) Diagnostics {
	s := l.source
	if fault, ok := s.tooDeep(); ok {
		return Diagnostics{fault}
	}
	file, found := hclsyntax.ParseConfig(s.text, s.name, hcl.InitialPos)
	if found.HasErrors() {
		// A missing quote makes the parser stumble over all that follows; only
		// the first finding is the fault.
		return s.fromHCL(firstError(found))
	}
	// The version comes first: an old program says so, and not that it does not
	// know what a newer one does.
	if diags := s.checkVersion(file.Body, running); diags.HasErrors() {
		return diags
	}
	content, found := file.Body.Content(rootSchema())
	diags := s.fromHCL(found)
	own := content.Blocks.OfType("toolcrib")
	for i, block := range own {
		if i > 0 {
			diags = append(diags, s.error("The toolcrib block is there twice",
				fmt.Sprintf("The first one is at %s. Join the two blocks.", s.place(own[0].DefRange)), block.DefRange))
		}
		_, found := block.Body.Content(toolcribSchema())
		diags = append(diags, s.fromHCL(found)...)
	}
	diags = append(diags, l.decodePlugins(content.Blocks.OfType("plugin"), bundled)...)
	return append(diags, l.decodePolicy(content.Blocks.OfType("policy"))...)
}

func firstError(found hcl.Diagnostics) hcl.Diagnostics {
	for _, diagnostic := range found {
		if diagnostic.Severity == hcl.DiagError {
			return hcl.Diagnostics{diagnostic}
		}
	}
	return found
}

// tooDeep looks for nesting that the parser should not be given.
func (s *source) tooDeep() (Diagnostic, bool) {
	// Faults of the text are reported by the parser.
	tokens, _ := hclsyntax.LexConfig(s.text, s.name, hcl.InitialPos)
	depth, prefixes := 0, 0
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen,
			hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenQuestion:
			depth++
		case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
			depth--
		}
		prefixes++
		if token.Type != hclsyntax.TokenBang && token.Type != hclsyntax.TokenMinus {
			prefixes = 0
		}
		if depth > maxDepth || prefixes > maxDepth {
			return s.error("Too deep", fmt.Sprintf("Brackets nest deeper than %d levels here. Flatten the value.", maxDepth), token.Range), true
		}
	}
	return Diagnostic{}, false
}

func (s *source) checkVersion(body hcl.Body, running string) Diagnostics {
	content, _, _ := body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "toolcrib"}}})
	if content == nil {
		return nil
	}
	for _, block := range content.Blocks {
		inner, _, _ := block.Body.PartialContent(toolcribSchema())
		if inner == nil {
			continue
		}
		attribute, ok := inner.Attributes["required_version"]
		if !ok {
			continue
		}
		text, diags := s.stringValue(attribute.Expr)
		if diags.HasErrors() {
			return diags
		}
		constraints, err := version.NewConstraint(text)
		if err != nil {
			return Diagnostics{s.error("Invalid version requirement",
				fmt.Sprintf("%q is no version requirement. Write for example \">= 0.1.0\" or \"~> 0.2\".", text), attribute.Expr.Range())}
		}
		have, err := version.NewVersion(running)
		if err != nil {
			continue // built from source
		}
		// A pre-release of a version can read what that version can.
		if !constraints.Check(have.Core()) {
			return Diagnostics{s.error("Toolcrib is too old or too new for this configuration",
				fmt.Sprintf("It requires %s, and this is %s. Install a version that fits.", text, running), attribute.Expr.Range())}
		}
	}
	return nil
}

// stringValue evaluates an expression that must be a string.
func (s *source) stringValue(expr hcl.Expression) (string, Diagnostics) {
	value, found := expr.Value(nil)
	if found.HasErrors() {
		return "", s.fromHCL(firstError(found))
	}
	if value.IsNull() || value.Type() != cty.String {
		return "", Diagnostics{s.wrongType("a string", value, expr)}
	}
	return value.AsString(), nil
}

// stringList evaluates a list of strings, with the expression of each. Elements
// that are none are reported and left out.
func (s *source) stringList(expr hcl.Expression) ([]stringAt, Diagnostics) {
	elements, found := hcl.ExprList(expr)
	if found.HasErrors() {
		value, found := expr.Value(nil)
		if found.HasErrors() {
			return nil, s.fromHCL(firstError(found))
		}
		return nil, Diagnostics{s.wrongType("a list of strings", value, expr)}
	}
	var values []stringAt
	var diags Diagnostics
	for _, element := range elements {
		text, faults := s.stringValue(element)
		if len(faults) > 0 {
			diags = append(diags, faults...)
			continue
		}
		values = append(values, stringAt{text, element.Range()})
	}
	return values, diags
}

// stringAt is a string and where it was written.
type stringAt struct {
	text string
	at   hcl.Range
}

func (s *source) wrongType(want string, got cty.Value, expr hcl.Expression) Diagnostic {
	have := "null"
	if !got.IsNull() {
		have = friendlyType(got.Type())
	}
	detail := fmt.Sprintf("It must be %s, and this is %s.", want, have)
	if want == "a string" && !got.IsNull() && (got.Type() == cty.Number || got.Type() == cty.Bool) {
		detail += fmt.Sprintf(" Put it in quotes: %q.", string(expr.Range().SliceBytes(s.text)))
	}
	return s.error("Wrong type", detail, expr.Range())
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
