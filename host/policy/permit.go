package policy

import (
	"slices"

	"github.com/toolcrib/toolcrib/host/pool"
)

// permit finds what allows the call: a rule for the tool, for its domains, agents
// or paths, or for a shell command what allows every part of it.
func (j *judgement) permit() *Decision {
	set := j.engine.allow
	for _, i := range slices.Concat(set.domains, set.others) {
		rule := &set.rules[i]
		if rule.command != nil || !j.permitsCall(rule) {
			continue
		}
		j.trace.rule(rule, "", true, "")
		return &Decision{Outcome: Allow, Basis: ByRule, Reason: "allowed by the rule " + rule.String(), Rule: rule}
	}
	if decision := j.permitPaths(); decision != nil {
		return decision
	}
	if j.call.Tool != bash || len(j.scripts) == 0 {
		return nil
	}
	// What is allowed is allowed here: make test is another program elsewhere.
	if !j.places.inside(j.places.of(j.call.start())) {
		j.trace.add(Step{Step: "folder", Why: "rules and trusted commands hold in the workspace, and it starts in " + j.call.start()})
		return nil
	}
	var first *Decision
	for _, script := range j.scripts {
		decision := j.permitScript(script)
		if decision == nil {
			return nil
		}
		if first == nil {
			first = decision
		}
	}
	return first
}

// permitsCall tells whether an allow rule without a command and a path is about
// the call.
func (j *judgement) permitsCall(rule *Rule) bool {
	switch {
	case rule.path != nil:
		return false
	case rule.domain != "":
		return rule.tool.allows(j.call.Tool, j.call.Origin) && len(j.hosts) > 0 && !slices.ContainsFunc(j.hosts, func(h host) bool {
			return !h.known || !matchDomain(rule.domain, h.name, false)
		})
	case rule.agent != "":
		agents := 0
		for _, subject := range j.call.Subjects {
			if subject.Kind == pool.SubjectAgent {
				if !matchAgent(rule.agent, subject.Value) {
					return false
				}
				agents++
			}
		}
		return rule.tool.allows(j.call.Tool, j.call.Origin) && agents > 0
	}
	return rule.tool.allows(j.call.Tool, j.call.Origin)
}

// permitPaths allows a call of a tool that reads or edits files if rules cover
// all of its paths, each as it is written and where it leads.
func (j *judgement) permitPaths() *Decision {
	access := capability(j.call.Tool)
	if access == "" {
		return nil
	}
	var first *Rule
	count := 0
	for _, subject := range j.call.Subjects {
		if subject.Kind != pool.SubjectPath {
			return nil
		}
		file := j.subjectFile(subject)
		if file == nil {
			return nil
		}
		// What may be edited may be read, by Read.
		rule := j.allowsPath(file, access, j.call.Tool == "Read")
		if rule == nil {
			return nil
		}
		if first == nil {
			first = rule
		}
		count++
	}
	if count == 0 {
		return nil
	}
	j.trace.rule(first, "", true, "")
	return &Decision{Outcome: Allow, Basis: ByRule, Reason: "allowed by the rule " + first.String(), Rule: first}
}

// allowsPath finds an allow rule for every end of a file, and answers the first;
// nil when one end has none. editors tells that rules for editing count for
// reading.
func (j *judgement) allowsPath(e *ends, access pool.Access, editors bool) *Rule {
	if e.lost {
		return nil
	}
	set := j.engine.allow
	var first *Rule
	for _, end := range e.paths {
		var found *Rule
		for _, i := range set.paths.about(end) {
			rule := &set.rules[i]
			about := capability(rule.tool.name)
			if about != access && !(editors && about == pool.AccessWrite) || !rule.tool.family() {
				continue
			}
			if matched, _ := j.places.matches(rule, end); matched {
				found = rule
				break
			}
		}
		if found == nil {
			return nil
		}
		if first == nil {
			first = found
		}
	}
	return first
}
