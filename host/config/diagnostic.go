package config

import (
	"bytes"
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// Severity says whether a diagnostic refuses the configuration.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Diagnostic tells a person what is wrong in a configuration, and where.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Summary  string   `json:"summary"`
	// Detail says what to do about it.
	Detail string `json:"detail,omitempty"`
	// File is the path as people are shown it; empty when no file is at fault.
	File string `json:"file,omitempty"`
	// Line and Column count from 1; 0 is the file as a whole.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Snippet is the source line, or the part of a long one around the mark.
	Snippet string `json:"snippet,omitempty"`
	// Mark is the token at fault in Snippet; nil when there is no snippet.
	Mark *Mark `json:"mark,omitempty"`
	// Values are what the marked expression refers to.
	Values []VariableValue `json:"values,omitempty"`
}

// Equal reports whether two diagnostics say the same of the same place.
func (d Diagnostic) Equal(other Diagnostic) bool {
	return d.Severity == other.Severity && d.Summary == other.Summary && d.Detail == other.Detail &&
		d.File == other.File && d.Line == other.Line && d.Column == other.Column
}

// VariableValue is what a variable is where a fault was found.
type VariableValue struct {
	Name string `json:"name"`
	// Value is JSON, cut when it is long, or "(sensitive)".
	Value string `json:"value"`
}

// Mark is a part of a snippet: the characters from Start up to End.
type Mark struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Diagnostics are the findings of one load, in the order of the files.
type Diagnostics []Diagnostic

// HasErrors reports whether any of them refuses the configuration.
func (d Diagnostics) HasErrors() bool {
	for _, diagnostic := range d {
		if diagnostic.Severity == Error {
			return true
		}
	}
	return false
}

// sorted puts the findings of each file in the order of its lines. Files keep
// the order in which they were read.
func (d Diagnostics) sorted() Diagnostics {
	files := make(map[string]int)
	for _, diagnostic := range d {
		if _, ok := files[diagnostic.File]; !ok {
			files[diagnostic.File] = len(files)
		}
	}
	slices.SortStableFunc(d, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(a.Line, b.Line))
	})
	return d
}

// plain is an error without a place.
func plain(summary, detail string) Diagnostic {
	return Diagnostic{Severity: Error, Summary: summary, Detail: detail}
}

func (s *source) error(summary, detail string, at hcl.Range) Diagnostic {
	return s.diagnostic(Error, summary, detail, at)
}

func (s *source) warning(summary, detail string, at hcl.Range) Diagnostic {
	return s.diagnostic(Warning, summary, detail, at)
}

// fromHCL takes over what the parser found.
func (s *source) fromHCL(found hcl.Diagnostics) Diagnostics {
	var diags Diagnostics
	for _, diagnostic := range found {
		severity := Error
		if diagnostic.Severity == hcl.DiagWarning {
			severity = Warning
		}
		if diagnostic.Subject == nil {
			diags = append(diags, Diagnostic{Severity: severity, Summary: diagnostic.Summary, Detail: diagnostic.Detail, File: s.name})
			continue
		}
		diags = append(diags, s.diagnostic(severity, diagnostic.Summary, diagnostic.Detail, *diagnostic.Subject))
	}
	return diags
}

// maxSnippet is the longest snippet in bytes; files of one line exist.
const maxSnippet = 240

func (s *source) diagnostic(severity Severity, summary, detail string, at hcl.Range) Diagnostic {
	d := Diagnostic{Severity: severity, Summary: summary, Detail: detail, File: s.name, Line: at.Start.Line, Column: at.Start.Column}
	start := min(at.Start.Byte, len(s.text))
	lineStart := bytes.LastIndexByte(s.text[:start], '\n') + 1
	lineEnd := len(s.text)
	if i := bytes.IndexByte(s.text[start:], '\n'); i >= 0 {
		lineEnd = start + i
	}
	if lineEnd > start && s.text[lineEnd-1] == '\r' {
		lineEnd--
	}
	// A token of several lines is marked to the end of its first one, and an
	// empty one by the place where it is missing.
	end := max(min(at.End.Byte, lineEnd), start)
	lineStart = s.runeStart(max(lineStart, start-maxSnippet/2))
	lineEnd = s.runeStart(min(lineEnd, lineStart+maxSnippet))
	end = min(end, lineEnd)
	d.Snippet = string(s.text[lineStart:lineEnd])
	d.Mark = &Mark{Start: utf8.RuneCount(s.text[lineStart:start]), End: utf8.RuneCount(s.text[lineStart:max(end, start)])}
	d.Mark.End = max(d.Mark.End, d.Mark.Start+1)
	return d
}

// runeStart moves back to the start of a character.
func (s *source) runeStart(i int) int {
	for i > 0 && i < len(s.text) && !utf8.RuneStart(s.text[i]) {
		i--
	}
	return i
}
