package hook

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/policy"
)

// FuzzParse holds what a hook prints to what the host relies on: an answer has a
// known outcome, valid texts of bounded size, and an error says something.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "\ufeff{}", "text", `{"decision":"deny","reason":"no"}`, `{"decision":"allow"}{}`, `{"continue":false}`,
		`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":{"a":1}}}`,
		`{"hookSpecificOutput":{"decision":{"behavior":"allow","message":"m"},"updatedToolOutput":{"text":"x"}}}`,
		`{"systemMessage":"` + strings.Repeat("ä", maxMessageBytes) + `"}`, "{\"reason\":\"\xff\"}", `{"decision":null,"hookSpecificOutput":null}`,
		`{"hookSpecificOutput":{"updatedInput":null,"tool_input":[],"updatedToolOutput":null}}`,
	} {
		for _, event := range []Event{PreToolUse, UserPrompt} {
			f.Add(string(event), []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, event string, text []byte) {
		p, err := parse(Event(event), text)
		if err != nil {
			if err.Error() == "" {
				t.Error("the error says nothing")
			}
			return
		}
		switch p.outcome {
		case "", policy.Allow, policy.Ask, policy.Deny:
		default:
			t.Errorf("outcome %q", p.outcome)
		}
		for _, said := range []string{p.reason, p.systemMessage, p.context} {
			if !utf8.ValidString(said) || len(said) > maxContextBytes+len(" […]") {
				t.Errorf("a text of %d bytes, valid %v", len(said), utf8.ValidString(said))
			}
		}
		if a := p.answer(); a.Outcome == policy.Deny && a.Input != nil {
			t.Error("a denied call is rewritten")
		}
	})
}
