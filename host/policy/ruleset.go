package policy

import (
	"slices"
	"strings"
)

// ruleSet is rules of one effect, arranged so that a call is compared with those
// few that may be about it. It is immutable.
type ruleSet struct {
	rules []Rule
	// others are rules that are not about a command, a path or a domain.
	others []int
	// domains are rules about domains.
	domains []int
	// commands are rules about commands by the name they start with, in lower
	// case; open are those that a star leaves open.
	commands map[string][]int
	open     []int
	// paths are rules about paths.
	paths pathIndex
}

func newRuleSet(rules []Rule) *ruleSet {
	s := &ruleSet{rules: rules, commands: make(map[string][]int)}
	for i := range s.rules {
		rule := &s.rules[i]
		switch {
		case rule.command != nil:
			name := rule.command.stages[0].name()
			if name == "" {
				s.open = append(s.open, i)
			} else {
				s.commands[name] = append(s.commands[name], i)
			}
			if rule.parameter != nil {
				s.others = append(s.others, i)
			}
		case rule.path != nil:
			s.paths.add(i, rule.path)
		case rule.domain != "":
			s.domains = append(s.domains, i)
		default:
			s.others = append(s.others, i)
		}
	}
	return s
}

// about lists the rules that may be about one of the readings of a command, in
// their order. all is true when the name is not known.
func (s *ruleSet) about(command *Command) []int {
	var found []int
	for i := range command.forms {
		form := &command.forms[i]
		if !form.words[0].Static {
			return s.allCommands()
		}
		found = append(found, s.commands[form.name]...)
	}
	if len(found) == 0 {
		return s.open
	}
	found = append(found, s.open...)
	slices.Sort(found)
	return slices.Compact(found)
}

func (s *ruleSet) allCommands() []int {
	var all []int
	for i := range s.rules {
		if s.rules[i].command != nil {
			all = append(all, i)
		}
	}
	return all
}

// pathIndex finds path rules by a part of the path that they spell out. Parts
// are in lower case.
type pathIndex struct {
	literal map[string][]int
	open    []int
}

func (x *pathIndex) add(i int, pattern *pathPattern) {
	for _, segment := range pattern.folded {
		if segment != "**" && !strings.ContainsAny(segment, `*?[\`) {
			if x.literal == nil {
				x.literal = make(map[string][]int)
			}
			x.literal[segment] = append(x.literal[segment], i)
			return
		}
	}
	x.open = append(x.open, i)
}

// about lists the rules that may be about a path, in their order.
func (x *pathIndex) about(path string) []int {
	if len(x.literal) == 0 {
		return x.open
	}
	found := x.open[:len(x.open):len(x.open)]
	for part := range strings.SplitSeq(strings.ToLower(path), "/") {
		found = append(found, x.literal[part]...)
	}
	if len(found) == len(x.open) {
		return x.open
	}
	slices.Sort(found)
	return slices.Compact(found)
}
