package policy

import (
	"path/filepath"
	"strings"
)

// matches tells whether a path rule matches an absolute path, and whether by a
// folder above it. Deny and ask rules do not look at the case, and also match
// where the links in the pattern itself lead.
func (p *places) matches(rule *Rule, path string) (matched, parent bool) {
	pattern := rule.path
	fold := rule.Effect != Allow
	if fold {
		path = strings.ToLower(path)
	}
	for _, base := range p.basesOf(rule) {
		if matched, parent := pattern.matchBelow(base, path, 0, fold); matched {
			return true, parent
		}
		if literal := pattern.literals(); fold && literal > 0 {
			spelled := filepath.Join(append([]string{base}, pattern.segments[:literal]...)...)
			if real, _, ok := p.follow(spelled); ok && real != spelled {
				if matched, parent := pattern.matchBelow(real, path, literal, fold); matched {
					return true, parent
				}
			}
		}
	}
	return false, false
}

// basesOf are the folders that a rule's pattern may be relative to: one folder as
// it is written, and where it is.
func (p *places) basesOf(rule *Rule) []string {
	switch rule.path.anchor {
	case anchorSystem:
		return []string{"/"}
	case anchorHome:
		return p.bothEnds(p.home)
	case anchorRule:
		if rule.root != "" {
			return p.bothEnds(rule.root)
		}
	}
	if rule.path.up == 0 {
		return p.roots
	}
	var bases []string
	for _, root := range p.roots {
		bases = append(bases, filepath.Join(root, strings.Repeat("../", rule.path.up)))
	}
	return bases
}

// literals is how many segments at the start have no star and are anchored.
func (p pathPattern) literals() int {
	if p.anyDepth {
		return 0
	}
	count := 0
	for count < len(p.segments) && !strings.ContainsAny(p.segments[count], `*?[\`) {
		count++
	}
	return count
}

// matchBelow matches a path below base with the segments from skip on.
func (p pathPattern) matchBelow(base, path string, skip int, fold bool) (matched, parent bool) {
	if fold {
		base = strings.ToLower(base)
	}
	if !within(base, path) {
		return false, false
	}
	rest := strings.Trim(path[len(base):], "/")
	var parts []string
	if rest != "" {
		parts = strings.Split(rest, "/")
	}
	if skip > 0 {
		p.segments, p.folded = p.segments[skip:], p.folded[skip:]
	}
	return p.match(parts, fold)
}
