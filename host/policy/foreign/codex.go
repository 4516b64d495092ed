package foreign

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/toolcrib/toolcrib/host/policy"
)

// maxAlternatives is how many rules one prefix_rule may become.
const maxAlternatives = 64

// Codex reads a .rules file of Codex: calls of prefix_rule in a subset of
// Starlark.
func Codex(text []byte) (*Rules, error) {
	calls, err := parseStarlark(string(text))
	if err != nil {
		return nil, fmt.Errorf("read Codex rules: %w", err)
	}
	r := &Rules{}
	for _, call := range calls {
		if call.name != "prefix_rule" {
			r.unequal("line %d: %s(...) has no rule that is like it", call.line, call.name)
			continue
		}
		r.addPrefix(call)
	}
	return r, nil
}

// addPrefix adds the rules of one prefix_rule: one for each combination of the
// alternatives in its pattern.
func (r *Rules) addPrefix(call starlarkCall) {
	decision, ok := map[string]policy.Outcome{"": policy.Allow, "allow": policy.Allow, "prompt": policy.Ask, "forbidden": policy.Deny}[call.args["decision"].text]
	if !ok {
		r.unequal("line %d: the decision %q is unknown", call.line, call.args["decision"].text)
		return
	}
	prefixes := [][]string{nil}
	for _, element := range call.args["pattern"].list {
		options := []string{element.text}
		if element.list != nil {
			options = element.texts()
		}
		var longer [][]string
		for _, prefix := range prefixes {
			for _, option := range options {
				longer = append(longer, append(prefix[:len(prefix):len(prefix)], option))
			}
		}
		if prefixes = longer; len(prefixes) > maxAlternatives {
			r.unequal("line %d: the pattern has more than %d combinations", call.line, maxAlternatives)
			return
		}
	}
	for _, prefix := range prefixes {
		command, ok := quoted(prefix)
		if !ok || command == "" {
			r.unequal("line %d: the pattern is no command", call.line)
			continue
		}
		rule := Rule{Effect: decision, Text: "Bash(" + command + " *)", justification: call.args["justification"].text,
			foreign: fmt.Sprintf("prefix_rule in line %d", call.line)}
		if len(prefixes) == 1 {
			rule.Matches, rule.Misses = commands(call.args["match"]), commands(call.args["not_match"])
		}
		r.add(rule)
	}
}

// commands are examples: each a command line, or a list of its words.
func commands(value starlarkValue) []string {
	var lines []string
	for _, example := range value.list {
		if example.list == nil {
			lines = append(lines, example.text)
		} else if line, ok := quoted(example.texts()); ok {
			lines = append(lines, line)
		}
	}
	return lines
}

// quoted is a command line of the words.
func quoted(words []string) (string, bool) {
	var line []string
	for _, word := range words {
		text, err := syntax.Quote(word, syntax.LangBash)
		if err != nil {
			return "", false
		}
		line = append(line, text)
	}
	return strings.Join(line, " "), true
}
