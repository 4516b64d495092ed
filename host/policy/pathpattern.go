package policy

import (
	"path"
	"strings"
)

// anchor says what a path pattern is relative to.
type anchor int

const (
	anchorWorkspace anchor = iota // a pattern without a slash in front
	anchorRule                    // "/x": the folder that the rule's file speaks of
	anchorHome                    // "~/x"
	anchorSystem                  // "//x"
)

// pathPattern is a pattern of gitignore (its manual, "PATTERN FORMAT"), with the
// anchors of rules.
type pathPattern struct {
	anchor   anchor
	segments []string // "**" stands for any number of folders
	folded   []string // in lower case
	// anyDepth lets it match below any folder.
	anyDepth bool
	// folder restricts it to folders, and what is in them.
	folder bool
	// up is how many folders above the anchor it starts.
	up int
	// negated takes back what an earlier pattern of the same list matched.
	negated bool
}

// maxStars is how many ** a pattern may have: each multiplies the work.
const maxStars = 4

// parsePathPattern reads a pattern. An allow is anchored where a deny or ask is
// not: `src/**` allows src in the workspace and denies every src in it.
func parsePathPattern(text string, effect Outcome) (pathPattern, *patternError) {
	var p pathPattern
	body := text
	if rest, ok := strings.CutPrefix(body, "!"); ok {
		if effect == Allow {
			return p, &patternError{0, "an allow rule takes nothing back", "write a deny rule for what is not to be allowed"}
		}
		p.negated, body = true, rest
	}
	switch {
	case strings.HasPrefix(body, "//"):
		p.anchor, body = anchorSystem, body[2:]
	case strings.HasPrefix(body, "~/"):
		p.anchor, body = anchorHome, body[2:]
	case strings.HasPrefix(body, "~"):
		return p, &patternError{0, "whose home directory that is, is not known", "write ~/ for your own, or // and the path"}
	case strings.HasPrefix(body, "/"):
		p.anchor, body = anchorRule, body[1:]
	default:
		body = strings.TrimPrefix(body, "./")
	}
	if trimmed := strings.TrimRight(body, "/"); trimmed != body {
		body, p.folder = trimmed, true
	}
	for effect != Allow && p.anchor == anchorWorkspace && strings.HasPrefix(body, "../") {
		body, p.up = body[3:], p.up+1
	}
	whole := strings.TrimSuffix(body, "/**")
	inner := body
	if effect != Allow {
		inner = whole
	}
	p.anyDepth = p.anchor == anchorWorkspace && p.up == 0 && !strings.Contains(inner, "/")
	if body == "**" {
		whole = ""
	}
	for _, segment := range strings.Split(path.Clean("/" + strings.ReplaceAll(whole, `\/`, "/"))[1:], "/") {
		if segment == "" {
			continue
		}
		segment = strings.ReplaceAll(segment, "[!", "[^")
		if _, err := path.Match(segment, ""); err != nil {
			return p, &patternError{strings.Index(text, segment), "its brackets are not closed, or its backslash quotes nothing",
				`close them, or quote the character as \[`}
		}
		p.segments = append(p.segments, segment)
		p.folded = append(p.folded, strings.ToLower(segment))
	}
	if strings.HasPrefix(body, "../") || body == ".." || strings.Contains(body, "/../") {
		return p, &patternError{0, "it leaves the folder it is relative to", "write // and the absolute path, or ~/ for your home directory"}
	}
	if strings.Count(body, "**") > maxStars {
		return p, &patternError{0, "it has too many **", "write fewer"}
	}
	if len(p.segments) == 0 && p.negated {
		return p, &patternError{0, "it takes everything back", "take the other rules out instead"}
	}
	return p, nil
}

// match tells whether a path below the anchor matches, or a folder it is in. The
// parts of the path are in lower case if fold is true. parent tells that it is a
// folder above the path that matches.
func (p pathPattern) match(parts []string, fold bool) (matches, parent bool) {
	segments := p.segments
	if fold {
		segments = p.folded
	}
	if len(segments) == 0 {
		return true, false
	}
	for length := 1; length <= len(parts); length++ {
		if p.matchWhole(segments, parts[:length]) {
			return true, length < len(parts)
		}
	}
	return false, false
}

func (p pathPattern) matchWhole(segments, parts []string) bool {
	if p.anyDepth {
		return len(segments) == 1 && matchSegment(segments[0], parts[len(parts)-1]) || len(segments) > 1 && matchAnywhere(segments, parts)
	}
	return matchSegments(segments, parts)
}

func matchAnywhere(segments, parts []string) bool {
	for start := range parts {
		if matchSegments(segments, parts[start:]) {
			return true
		}
	}
	return false
}

func matchSegments(segments, parts []string) bool {
	for i, segment := range segments {
		if segment == "**" {
			return matchAnywhere(segments[i+1:], parts[i:]) || len(segments) == i+1
		}
		if i >= len(parts) || !matchSegment(segment, parts[i]) {
			return false
		}
	}
	return len(segments) == len(parts)
}

func matchSegment(segment, part string) bool {
	matched, err := path.Match(segment, part)
	return err == nil && matched
}
