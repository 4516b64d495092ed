package plugin

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// Result is what a tool answered.
type Result struct {
	IsError    bool
	Content    []Content
	Structured json.RawMessage
	// Files are those that the call changed.
	Files []FileChange
}

// Content is one part of a result. It is text unless one of the others is set.
type Content struct {
	Text  string
	Image *Image
	Link  *Link
}

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

// FileChange is one file that a call changed.
type FileChange struct {
	Path string `json:"path"` // absolute
	Kind string `json:"kind"` // created, modified, deleted
}

// Plan is what a call would do.
type Plan struct {
	// Errors say what is wrong with the input; any of them refuses the call.
	Errors   []InputError
	Subjects []Subject
	// Risk is low, medium, high or critical; empty leaves it to the host.
	Risk       string
	RiskReason string
	// PreviewKind is diff, command or text; PreviewPath is the file of a diff.
	PreviewKind string
	Preview     string
	PreviewPath string
	// Token goes into the request of the call that was planned.
	Token []byte
}

// InputError is a fault of the input. Path is a JSON pointer, empty for the whole.
type InputError struct {
	Path    string
	Message string
}

// Subject is one thing that the call acts on.
type Subject struct {
	Kind   pool.SubjectKind
	Value  string
	Access pool.Access
}

// Observation is what a provider found in files that another one changed.
type Observation struct {
	State   string // clean, issues, pending
	Content []Content
}

// Findings are what a provider found in the files of a call after its answer.
type Findings struct {
	CallID  string
	Content []Content
}

// unknownContent stands for a part that a newer provider sent.
const unknownContent = "[a part of the result is of a kind that this version does not know]"

// Text is the part of a result that can be read. Other parts are named, so
// that a model knows of them.
func Text(content []Content) string {
	parts := make([]string, len(content))
	for i, part := range content {
		switch {
		case part.Image != nil:
			parts[i] = fmt.Sprintf("[image %s, %d bytes]", part.Image.MIMEType, len(part.Image.Data))
		case part.Link != nil:
			parts[i] = fmt.Sprintf("[link %s %s]", part.Link.Title, part.Link.URI)
		default:
			parts[i] = part.Text
		}
	}
	return strings.Join(parts, "\n")
}

func contentOf(parts []*proto.Content) []Content {
	content := make([]Content, len(parts))
	for i, part := range parts {
		switch kind := part.GetKind().(type) {
		case *proto.Content_Text:
			content[i].Text = kind.Text
		case *proto.Content_Image:
			content[i].Image = &Image{MIMEType: kind.Image.GetMimeType(), Data: kind.Image.GetData()}
		case *proto.Content_Link:
			content[i].Link = &Link{URI: kind.Link.GetUri(), Title: kind.Link.GetTitle()}
		default:
			content[i].Text = unknownContent
		}
	}
	return content
}

func resultOf(r *proto.Result) *Result {
	result := &Result{
		IsError:    r.GetIsError(),
		Content:    contentOf(r.GetContent()),
		Structured: r.GetStructured(),
	}
	for _, f := range r.GetFiles() {
		result.Files = append(result.Files, FileChange{Path: f.GetPath(), Kind: f.GetKind()})
	}
	return result
}

func planOf(r *proto.PlanResponse) *Plan {
	plan := &Plan{
		Risk:        riskNames[r.GetRisk().GetLevel()],
		RiskReason:  r.GetRisk().GetReason(),
		PreviewKind: r.GetPreview().GetKind(),
		Preview:     r.GetPreview().GetText(),
		PreviewPath: r.GetPreview().GetPath(),
		Token:       r.GetToken(),
	}
	for _, e := range r.GetErrors() {
		plan.Errors = append(plan.Errors, InputError{Path: e.GetPath(), Message: e.GetMessage()})
	}
	for _, s := range r.GetSubjects() {
		plan.Subjects = append(plan.Subjects, Subject{
			Kind: pool.SubjectKind(s.GetKind()), Value: s.GetValue(), Access: pool.Access(s.GetAccess()),
		})
	}
	return plan
}

// riskNames has no entry for what is not said or not known.
var riskNames = map[proto.RiskLevel]string{
	proto.RiskLevel_LOW:      "low",
	proto.RiskLevel_MEDIUM:   "medium",
	proto.RiskLevel_HIGH:     "high",
	proto.RiskLevel_CRITICAL: "critical",
}
