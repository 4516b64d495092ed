package sdk

import (
	"errors"
	"strings"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// utf8 makes s a string that a message can carry. What tools read from files and
// commands is not always text.
func utf8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func protoContent(content []Content) []*proto.Content {
	parts := make([]*proto.Content, 0, len(content))
	for _, part := range content {
		switch part := part.(type) {
		case Text:
			parts = append(parts, &proto.Content{Kind: &proto.Content_Text{Text: utf8(string(part))}})
		case Image:
			parts = append(parts, &proto.Content{Kind: &proto.Content_Image{
				Image: &proto.Blob{MimeType: part.MIMEType, Data: part.Data},
			}})
		case Link:
			parts = append(parts, &proto.Content{Kind: &proto.Content_Link{
				Link: &proto.Link{Uri: utf8(part.URI), Title: utf8(part.Title)},
			}})
		}
	}
	return parts
}

func protoResult(result *Result) *proto.Result {
	r := &proto.Result{
		IsError:    result.IsError,
		Content:    protoContent(result.Content),
		Structured: result.Structured,
	}
	for _, f := range result.Files {
		r.Files = append(r.Files, &proto.FileChange{Path: utf8(f.Path), Kind: string(f.Kind)})
	}
	return r
}

func protoPlan(plan *Plan) *proto.PlanResponse {
	response := &proto.PlanResponse{
		Risk:    &proto.Risk{Level: proto.RiskLevel(plan.Risk.Level), Reason: utf8(plan.Risk.Reason)},
		Preview: &proto.Preview{Kind: string(plan.Preview.Kind), Text: utf8(plan.Preview.Text), Path: utf8(plan.Preview.Path)},
		Token:   plan.Token,
	}
	for _, e := range plan.Errors {
		response.Errors = append(response.Errors, &proto.InputError{Path: utf8(e.Path), Message: utf8(e.Message)})
	}
	for _, s := range plan.Subjects {
		response.Subjects = append(response.Subjects, &proto.Subject{
			Kind: string(s.Kind), Value: utf8(s.Value), Access: string(s.Access),
		})
	}
	return response
}

// diagnostics takes err apart: one diagnostic of each error that was joined.
func diagnostics(err error) []*proto.Diagnostic {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*proto.Diagnostic
		for _, e := range joined.Unwrap() {
			all = append(all, diagnostics(e)...)
		}
		return all
	}
	var fault *ConfigError
	if errors.As(err, &fault) {
		return []*proto.Diagnostic{{
			Severity: proto.Diagnostic_ERROR,
			Path:     fault.Path,
			Summary:  utf8(fault.Summary),
			Detail:   utf8(fault.Detail),
		}}
	}
	return []*proto.Diagnostic{{Severity: proto.Diagnostic_ERROR, Summary: utf8(err.Error())}}
}

func handoffResult(r *proto.HandoffResult) *HandoffResult {
	result := &HandoffResult{
		Status:      HandoffStatus(r.GetStatus()),
		Signal:      r.GetSignal(),
		StartDir:    r.GetStartDir(),
		EndDir:      r.GetEndDir(),
		Duration:    r.GetDuration().AsDuration(),
		Output:      r.GetOutput(),
		OutputBytes: int64(r.GetOutputBytes()),
		Truncated:   r.GetTruncated(),
		Reason:      r.GetReason(),
	}
	if r.ExitCode != nil {
		code := int(r.GetExitCode())
		result.ExitCode = &code
	}
	return result
}

func answer(a *proto.Answer) *Answer {
	result := &Answer{Cancelled: a.GetCancelled(), Text: a.GetText()}
	for _, i := range a.GetSelected() {
		result.Selected = append(result.Selected, int(i))
	}
	return result
}
