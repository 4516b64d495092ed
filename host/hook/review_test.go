package hook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/hook"
)

// stamps is an asker that adds a word to the result.
type stamps struct{ word string }

func (s stamps) Ask(_ context.Context, _ hook.Event, payload json.RawMessage) ([]byte, error) {
	var event struct {
		Response struct {
			Text string `json:"text"`
		} `json:"tool_response"`
	}
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, err
	}
	text, err := json.Marshal(event.Response.Text + " " + s.word)
	return fmt.Appendf(nil, `{"hookSpecificOutput":{"updatedToolOutput":%s}}`, text), err
}

func TestAfterTool(t *testing.T) {
	tests := map[string]struct {
		askers []hook.Asker
		text   string // "-" for one that is not replaced
		notes  string
		held   string
	}{
		"no opinion":                         {[]hook.Asker{prints{}}, "-", "[]", ""},
		"another text":                       {[]hook.Asker{prints{text: `{"hookSpecificOutput":{"updatedToolOutput":"x"}}`}}, "x", "[]", ""},
		"an empty text":                      {[]hook.Asker{prints{text: `{"hookSpecificOutput":{"updatedToolOutput":""}}`}}, "", "[]", ""},
		"another text as it was given":       {[]hook.Asker{prints{text: `{"hookSpecificOutput":{"updatedToolOutput":{"text":"x","is_error":false}}}`}}, "x", "[]", ""},
		"each builds on the one before":      {[]hook.Asker{stamps{"one"}, prints{}, stamps{"two"}, stamps{"three"}}, "said one two three", "[]", ""},
		"context":                            {[]hook.Asker{prints{text: `{"hookSpecificOutput":{"additionalContext":"c"}}`}}, "-", "[hook h0: c]", ""},
		"block tells the model why":          {[]hook.Asker{prints{text: `{"decision":"block","reason":"format it"}`}}, "-", "[hook h0: format it]", ""},
		"status 2 tells the model why":       {[]hook.Asker{prints{err: &hook.BlockedError{Reason: "format it"}}}, "-", "[hook h0: format it]", ""},
		"the end of the turn does, too":      {[]hook.Asker{prints{text: `{"continue":false,"stopReason":"enough"}`}}, "-", "[hook h0: enough]", ""},
		"a block without a reason is failed": {[]hook.Asker{prints{text: `{"decision":"block"}`}}, "-", "[]", "blocks without a reason"},
		"a replacement that is no text is failed": {[]hook.Asker{prints{text: `{"hookSpecificOutput":{"updatedToolOutput":[1]}}`}}, "-", "[]",
			"neither a string nor an object with a text"},
		"a failure withholds what another let pass": {[]hook.Asker{prints{text: "garbage"}, stamps{"one"}}, "said one", "[]", "hook h0: the hook failed"},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			var declarations []hook.Declaration
			for i, asker := range test.askers {
				declarations = append(declarations, hook.Declaration{Name: fmt.Sprintf("h%d", i), Event: hook.PostToolUse, Asker: asker})
			}
			got, err := declare(t, declarations...).AfterTool(t.Context(), hook.Call{Tool: "Read"}, hook.Result{Text: "said"})
			if err != nil {
				t.Fatal(err)
			}
			text := "-"
			if got.Text != nil {
				text = *got.Text
			}
			if text != test.text || fmt.Sprint(got.Notes) != test.notes || !strings.Contains(got.Withheld, test.held) || (test.held == "") != (got.Withheld == "") {
				t.Errorf("AfterTool = %q, %+v", text, got)
			}
		})
	}
}

func TestAtMoment(t *testing.T) {
	tests := map[string]struct {
		event   hook.Event
		output  string
		blocked bool
		notes   string
	}{
		"plain text at the start is for the model":  {hook.SessionStart, "on branch main\n", false, "[hook h: on branch main]"},
		"plain text with a prompt is for the model": {hook.UserPrompt, "it is Monday", false, "[hook h: it is Monday]"},
		"context is for the model":                  {hook.UserPrompt, `{"hookSpecificOutput":{"additionalContext":"c"}}`, false, "[hook h: c]"},
		"a prompt can be refused":                   {hook.UserPrompt, `{"decision":"block","reason":"no"}`, true, "[]"},
		"a prompt can end the turn":                 {hook.UserPrompt, `{"continue":false,"stopReason":"no"}`, true, "[]"},
		"half an object refuses a prompt":           {hook.UserPrompt, `{"decision"`, true, "[]"},
		"a turn can be made to go on":               {hook.Stop, `{"decision":"block","reason":"tests fail"}`, true, "[]"},
		"a turn can be made to end":                 {hook.Stop, `{"continue":false,"decision":"block","reason":"tests fail"}`, false, "[]"},
		"plain text keeps no turn going":            {hook.Stop, "done", false, "[]"},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			set := declare(t, hook.Declaration{Name: "h", Event: test.event, Asker: prints{text: test.output}})
			got, err := set.AtMoment(t.Context(), hook.Moment{Event: test.event})
			if err != nil || got.Blocked != test.blocked || fmt.Sprint(got.Notes) != test.notes || test.blocked && got.Reason == "" {
				t.Errorf("AtMoment = %+v, %v", got, err)
			}
		})
	}
}
