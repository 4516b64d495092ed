package policy

import (
	"fmt"
	"slices"

	"github.com/toolcrib/toolcrib/host/pool"
)

// AsksAlways tells whether every call of a tool is asked about, whatever its
// input, so that a reader for whom nobody answers need not be shown it. Where the
// input may decide it does not.
func (e *Engine) AsksAlways(tool pool.Tool) (reason string, asks bool) {
	for _, rule := range e.ask.rules {
		if rule.blanket() && rule.tool.restricts(tool.Name, tool.Origin) {
			return fmt.Sprintf("every call is asked about by the rule %s, and nobody is here to answer", rule), true
		}
	}
	switch {
	case e.mode == Recommend:
		return "mode recommend asks for every call, and nobody is here to answer", true
	case e.mode != Auto || !is(tool.Annotations.Destructive) || tool.Plans:
		return "", false
	}
	if slices.ContainsFunc(tool.Subjects, func(s pool.SubjectField) bool { return s.Kind == pool.SubjectCommand }) {
		return "", false // a command may be trusted
	}
	allowed := func(r Rule) bool { return r.tool.allows(tool.Name, tool.Origin) }
	if slices.ContainsFunc(e.allow.rules, allowed) {
		return "", false
	}
	return "mode auto asks for tools that are declared destructive, and nobody is here to answer", true
}
