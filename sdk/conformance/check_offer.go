package conformance

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// offerChecks are about what a provider says of itself and its tools.
var offerChecks = []check{
	{"the provider has a name and a version", (*suite).identity},
	{"the schema of its configuration is valid", (*suite).configSchema},
	{"names of tools are legal", (*suite).names},
	{"schemas of tools are valid", (*suite).schemas},
	{"tools are described", (*suite).descriptions},
	{"every listing is the same", (*suite).stable},
}

// maxName bounds a name, which models are given as it is.
const maxName = 64

const nameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

func legalName(name string) bool {
	return name != "" && len(name) <= maxName && strings.Trim(name, nameCharacters) == ""
}

func (s *suite) identity(_ context.Context, p *provider) verdict {
	d := p.described
	switch {
	case !legalName(d.GetName()):
		return failed("use letters, digits, _ and -, at most 64", "its name is %q", d.GetName())
	case d.GetVersion() == "":
		return failed("answer Describe with a version, so that a person knows which one runs", "it has no version")
	}
	return passed("%s %s", d.GetName(), d.GetVersion())
}

func (s *suite) configSchema(_ context.Context, p *provider) verdict {
	data := p.described.GetConfigSchema()
	if len(data) == 0 {
		return passed("it takes no configuration")
	}
	if _, err := parseSchema(data); err != nil {
		return failed("answer Describe with the JSON Schema of an object, or with none", "it %v", err)
	}
	return verdict{}
}

func (s *suite) names(context.Context, *provider) verdict {
	seen := make(map[string]bool)
	var faults []string
	for _, t := range s.tools {
		name := t.GetName()
		switch {
		case !legalName(name):
			faults = append(faults, fmt.Sprintf("%q", name))
		case seen[name]:
			faults = append(faults, fmt.Sprintf("%q, twice", name))
		}
		seen[name] = true
	}
	if len(faults) > 0 {
		return failed("use letters, digits, _ and -, at most 64; a name is unique in its provider", "there is %s", strings.Join(faults, ", "))
	}
	return verdict{}
}

func (s *suite) schemas(context.Context, *provider) verdict {
	var faults []string
	for _, t := range s.tools {
		if t.fault != nil {
			faults = append(faults, fmt.Sprintf("%s: %v", t.GetName(), t.fault))
		}
	}
	return faultsOr("models and the host want the JSON Schema of an object", faults)
}

// faultsOr passes when there are no faults.
func faultsOr(hint string, faults []string) verdict {
	if len(faults) > 0 {
		return failed(hint, "%s", strings.Join(faults, "; "))
	}
	return verdict{}
}

func (s *suite) descriptions(context.Context, *provider) verdict {
	var faults []string
	for _, t := range s.tools {
		for _, fault := range t.descriptionFaults() {
			faults = append(faults, t.GetName()+" "+fault)
		}
	}
	return faultsOr("a model chooses a tool by its description, and rules match the subjects it declares", faults)
}

func (t *tool) descriptionFaults() (faults []string) {
	if strings.TrimSpace(t.GetDescription()) == "" {
		faults = append(faults, "has no description")
	}
	if t.GetAnnotations().GetReadOnly() && t.GetAnnotations().GetDestructive() {
		faults = append(faults, "claims to be read-only and destructive")
	}
	if t.GetTimeout().AsDuration() < 0 {
		faults = append(faults, "has a negative timeout")
	}
	for _, subject := range t.GetSubjects() {
		if fault := subjectFault(subject.GetKind(), subject.GetAccess()); fault != "" {
			faults = append(faults, fmt.Sprintf("declares the subject %q, which %s", subject.GetField(), fault))
		}
		if t.input != nil && t.input.root.Properties[subject.GetField()] == nil {
			faults = append(faults, fmt.Sprintf("declares the subject %q, which is no property of its input", subject.GetField()))
		}
	}
	return faults
}

// subjectFault is what is wrong with a subject; empty for nothing.
func subjectFault(kind, access string) string {
	switch sdk.SubjectKind(kind) {
	case sdk.SubjectPath:
		if access != string(sdk.AccessRead) && access != string(sdk.AccessWrite) {
			return fmt.Sprintf("is a path with access %q; it is read or write", access)
		}
	case sdk.SubjectCommand, sdk.SubjectDomain, sdk.SubjectAgent:
	default:
		return fmt.Sprintf("has the kind %q; it is command, path, domain or agent", kind)
	}
	return ""
}

func (s *suite) stable(ctx context.Context, p *provider) verdict {
	again, err := p.watch(ctx, false)
	if err != nil {
		return failed("answer every Watch", "the second listing: %v", err)
	}
	if again.GetTools() == nil {
		return failed("every Watch begins with the full tool set", "the second stream begins with %T", again.GetEvent())
	}
	if fault := difference(p.toolSet(), again.GetTools()); fault != "" {
		return failed("write schemas from the same source in the same order; a model's prompt is cached by its bytes", "the second listing: %s", fault)
	}
	return verdict{}
}

// difference says how two listings of one provider differ; empty when they do
// not. A set of a later revision is another set.
func difference(first, second *proto.ToolSet) string {
	if second.GetRevision() != first.GetRevision() {
		return ""
	}
	if a, b := toolNames(first), toolNames(second); !slices.Equal(a, b) {
		return fmt.Sprintf("it has %v and then %v", a, b)
	}
	for _, a := range first.GetTools() {
		i := slices.IndexFunc(second.GetTools(), func(t *proto.Tool) bool { return t.GetName() == a.GetName() })
		b := second.GetTools()[i]
		if !bytes.Equal(a.GetInputSchema(), b.GetInputSchema()) || !bytes.Equal(a.GetOutputSchema(), b.GetOutputSchema()) ||
			a.GetDescription() != b.GetDescription() {
			return fmt.Sprintf("%s has another schema or description", a.GetName())
		}
	}
	return ""
}

func toolNames(set *proto.ToolSet) []string {
	var names []string
	for _, t := range set.GetTools() {
		names = append(names, t.GetName())
	}
	slices.Sort(names)
	return names
}
