package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxDepth is how deep brackets may nest. The parsers recurse, and a file must
// not be able to exhaust the stack.
const maxDepth = 2000

const (
	// maxDigits is how long a number may be written. Making text of one takes
	// the square of that.
	maxDigits = 1000
	// maxPieces is how many $, % and lines a text may have. The parser takes the
	// square of their number.
	maxPieces = 10000
)

// tooDeep looks for nesting that the parser should not be given.
func (s *source) tooDeep() (Diagnostic, bool) {
	switch {
	case s.isJSON():
		return s.tooDeepJSON()
	case s.isPlain():
		return Diagnostic{}, false
	}
	// Faults of the text are reported by the parser.
	tokens, _ := hclsyntax.LexConfig(s.text, s.name, hcl.InitialPos)
	if at := deepToken(tokens); at != nil {
		return s.deep(at.Range), true
	}
	return Diagnostic{}, false
}

// isPlain tells without reading tokens, which takes as long as parsing, that a
// file has too few brackets to nest too deep.
func (s *source) isPlain() bool {
	brackets, prefixes, digits, pieces := 0, 0, 0, 0
	for i, c := range s.text {
		digits++
		if c != '.' && (c < '0' || c > '9') {
			digits = 0
		}
		if digits > maxDigits {
			return false
		}
		switch c {
		case '{', '[', '(', '?':
			brackets++
		case '!', '-':
			prefixes++
		case '$', '%', '\n':
			pieces++
		case 'e', 'E':
			// Perhaps a number with an exponent.
			if i > 0 && s.text[i-1] >= '0' && s.text[i-1] <= '9' {
				return false
			}
		}
	}
	return brackets <= maxDepth && prefixes <= maxDepth && pieces <= maxPieces
}

func (s *source) deep(at hcl.Range) Diagnostic {
	return s.error("Too deep", fmt.Sprintf("Brackets nest deeper than %d levels here, a number has more than %d digits or an exponent of more than three, or a text has more than %d lines or signs $ and %%. Write it plainer.", maxDepth, maxDigits, maxPieces), at)
}

// deepToken is the first token that is too deep; nil when there is none.
func deepToken(tokens hclsyntax.Tokens) *hclsyntax.Token {
	depth, prefixes, pieces := 0, 0, 0
	for i, token := range tokens {
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
		pieces++
		if token.Type != hclsyntax.TokenQuotedLit && token.Type != hclsyntax.TokenStringLit {
			pieces = 0
		}
		if depth > maxDepth || pieces > maxPieces || prefixes > maxDepth || token.Type == hclsyntax.TokenNumberLit && hugeNumber(string(token.Bytes)) {
			return &tokens[i]
		}
	}
	return nil
}

// tooDeepJSON looks at the brackets of the JSON and at those of the templates in
// its strings, which are parsed as well.
func (s *source) tooDeepJSON() (Diagnostic, bool) {
	decoder := json.NewDecoder(bytes.NewReader(s.text))
	decoder.UseNumber()
	for depth := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			// The end, or a fault that the parser reports. It has not seen
			// deeper brackets than this loop, which it stops before.
			return s.deepRest(decoder.InputOffset(), depth)
		}
		found := false
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				depth++
			} else {
				depth--
			}
			found = depth > maxDepth
		case json.Number:
			found = hugeNumber(token.String())
		case string:
			if strings.ContainsAny(token, "$%") {
				tokens, _ := hclsyntax.LexTemplate([]byte(token), s.name, hcl.InitialPos)
				found = deepToken(tokens) != nil
			}
		}
		if found {
			return s.deep(s.rangeAt(int(decoder.InputOffset()))), true
		}
	}
}

// deepRest counts the brackets after a fault of the JSON, which HCL's parser may
// read on behind.
func (s *source) deepRest(from int64, depth int) (Diagnostic, bool) {
	for i, c := range s.text[min(int(from), len(s.text)):] {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxDepth {
			return s.deep(s.rangeAt(int(from) + i + 1)), true
		}
	}
	return Diagnostic{}, false
}

// rangeAt is the place of the character before an offset.
func (s *source) rangeAt(offset int) hcl.Range {
	offset = max(min(offset, len(s.text)), 1)
	before := s.text[:min(offset-1, len(s.text))]
	at := hcl.Pos{Line: 1 + bytes.Count(before, []byte("\n")), Byte: len(before)}
	at.Column = 1 + len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	end := at
	end.Byte++
	end.Column++
	return hcl.Range{Filename: s.name, Start: at, End: end}
}

// hugeNumber reports whether a number would be a text of more than thousands of
// digits.
func hugeNumber(text string) bool {
	if len(text) > maxDigits {
		return true
	}
	_, exponent, ok := strings.Cut(strings.ToLower(text), "e")
	return ok && len(strings.TrimLeft(exponent, "+-0")) > 3
}
