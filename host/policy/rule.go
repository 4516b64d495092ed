package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// The tools whose rules take a specifier of their own.
const (
	bash     = "Bash"
	webFetch = "WebFetch"
	agent    = "Agent"
)

// Rule says what happens to the calls it matches. Make one with [ParseRule].
type Rule struct {
	Effect Outcome `json:"effect"`
	// Text is the rule as it was written.
	Text string `json:"text"`
	// Source is where it was written, as "file:line"; empty when unknown.
	Source string `json:"source,omitempty"`

	tool toolPattern
	// At most one of these narrows the rule; with none it is about every call.
	command *commandPattern
	path    *pathPattern
	domain  string
	agent   string
	// parameter narrows it by an input field. In a deny or ask rule it may come
	// with a command or an agent, of which either may be meant.
	parameter *parameter
	// root is the folder that a path pattern like "/x" is relative to; empty for
	// the workspace.
	root string
}

// Place is where a rule was written.
type Place struct {
	// Source is shown to people, as "file:line".
	Source string
	// Root is the absolute path that patterns like "/x" are relative to; empty
	// for the workspace.
	Root string
}

// String is the rule as it was written, with its source where that is known.
func (r Rule) String() string {
	if r.Source == "" {
		return r.Text
	}
	return fmt.Sprintf("%s (%s)", r.Text, r.Source)
}

// RuleError says what is wrong with a rule. Offset is the position in bytes in
// Text, for a mark under the fault.
type RuleError struct {
	Text    string
	Offset  int
	Problem string
	// Hint says what to write instead.
	Hint string
}

func (e *RuleError) Error() string {
	return fmt.Sprintf("rule %q: %s: %s", e.Text, e.Problem, e.Hint)
}

// ParseRule reads a rule of the given effect. Its error is a [*RuleError]: the
// rule is malformed, or could never match a call.
func ParseRule(text string, effect Outcome, place Place) (Rule, error) {
	trimmed := strings.TrimSpace(text)
	start := strings.Index(text, trimmed)
	rule := Rule{Effect: effect, Text: trimmed, Source: place.Source, root: place.Root}
	if trimmed == "" {
		return Rule{}, &RuleError{text, 0, "it is empty", "write a tool's name, or Bash(command *)"}
	}
	name, rest, hasSpecifier := strings.Cut(trimmed, "(")
	tool, fault := parseToolPattern(name, effect)
	if fault != nil {
		return Rule{}, &RuleError{text, start + fault.offset, fault.problem, fault.hint}
	}
	rule.tool = tool
	if !hasSpecifier {
		return rule, nil
	}
	specifier, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return Rule{}, &RuleError{text, start + len(name), "its parenthesis is not closed", "end the rule with )"}
	}
	if fault := rule.narrow(specifier); fault != nil {
		return Rule{}, &RuleError{text, start + len(name) + 1 + max(fault.offset, 0), fault.problem, fault.hint}
	}
	return rule, nil
}

// narrow reads what stands in the parentheses.
func (r *Rule) narrow(specifier string) *patternError {
	name := r.tool.name
	trimmed := strings.TrimSpace(specifier)
	switch {
	case r.tool.isGlob():
		return &patternError{0, "a rule about several tools takes no specifier", "write one tool's exact name"}
	case trimmed == "" && name == bash:
		return &patternError{0, "the parentheses are empty", "write Bash for every command, or Bash(command *)"}
	case trimmed == "":
		return &patternError{0, "the parentheses are empty", "write " + name + " alone for every call"}
	case trimmed == "*" && r.everyCall():
		return nil
	case name == bash:
		return r.narrowCommand(specifier)
	case name == webFetch && strings.HasPrefix(trimmed, "domain:"):
		return r.narrowDomain(strings.TrimPrefix(trimmed, "domain:"))
	case name == agent:
		return r.narrowAgent(trimmed)
	}
	field, pattern, isField := strings.Cut(trimmed, ":")
	if isField && field == "path" {
		return r.narrowPath(pattern)
	}
	if isField && isIdentifier(field) {
		return r.narrowParameter(field, pattern)
	}
	if capability(name) != "" {
		return r.narrowPath(specifier)
	}
	return r.unknownSpecifier()
}

// everyCall tells whether Tool(*) is Tool. In an allow of a plugin's tool it is
// more likely a mistake.
func (r *Rule) everyCall() bool {
	return r.Effect != Allow || r.tool.name == bash || r.tool.name == agent
}

func (r *Rule) unknownSpecifier() *patternError {
	name := r.tool.name
	if name == webFetch {
		return &patternError{0, "it names no domain", "write WebFetch(domain:example.com)"}
	}
	if !strings.Contains(name, "__") && !slices.Contains(bundled, name) {
		return &patternError{0, "no tool is called " + name, "write the exact name, as `toolcrib tools` lists it"}
	}
	hint := "write " + name + " alone"
	if r.Effect != Allow {
		hint += ", or " + name + "(field:value) for an input field"
	}
	return &patternError{0, name + " takes no such specifier", hint}
}

func (r *Rule) narrowCommand(specifier string) *patternError {
	if r.Effect != Allow {
		if field, value, ok := strings.Cut(strings.TrimSpace(specifier), ":"); ok && isIdentifier(field) && value != "*" {
			if field == "command" {
				specifier = value
			} else {
				r.parameter = &parameter{field, value}
			}
		}
	}
	pattern, fault := parseCommandPattern(specifier, r.Effect != Allow)
	if fault != nil {
		if r.parameter != nil {
			return nil // it can only be a field
		}
		return fault
	}
	r.command = pattern
	return nil
}

func (r *Rule) narrowPath(pattern string) *patternError {
	access := capability(r.tool.name)
	if r.Effect == Allow && r.tool.family() {
		wanted := "Read"
		if access == pool.AccessWrite {
			wanted = "Edit"
		}
		if r.tool.name != wanted {
			return &patternError{0, fmt.Sprintf("an allow rule with paths is written for %s, for all tools of its kind", wanted),
				fmt.Sprintf("write %s(%s), or %s alone", wanted, pattern, r.tool.name)}
		}
	}
	parsed, fault := parsePathPattern(pattern, r.Effect)
	if fault != nil {
		return fault
	}
	r.path = &parsed
	return nil
}

func (r *Rule) narrowAgent(specifier string) *patternError {
	field, value, isField := strings.Cut(specifier, ":")
	if isField && isIdentifier(field) && r.Effect != Allow {
		r.parameter = &parameter{field, value}
	}
	r.agent = specifier
	return nil
}

// narrowParameter makes a rule about an input field. An allow by one field would
// say nothing about the others.
func (r *Rule) narrowParameter(field, value string) *patternError {
	if r.Effect == Allow {
		return r.unknownSpecifier()
	}
	r.parameter = &parameter{field, value}
	return nil
}

// blanket reports whether the rule matches every call of its tools.
func (r Rule) blanket() bool {
	return r.command == nil && r.path == nil && r.domain == "" && r.agent == "" && r.parameter == nil
}

// denies reports whether the rule removes the tool altogether.
func (r Rule) denies(tool pool.Tool) bool {
	return r.Effect == Deny && r.blanket() && r.tool.restricts(tool.Name, tool.Origin)
}

func isIdentifier(text string) bool {
	if text == "" {
		return false
	}
	for i, r := range text {
		if !(r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return true
}
