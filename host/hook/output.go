package hook

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/policy"
)

// How much of what a hook says is kept. A card and a model's context are small.
const (
	maxMessageBytes = 4 << 10
	maxContextBytes = 10 << 10
)

// output is the JSON object that answers an event. What it has no field for is
// ignored.
type output struct {
	Decision      string   `json:"decision"`
	Reason        string   `json:"reason"`
	SystemMessage string   `json:"systemMessage"`
	Continue      *bool    `json:"continue"` // true when absent
	StopReason    string   `json:"stopReason"`
	Specific      specific `json:"hookSpecificOutput"`
}

// specific is the part of an output that is about one kind of event.
type specific struct {
	Event              string          `json:"hookEventName"`
	PermissionDecision string          `json:"permissionDecision"`
	PermissionReason   string          `json:"permissionDecisionReason"`
	UpdatedInput       json.RawMessage `json:"updatedInput"`
	ToolInput          json.RawMessage `json:"tool_input"` // another name for it
	AdditionalContext  string          `json:"additionalContext"`
	UpdatedToolOutput  json.RawMessage `json:"updatedToolOutput"`
	// Decision is how permission requests are answered by other agents' hooks.
	Decision *struct {
		Behavior     string          `json:"behavior"`
		Message      string          `json:"message"`
		UpdatedInput json.RawMessage `json:"updatedInput"`
	} `json:"decision"`
}

// parsed is an output that was understood.
type parsed struct {
	outcome       policy.Outcome // empty: no opinion
	reason        string
	systemMessage string
	context       string
	ended         bool            // continue is false
	input         json.RawMessage // nil: not rewritten
	result        *string         // nil: not replaced
}

// parse reads what a hook answered to an event. Nothing at all is no opinion;
// anything that is not one JSON object of the known shape is an error, since
// nobody can tell what it was meant to stop.
func parse(event Event, text []byte) (parsed, error) {
	text = bytes.TrimSpace(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("\ufeff")))
	if len(text) == 0 {
		return parsed{}, nil
	}
	if !utf8.Valid(text) {
		return parsed{}, errors.New("it printed text that is not UTF-8")
	}
	if event.plainText() && text[0] != '{' {
		return parsed{context: limited(string(text), maxContextBytes)}, nil
	}
	if text[0] != '{' {
		return parsed{}, fmt.Errorf("it printed something else than a JSON object: %s", excerpt(text))
	}
	var out output
	if err := json.Unmarshal(text, &out); err != nil {
		return parsed{}, fmt.Errorf("it printed no answer that can be read: %w: %s", err, excerpt(text))
	}
	return out.understand(event)
}

func (o output) understand(event Event) (parsed, error) {
	s := o.Specific
	if s.Event != "" && s.Event != event.Title() && s.Event != string(event) {
		return parsed{}, fmt.Errorf("its answer is for the event %q, and it was asked about %q", s.Event, event.Title())
	}
	p := parsed{
		systemMessage: limited(o.SystemMessage, maxMessageBytes),
		context:       limited(s.AdditionalContext, maxContextBytes),
		ended:         o.Continue != nil && !*o.Continue,
	}
	if err := p.decide(o); err != nil {
		return parsed{}, err
	}
	p.input = present(s.UpdatedInput)
	if p.input == nil {
		p.input = present(s.ToolInput)
	}
	if p.input == nil && s.Decision != nil {
		p.input = present(s.Decision.UpdatedInput)
	}
	var err error
	p.result, err = replacement(s.UpdatedToolOutput)
	return p, err
}

// decide takes the strictest of the decisions that the output has, with its own
// reason.
func (p *parsed) decide(o output) error {
	s := o.Specific
	type claim struct{ decision, reason string }
	claims := []claim{
		{s.PermissionDecision, cmp.Or(s.PermissionReason, o.Reason)},
		{o.Decision, cmp.Or(o.Reason, s.PermissionReason)},
	}
	if s.Decision != nil {
		claims = append(claims, claim{s.Decision.Behavior, cmp.Or(s.Decision.Message, o.Reason)})
	}
	for _, c := range claims {
		outcome, err := outcomeOf(c.decision)
		if err != nil {
			return err
		}
		if policy.Stricter(p.outcome, outcome) != p.outcome {
			p.outcome, p.reason = outcome, c.reason
		}
	}
	if p.ended {
		p.reason = cmp.Or(o.StopReason, p.reason, o.Reason)
	}
	p.reason = limited(p.reason, maxMessageBytes)
	return nil
}

func outcomeOf(decision string) (policy.Outcome, error) {
	switch decision {
	case "":
		return "", nil
	case "allow", "approve":
		return policy.Allow, nil
	case "ask":
		return policy.Ask, nil
	case "deny", "block":
		return policy.Deny, nil
	}
	return "", fmt.Errorf("it answered the decision %q, which is none of allow, ask, deny, approve and block", decision)
}

// present is nil for a field that is absent or null.
func present(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// replacement reads a text, or an object with one, as tool_response has it.
func replacement(raw json.RawMessage) (*string, error) {
	if present(raw) == nil {
		return nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return &text, nil
	}
	var response struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(raw, &response); err != nil || response.Text == nil {
		return nil, errors.New("its updatedToolOutput is neither a string nor an object with a text")
	}
	return response.Text, nil
}

// limited cuts a text that is too long, between characters.
func limited(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + " […]"
}

// excerpt is enough of an output to recognise it.
func excerpt(text []byte) string { return fmt.Sprintf("%q", limited(string(text), 120)) }
