package policy

import (
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// certainty is how sure it is that a rule matches.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// finding is the match of a deny or ask rule.
type finding struct {
	rule int
	part string
}

// findings keeps the first sure match and the first possible one.
type findings struct{ sure, doubt *finding }

func (f *findings) add(rule int, sure certainty, part string) {
	switch {
	case sure == yes && (f.sure == nil || rule < f.sure.rule):
		f.sure = &finding{rule, part}
	case sure == maybe && (f.doubt == nil || rule < f.doubt.rule):
		f.doubt = &finding{rule, part}
	}
}

// restrict finds the first deny or ask rule that matches for sure, and the first
// that may match, which asks whatever the rule's effect is.
func (j *judgement) restrict(set *ruleSet, effect Outcome) (sure, doubt *Decision) {
	if len(set.rules) == 0 {
		return nil, nil
	}
	var f findings
	for _, i := range set.others {
		certain, part := j.reachesCall(&set.rules[i])
		f.add(i, certain, part)
	}
	if len(j.hosts) > 0 {
		for _, i := range set.domains {
			certain, part := j.reachesHost(set.rules[i].domain)
			f.add(i, certain, part)
		}
	}
	j.restrictCommands(set, &f)
	j.restrictPaths(set, &f)
	j.explain(set, &f)
	if f.sure != nil {
		rule := &set.rules[f.sure.rule]
		reason := "denied by the rule " + rule.String()
		if effect == Ask {
			reason = "the rule asks: " + rule.String()
		}
		if f.sure.part != "" {
			reason += ", which matches: " + f.sure.part
		}
		return &Decision{Outcome: effect, Basis: ByRule, Reason: reason, Rule: rule}, nil
	}
	if f.doubt != nil {
		rule := &set.rules[f.doubt.rule]
		doubt = &Decision{Outcome: Ask, Basis: ByAnalysis, Rule: rule,
			Reason: fmt.Sprintf("the rule %s may match what is only known when it runs: %s", rule, f.doubt.part)}
	}
	return nil, doubt
}

// reachesCall tells whether a rule that is about neither commands nor paths
// nor domains matches the call.
func (j *judgement) reachesCall(rule *Rule) (certainty, string) {
	switch {
	case rule.parameter != nil && rule.tool.restricts(j.call.Tool, j.call.Origin) && rule.parameter.match(j.fields):
		return yes, rule.parameter.field
	case rule.agent != "":
		for _, subject := range j.call.Subjects {
			if subject.Kind == pool.SubjectAgent && matchAgent(strings.ToLower(rule.agent), strings.ToLower(subject.Value)) {
				return yes, subject.Value
			}
		}
		return no, ""
	case !rule.blanket():
		return no, ""
	case rule.tool.restricts(j.call.Tool, j.call.Origin):
		return yes, ""
	}
	return j.reachesCapability(rule)
}

func matchAgent(pattern, name string) bool {
	return matchWildcard(starred(pattern), name)
}

// reachesCapability lets the denial of all reading or all editing hold for every
// tool that does it.
func (j *judgement) reachesCapability(rule *Rule) (certainty, string) {
	if rule.Effect != Deny || rule.tool.name != "Read" && rule.tool.name != "Edit" {
		return no, ""
	}
	access := capability(rule.tool.name)
	for _, t := range j.touches() {
		if t.access == access && !t.lists {
			return yes, t.part()
		}
	}
	return no, ""
}

func (j *judgement) reachesHost(pattern string) (certainty, string) {
	for _, host := range j.hosts {
		switch {
		case !host.known:
			return maybe, "a host that is written in an odd way"
		case matchDomain(pattern, host.name, true):
			return yes, host.name
		}
	}
	return no, ""
}

// restrictCommands compares rules about commands with all commands of the call.
// They hold for every tool that runs shell commands, since what is forbidden to
// Bash is not meant for another tool either.
func (j *judgement) restrictCommands(set *ruleSet, f *findings) {
	for _, script := range j.scripts {
		for _, commands := range [][]Command{script.Commands, script.suspects} {
			for c := range commands {
				for _, i := range set.about(&commands[c]) {
					certain := set.rules[i].command.reachesAt(commands, c)
					if certain == no {
						continue
					}
					f.add(i, certain, commands[c].shown())
				}
			}
		}
		if script.Opaque {
			for i := range set.rules {
				if set.rules[i].command != nil {
					f.add(i, maybe, "a script that is not known before it runs")
					break
				}
			}
		}
	}
}

// reachesAt tells whether the pattern fits the command at index c, and for a
// pipeline those that follow.
func (p *commandPattern) reachesAt(commands []Command, c int) certainty {
	first := p.stages[0].reaches(&commands[c])
	if first == no || len(p.stages) == 1 {
		return first
	}
	worst, at := first, commands[c]
	for _, stage := range p.stages[1:] {
		best := no
		var next Command
		for i := range commands[c+1:] {
			command := &commands[c+1+i]
			if at.pipe == 0 || command.pipe != at.pipe || command.stage != at.stage+1 {
				continue
			}
			if certain := stage.reaches(command); certain > best {
				best, next = certain, *command
			}
		}
		if best == no {
			return no
		}
		worst, at = min(worst, best), next
	}
	return worst
}

// restrictPaths compares rules about paths with all files of the call.
func (j *judgement) restrictPaths(set *ruleSet, f *findings) {
	if len(set.paths.literal) == 0 && len(set.paths.open) == 0 {
		return
	}
	// Many commands touch the same few files.
	type question struct {
		ends   *ends
		access pool.Access
	}
	answers := make(map[question][]int) // the rules about each of the ends
	for _, t := range j.touches() {
		if t.lost {
			if i := j.firstAbout(set, t); i >= 0 && !t.lists {
				f.add(i, maybe, t.part())
			}
			continue
		}
		about, answered := answers[question{t.ends, t.access}]
		if !answered {
			for _, path := range t.ends.all() {
				if i := j.matchList(set, set.paths.about(path), path, t.access); i >= 0 {
					about = append(about, i)
				}
			}
			answers[question{t.ends, t.access}] = about
		}
		for _, i := range about {
			switch {
			case t.access != "":
				f.add(i, yes, t.part())
			case t.plausible():
				f.add(i, maybe, t.part())
			}
		}
		if len(about) == 0 && t.deep {
			j.restrictBelow(set, t, f)
		}
	}
}

// restrictBelow compares rules about paths with what is below a folder. The
// command may leave it out, by an option or an ignore file, so that a match is a
// doubt.
func (j *judgement) restrictBelow(set *ruleSet, t touch, f *findings) {
	rule, file, known := j.below(set, t.ends, t.access)
	switch {
	case rule >= 0:
		f.add(rule, maybe, t.part()+" goes through "+file)
	case !known:
		if i := j.firstAbout(set, t); i >= 0 {
			f.add(i, maybe, t.part()+" goes through more files than can be looked at")
		}
	}
}

// firstAbout is the first path rule that what happens to a file may concern; -1
// for none.
func (j *judgement) firstAbout(set *ruleSet, t touch) int {
	for i := range set.rules {
		if set.rules[i].path != nil && !set.rules[i].path.negated && j.concerns(&set.rules[i], t.access) {
			return i
		}
	}
	return -1
}

// concerns tells whether a path rule is about such an access. A rule for Read is
// about writing, too: an edit shows what the file holds. Rules of other tools
// than Read and those that write are about the tool alone.
func (j *judgement) concerns(rule *Rule, access pool.Access) bool {
	switch {
	case rule.tool.name == "Read":
		return true
	case capability(rule.tool.name) == pool.AccessWrite:
		return access != pool.AccessRead
	}
	return rule.tool.name == j.call.Tool
}

// matchList goes through path rules in their order, as git goes through a
// gitignore file: a negated pattern takes back what an earlier one of the same
// file matched, unless that matched a folder above. It answers the rule that is
// left; -1 for none.
func (j *judgement) matchList(set *ruleSet, candidates []int, path string, access pool.Access) int {
	type match struct {
		rule   int
		parent bool
	}
	var matches []match
	for _, i := range candidates {
		rule := &set.rules[i]
		if !j.concerns(rule, access) {
			continue
		}
		matched, parent := j.places.matches(rule, path)
		switch {
		case !matched:
		case !rule.path.negated:
			matches = append(matches, match{i, parent})
		default:
			kept := matches[:0]
			for _, m := range matches {
				if m.parent || !sameList(&set.rules[m.rule], rule) {
					kept = append(kept, m)
				}
			}
			matches = kept
		}
	}
	if len(matches) == 0 {
		return -1
	}
	return matches[0].rule
}

// sameList tells whether two rules come from the same file and are about the
// same access: one file takes back nothing of another.
func sameList(a, b *Rule) bool {
	fileA, _, _ := cutLast(a.Source, ":")
	fileB, _, _ := cutLast(b.Source, ":")
	return fileA == fileB && a.root == b.root && capability(a.tool.name) == capability(b.tool.name)
}

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}
