package sdk

import (
	"encoding/json"
	"fmt"
)

// Result is what a tool answers. Content is for people and models; Structured
// is for programs. Both are kept.
type Result struct {
	IsError    bool
	Content    []Content
	Structured json.RawMessage
	// Files tells which files the call changed, so that observers can look.
	Files []FileChange
}

// Content is one part of a result: [Text], [Image] or [Link].
type Content interface{ content() }

// Text is plain text.
type Text string

// Image is a picture.
type Image struct {
	MIMEType string
	Data     []byte
}

// Link points to something that is not inlined.
type Link struct {
	URI   string
	Title string
}

func (Text) content()  {}
func (Image) content() {}
func (Link) content()  {}

// ChangeKind is what happened to a file.
type ChangeKind string

const (
	Created  ChangeKind = "created"
	Modified ChangeKind = "modified"
	Deleted  ChangeKind = "deleted"
)

// FileChange is one file that a call changed. Path is absolute.
type FileChange struct {
	Path string
	Kind ChangeKind
}

// Textf makes a result of one text.
func Textf(format string, args ...any) *Result {
	return &Result{Content: []Content{Text(fmt.Sprintf(format, args...))}}
}

// Errorf makes a result that tells a model what went wrong.
func Errorf(format string, args ...any) *Result {
	return &Result{IsError: true, Content: []Content{Text(fmt.Sprintf(format, args...))}}
}

// resultOf turns what a typed tool returned into a result.
func resultOf(out any) (*Result, error) {
	switch out := out.(type) {
	case *Result:
		if out == nil {
			return &Result{}, nil
		}
		return out, nil
	case string:
		return &Result{Content: []Content{Text(out)}}, nil
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("marshal result: %w", err)
	}
	return &Result{Content: []Content{Text(data)}, Structured: data}, nil
}

// Plan is what a call would do.
type Plan struct {
	// Errors say what is wrong with the input; any of them refuses the call.
	Errors   []InputError
	Subjects []Subject
	Risk     Risk
	Preview  Preview
	// Token is handed back by [Call.PlanToken] when the planned call runs.
	Token []byte
}

// InputError is a fault of one input field. Path is a JSON pointer.
type InputError struct {
	Path    string
	Message string
}

// RiskLevel orders risks. The zero value leaves it to the host.
type RiskLevel int

const (
	RiskUnspecified RiskLevel = iota
	RiskLow
	RiskMedium
	RiskHigh
	RiskCritical
)

// Risk is a level and the reason that a person reads.
type Risk struct {
	Level  RiskLevel
	Reason string
}

// PreviewKind says how a preview is drawn.
type PreviewKind string

const (
	PreviewDiff    PreviewKind = "diff" // unified diff
	PreviewCommand PreviewKind = "command"
	PreviewText    PreviewKind = "text"
)

// Preview is what the approval card shows.
type Preview struct {
	Kind PreviewKind
	Text string
	Path string // of a diff
}
