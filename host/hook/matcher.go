package hook

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Matcher picks tools by the names that a model calls them by. The zero value
// picks every tool.
type Matcher struct {
	names []string // nil with an expression, and for every tool
	expr  *regexp.Regexp
}

// plainNames is a matcher that needs no expression: "Bash", "Edit|Write".
var plainNames = regexp.MustCompile(`^[A-Za-z0-9_|-]+$`)

// ParseMatcher reads a matcher: empty or * for every tool, a name, several names
// as A|B, or a regular expression in RE2's syntax. An expression has to fit the
// whole name. One that begins with ^ or ends with $ fits as far as it says, so
// that ^mcp__ means every name that begins so, as it does to other agents.
func ParseMatcher(text string) (Matcher, error) {
	switch {
	case text == "" || text == "*":
		return Matcher{}, nil
	case plainNames.MatchString(text):
		return Matcher{names: strings.Split(text, "|")}, nil
	}
	pattern := text
	if !strings.HasPrefix(text, "^") && !strings.HasSuffix(text, "$") {
		pattern = "^(?:" + text + ")$"
	}
	expr, err := regexp.Compile(pattern)
	if err != nil {
		return Matcher{}, fmt.Errorf("read matcher %q: %w; write a tool's name, names as A|B, or a regular expression", text, err)
	}
	return Matcher{expr: expr}, nil
}

// Matches reports whether the matcher picks a tool.
func (m Matcher) Matches(tool string) bool {
	switch {
	case m.names != nil:
		return slices.Contains(m.names, tool)
	case m.expr != nil:
		return m.expr.MatchString(tool)
	}
	return true
}
