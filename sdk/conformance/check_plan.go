package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	gproto "google.golang.org/protobuf/proto"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// plan checks the plans of one tool; nil for a tool that has none.
func (s *suite) plan(ctx context.Context, p *provider, t *tool) *verdict {
	if !t.GetPlans() {
		return nil
	}
	v := s.planTwice(ctx, p, t)
	return &v
}

func (s *suite) planTwice(ctx context.Context, p *provider, t *tool) verdict {
	if t.sample == nil {
		return skipped(fmt.Sprintf(hintInput, t.GetName()), "not planned: %s", t.withheld)
	}
	before, err := snapshot(s.workspace)
	if err != nil {
		return failed("", "look at the workspace: %v", err)
	}
	var plans [2]*proto.PlanResponse
	for i := range plans {
		if plans[i], err = p.plan(ctx, t.GetName(), t.sample); err != nil {
			return failed("answer every Plan; what is wrong with an input belongs into its errors", "%v", err)
		}
	}
	after, err := snapshot(s.workspace)
	if err != nil {
		return failed("", "look at the workspace: %v", err)
	}
	if changed := before.changes(after); len(changed) > 0 {
		return failed("only look; a plan may be made and never run", "the plan changed %s", strings.Join(changed, ", "))
	}
	if fault := planFault(plans[0]); fault != "" {
		return failed("keep to what plugin.proto says of PlanResponse", "%s", fault)
	}
	if !gproto.Equal(judged(plans[0]), judged(plans[1])) {
		return failed("derive errors, subjects and risk from input and workspace only; rules are matched against them",
			"two plans of one input differ")
	}
	if errors := plans[0].GetErrors(); len(errors) > 0 {
		if t.given {
			return failed("give an input that the tool accepts, or mend its plan", "the plan refuses the input that was given: %s", errors[0].GetMessage())
		}
		return passed("it refuses an input made from its schema: %s", errors[0].GetMessage())
	}
	return verdict{}
}

func (p *provider) plan(ctx context.Context, tool string, input json.RawMessage) (*proto.PlanResponse, error) {
	ctx, cancel := within(ctx, answerTime)
	defer cancel()
	response, err := p.rpc.Plan(ctx, &proto.PlanRequest{CallId: "conformance", Tool: tool, Input: input})
	if err != nil {
		return nil, p.explain(err)
	}
	return response, nil
}

// judged is the part of a plan that policy judges. Previews and tokens may tell
// of the moment.
func judged(plan *proto.PlanResponse) *proto.PlanResponse {
	return &proto.PlanResponse{Errors: plan.GetErrors(), Subjects: plan.GetSubjects(), Risk: plan.GetRisk()}
}

func planFault(plan *proto.PlanResponse) string {
	for _, e := range plan.GetErrors() {
		switch {
		case e.GetMessage() == "":
			return "an error has no message"
		case e.GetPath() != "" && !strings.HasPrefix(e.GetPath(), "/"):
			return fmt.Sprintf("the path %q of an error is no JSON pointer", e.GetPath())
		}
	}
	for _, subject := range plan.GetSubjects() {
		if fault := subjectFault(subject.GetKind(), subject.GetAccess()); fault != "" {
			return fmt.Sprintf("the subject %q %s", subject.GetValue(), fault)
		}
	}
	if _, known := proto.RiskLevel_name[int32(plan.GetRisk().GetLevel())]; !known {
		return fmt.Sprintf("there is no risk level %d", plan.GetRisk().GetLevel())
	}
	switch sdk.PreviewKind(plan.GetPreview().GetKind()) {
	case "", sdk.PreviewDiff, sdk.PreviewCommand, sdk.PreviewText:
	default:
		return fmt.Sprintf("there is no kind of preview %q", plan.GetPreview().GetKind())
	}
	return ""
}

func (s *suite) path(name string) string { return filepath.Join(s.workspace, name) }

// fileFault is what is wrong with a changed file of a result: above all, that
// nobody was told before that it would be written.
func (s *suite) fileFault(t *tool, plan *proto.PlanResponse, file *proto.FileChange) string {
	switch sdk.ChangeKind(file.GetKind()) {
	case sdk.Created, sdk.Modified, sdk.Deleted:
	default:
		return fmt.Sprintf("the change of %s is of the kind %q; it is created, modified or deleted", file.GetPath(), file.GetKind())
	}
	if !filepath.IsAbs(file.GetPath()) {
		return fmt.Sprintf("the path of the changed file %q is not absolute", file.GetPath())
	}
	write, unbounded := s.announced(t, plan)
	for _, path := range write {
		if path == filepath.Clean(file.GetPath()) {
			return ""
		}
	}
	if unbounded {
		return ""
	}
	return fmt.Sprintf("it changed %s, and neither its plan nor its declared subjects say that it writes there", file.GetPath())
}

// announced are the files that a call says beforehand it will write. A command
// may write anything.
func (s *suite) announced(t *tool, plan *proto.PlanResponse) (paths []string, unbounded bool) {
	subjects := plan.GetSubjects()
	var input map[string]any
	_ = json.Unmarshal(t.sample, &input)
	for _, declared := range t.GetSubjects() {
		if value, ok := input[declared.GetField()].(string); ok {
			subjects = append(subjects, &proto.Subject{Kind: declared.GetKind(), Value: value, Access: declared.GetAccess()})
		}
	}
	for _, subject := range subjects {
		switch {
		case subject.GetKind() == string(sdk.SubjectCommand):
			unbounded = true
		case subject.GetAccess() != string(sdk.AccessWrite):
		case filepath.IsAbs(subject.GetValue()):
			paths = append(paths, filepath.Clean(subject.GetValue()))
		default:
			paths = append(paths, s.path(subject.GetValue()))
		}
	}
	return paths, unbounded
}
