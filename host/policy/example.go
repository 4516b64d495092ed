package policy

import (
	"path/filepath"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Matches tells whether the rule would apply to an example: a command for a rule
// about commands, a path, a domain or an agent for rules about those, and else
// the name of a tool. root is the workspace.
func (r Rule) Matches(example, root string) bool {
	call := Call{Tool: r.tool.name, Workspace: root}
	subject := func(kind pool.SubjectKind, access pool.Access) {
		call.Subjects = []Subject{{Kind: kind, Value: example, Access: access}}
	}
	switch {
	case r.command != nil:
		subject(pool.SubjectCommand, "")
	case r.path != nil:
		subject(pool.SubjectPath, pool.AccessRead)
		if access := capability(r.tool.name); access != "" {
			call.Subjects[0].Access = access
		}
		call.Home = filepath.Join(root, "~") // so that "~/x" in an example is in it
		if len(example) > 1 && example[:2] == "~/" {
			call.Subjects[0].Value = filepath.Join(call.Home, example[2:])
		}
	case r.domain != "":
		subject(pool.SubjectDomain, "")
	case r.agent != "":
		subject(pool.SubjectAgent, "")
	case r.parameter != nil:
		return matchWildcard(starred(r.parameter.value), example)
	default:
		call.Tool = example
	}
	// Only what the rule itself says counts here.
	return New([]Rule{r}, Auto).JudgeRules(call).Rule != nil
}
