package policy

import (
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// bash is the tool whose rules take a command pattern.
const bash = "Bash"

// Rule says what happens to the calls it matches. Make one with [ParseRule].
type Rule struct {
	Effect Outcome `json:"effect"`
	// Text is the rule as it was written.
	Text string `json:"text"`
	// Source is where it was written, as "file:line"; empty when unknown.
	Source string `json:"source,omitempty"`

	tool string
	// command narrows the rule to some commands; nil: every call of the tool.
	command *commandPattern
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

// ParseRule reads a rule of the given effect. Its error is a [*RuleError].
func ParseRule(text string, effect Outcome, source string) (Rule, error) {
	fault := func(offset int, problem, hint string) (Rule, error) {
		return Rule{}, &RuleError{Text: text, Offset: offset, Problem: problem, Hint: hint}
	}
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return fault(0, "it is empty", "write a tool's name, or Bash(command *)")
	}
	start := strings.Index(text, trimmed)
	name, rest, hasSpecifier := strings.Cut(trimmed, "(")
	if i := strings.IndexFunc(name, notInName); i >= 0 {
		return fault(start+i, fmt.Sprintf("a tool's name has no %q", name[i:i+runeLen(name[i:])]),
			"write the exact name, as `toolcrib tools` lists it")
	}
	if name == "" {
		return fault(start, "the tool's name is missing", "write it before the parenthesis, as in Bash(ls *)")
	}
	rule := Rule{Effect: effect, Text: trimmed, Source: source, tool: name}
	if !hasSpecifier {
		return rule, nil
	}
	offset := start + len(name) + 1
	specifier, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return fault(start+len(name), "its parenthesis is not closed", "end the rule with )")
	}
	if name != bash {
		return fault(offset, fmt.Sprintf("%s takes no specifier", name), "only Bash does; write "+name+" alone")
	}
	if strings.TrimSpace(specifier) == "" {
		return fault(offset, "the parentheses are empty", "write Bash for every command, or Bash(command *)")
	}
	if strings.TrimSpace(specifier) == "*" {
		return rule, nil
	}
	pattern, err := parseCommandPattern(specifier)
	if err != nil {
		return fault(offset+err.offset, err.problem, err.hint)
	}
	rule.command = pattern
	return rule, nil
}

func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
}

func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// blanket reports whether the rule matches every call of its tool.
func (r Rule) blanket() bool { return r.command == nil }

// certainty is how sure it is that a rule matches.
type certainty int

const (
	no certainty = iota
	maybe
	yes
)

// restricts tells whether a deny or ask rule matches a call, and which part of
// it. A command pattern holds for every tool that runs shell commands, since
// what is forbidden to Bash is not meant for another tool either.
func (r Rule) restricts(call Call, scripts []*Script) (certainty, string) {
	if r.blanket() {
		if r.tool == call.Tool {
			return yes, ""
		}
		return no, ""
	}
	best, part := no, ""
	for _, script := range scripts {
		if script.Opaque && best == no {
			best, part = maybe, "a script that is not known before it runs"
		}
		for _, command := range script.Commands {
			switch r.command.matchAny(command) {
			case yes:
				return yes, command.shown()
			case maybe:
				if best == no {
					best, part = maybe, command.shown()
				}
			}
		}
	}
	return best, part
}

// denies reports whether the rule removes the tool altogether.
func (r Rule) denies(tool pool.Tool) bool {
	return r.Effect == Deny && r.blanket() && r.tool == tool.Name
}
