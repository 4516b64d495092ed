package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/toolcrib/toolcrib/sdk"
)

type editInput struct {
	Path       string `json:"path" jsonschema:"the file, relative to the workspace or absolute"`
	OldString  string `json:"old_string" jsonschema:"the exact text to replace, with its white space and without Read's line numbers; empty to create a new file"`
	NewString  string `json:"new_string" jsonschema:"the text to put in its place"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"replace every occurrence; without it old_string must occur exactly once"`
}

// editOutput is the structured result of Edit.
type editOutput struct {
	Path         string `json:"path"`
	Replacements int    `json:"replacements"`
	Created      bool   `json:"created,omitempty"`
	Diff         string `json:"diff"`
}

// editor is the Edit tool.
type editor struct {
	files folder
	// writing keeps two calls from both starting from the same content.
	writing sync.Mutex
}

func newEdit(files folder) sdk.Tool {
	e := &editor{files: files}
	return sdk.NewTool(sdk.Spec{
		Name:  "Edit",
		Title: "Edit a file",
		Description: "Replace text in a file, exactly. old_string must occur once, or replace_all be set. " +
			"An empty old_string creates a new file. Line ends and byte order mark of the file are kept.",
		Destructive: true,
		Load:        sdk.LoadAlways,
		Subjects:    []sdk.SubjectField{{Field: "path", Kind: sdk.SubjectPath, Access: sdk.AccessWrite}},
		SearchHints: []string{"write", "replace", "change", "create", "file", "patch"},
	}, e.call, sdk.WithPlan(e.plan))
}

// plan answers the diff that the call would make. What is wrong with the input
// is an error of the field at fault.
func (e *editor) plan(_ context.Context, in editInput) (*sdk.Plan, error) {
	c, err := e.files.change(in)
	var fault *fieldError
	if errors.As(err, &fault) {
		return &sdk.Plan{Errors: []sdk.InputError{{Path: "/" + fault.field, Message: fault.Error()}}}, nil
	}
	if err != nil {
		return nil, err
	}
	return &sdk.Plan{
		Subjects: []sdk.Subject{{Kind: sdk.SubjectPath, Value: c.target, Access: sdk.AccessWrite}},
		Risk:     e.risk(c),
		Preview:  sdk.Preview{Kind: sdk.PreviewDiff, Text: c.diff, Path: e.files.display(c.target)},
		Token:    c.token(),
	}, nil
}

func (e *editor) risk(c *change) sdk.Risk {
	if !e.files.contains(c.target) {
		return sdk.Risk{Level: sdk.RiskHigh, Reason: "writes outside of the workspace: " + c.target}
	}
	if c.created {
		return sdk.Risk{Level: sdk.RiskMedium, Reason: "creates a file in the workspace"}
	}
	return sdk.Risk{Level: sdk.RiskMedium, Reason: "changes a file in the workspace"}
}

func (e *editor) call(ctx context.Context, call *sdk.Call, in editInput) (*sdk.Result, error) {
	e.writing.Lock()
	defer e.writing.Unlock()
	c, err := e.files.change(in)
	if err != nil && call.PlanToken != nil {
		// It could be planned, so it is the file that changed.
		return nil, fmt.Errorf("the file changed after this edit was planned, so nothing was written: %w", err)
	}
	if err != nil {
		return nil, err
	}
	name := e.files.display(c.target)
	if call.PlanToken != nil && !bytes.Equal(call.PlanToken, c.token()) {
		return nil, fmt.Errorf("%s changed after this edit was planned, so nothing was written; read it again and repeat the edit", name)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("nothing was written to %s: %w", name, context.Cause(ctx))
	}
	if err := c.write(); err != nil {
		return nil, fmt.Errorf("nothing was written to %s: %w", name, err)
	}
	return c.result(name)
}

func (c *change) result(name string) (*sdk.Result, error) {
	structured, err := json.Marshal(editOutput{Path: c.target, Replacements: c.replacements, Created: c.created, Diff: c.diff})
	if err != nil {
		return nil, err
	}
	headline := fmt.Sprintf("%s: %d replacements", name, c.replacements)
	kind := sdk.Modified
	switch {
	case c.created:
		headline, kind = fmt.Sprintf("%s: created", name), sdk.Created
	case c.replacements == 1:
		headline = fmt.Sprintf("%s: 1 replacement", name)
	}
	if c.outOfLink != "" {
		headline += " (reached by the link " + c.outOfLink + ")"
	}
	return &sdk.Result{
		Content:    []sdk.Content{sdk.Text(strings.TrimRight(headline+"\n"+c.diff, "\n") + "\n")},
		Structured: structured,
		Files:      []sdk.FileChange{{Path: c.target, Kind: kind}},
	}, nil
}

// fieldError is a fault of one input field.
type fieldError struct {
	field string
	error
}

func (e *fieldError) Unwrap() error { return e.error }

func fault(field, format string, args ...any) error {
	return &fieldError{field, fmt.Errorf(format, args...)}
}
