package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"
)

// isJSON reports whether the file is in HCL's JSON syntax.
func (s *source) isJSON() bool { return strings.HasSuffix(s.path, ".json") }

// parse reads the text of a file. The body is nil when there is none to go on
// with.
func (s *source) parse() (hcl.Body, Diagnostics) {
	if fault, ok := s.tooDeep(); ok {
		return nil, Diagnostics{fault}
	}
	var file *hcl.File
	var found hcl.Diagnostics
	if s.isJSON() {
		file, found = json.Parse(s.text, s.name)
	} else {
		file, found = hclsyntax.ParseConfig(s.text, s.name, hcl.InitialPos)
	}
	if found.HasErrors() {
		// A missing quote makes the parser stumble over all that follows; only
		// the first finding is the fault.
		return nil, s.fromHCL(firstError(found))
	}
	return file.Body, nil
}

func firstError(found hcl.Diagnostics) hcl.Diagnostics {
	for _, diagnostic := range found {
		if diagnostic.Severity == hcl.DiagError {
			return hcl.Diagnostics{diagnostic}
		}
	}
	return found
}

// checkVersion holds the running version against what the file requires. It
// looks at nothing else, so that an old program says that it is old, and not
// that it does not know what a newer one does.
func (s *source) checkVersion(body hcl.Body, running string) Diagnostics {
	content, _, _ := body.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "toolcrib"}}})
	if content == nil {
		return nil
	}
	for _, block := range content.Blocks {
		inner, _, _ := block.Body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "required_version"}}})
		if inner == nil {
			continue
		}
		attribute, ok := inner.Attributes["required_version"]
		if !ok {
			continue
		}
		e := evaluator{source: s}
		text, ok := e.text(attribute.Expr)
		if !ok {
			return e.diags
		}
		constraints, err := version.NewConstraint(text.text)
		if err != nil {
			return Diagnostics{s.error("Invalid version requirement",
				fmt.Sprintf("%q is no version requirement. Write for example \">= 0.1.0\" or \"~> 0.2\".", text.text), attribute.Expr.Range())}
		}
		have, err := version.NewVersion(running)
		if err != nil {
			continue // built from source
		}
		// A pre-release of a version can read what that version can.
		if !constraints.Check(have.Core()) {
			return Diagnostics{s.error("Toolcrib is too old or too new for this configuration",
				fmt.Sprintf("It requires %s, and this is %s. Install a version that fits.", text.text, running), attribute.Expr.Range())}
		}
	}
	return nil
}
