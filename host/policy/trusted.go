package policy

import "fmt"

// TrustedCommand is a command that Bash may run unasked in mode auto, with any
// further arguments: `git log` trusts `git log -3`, and never a compound
// command of which another part is not trusted. Make one with [ParseTrusted].
type TrustedCommand struct {
	// Text is the command as it was written.
	Text string `json:"text"`
	// Source is where it was written, as "file:line"; empty when unknown.
	Source string `json:"source,omitempty"`

	pattern *commandPattern
}

// ParseTrusted reads the words of a trusted command. Its error is a [*RuleError].
func ParseTrusted(text, source string) (TrustedCommand, error) {
	pattern, err := parseCommandPattern(text, false)
	if err != nil {
		return TrustedCommand{}, &RuleError{Text: text, Offset: err.offset, Problem: err.problem,
			Hint: "write the first words of one command, as in git status"}
	}
	stage := &pattern.stages[0]
	if stage.literals < stage.words || stage.assigns > 0 {
		return TrustedCommand{}, &RuleError{Text: text, Problem: "a trusted command is its first words, without stars and assignments",
			Hint: "write the words, as in git status; any further ones may follow"}
	}
	stage.prefix = true
	return TrustedCommand{Text: text, Source: source, pattern: pattern}, nil
}

// String is the command, with its source where that is known.
func (t TrustedCommand) String() string {
	if t.Source == "" {
		return fmt.Sprintf("trusted command %s", t.Text)
	}
	return fmt.Sprintf("trusted command %s (%s)", t.Text, t.Source)
}

// rule is the trusted command as an allow rule.
func (t TrustedCommand) rule() Rule {
	return Rule{Effect: Allow, Text: t.Text, Source: t.Source, tool: toolPattern{bash}, command: t.pattern}
}
