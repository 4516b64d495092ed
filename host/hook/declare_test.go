package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/policy"
)

// prints is an asker that answers every event with a text, or fails.
type prints struct {
	text string
	err  error
}

func (p prints) Ask(context.Context, hook.Event, json.RawMessage) ([]byte, error) {
	return []byte(p.text), p.err
}

// keeps is an asker that keeps what it was asked.
type keeps struct{ event *string }

func (k keeps) Ask(_ context.Context, _ hook.Event, payload json.RawMessage) ([]byte, error) {
	*k.event = string(payload)
	return nil, nil
}

func declare(t *testing.T, declarations ...hook.Declaration) hook.Set {
	t.Helper()
	var hooks []hook.Hook
	for _, d := range declarations {
		h, err := hook.Declare(d)
		if err != nil {
			t.Fatal(err)
		}
		hooks = append(hooks, h)
	}
	set, err := hook.NewSet(hooks...)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestAnswersBeforeACall(t *testing.T) {
	const failed = "the hook failed: "
	tests := map[string]struct {
		output string
		want   hook.Merged // of which outcome, reason, warnings, notes and input count
	}{
		"nothing":                   {"", hook.Merged{}},
		"blanks":                    {" \n", hook.Merged{}},
		"an empty object":           {"{}", hook.Merged{}},
		"allow":                     {`{"decision":"allow"}`, hook.Merged{Outcome: policy.Allow}},
		"approve":                   {`{"decision":"approve","reason":"fine"}`, hook.Merged{Outcome: policy.Allow, Reason: "fine"}},
		"ask":                       {`{"decision":"ask","reason":"sure?"}`, hook.Merged{Outcome: policy.Ask, Reason: "sure?"}},
		"deny":                      {`{"decision":"deny","reason":"no"}`, hook.Merged{Outcome: policy.Deny, Reason: "no"}},
		"block":                     {`{"decision":"block","reason":"no"}`, hook.Merged{Outcome: policy.Deny, Reason: "no"}},
		"a byte order mark":         {"\ufeff" + `{"decision":"deny","reason":"no"}`, hook.Merged{Outcome: policy.Deny, Reason: "no"}},
		"a permission decision":     {`{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}`, hook.Merged{Outcome: policy.Deny, Reason: "no"}},
		"the event's name here":     {`{"hookSpecificOutput":{"hookEventName":"pre_tool_use","permissionDecision":"ask"}}`, hook.Merged{Outcome: policy.Ask}},
		"the stricter of two":       {`{"decision":"approve","reason":"old","hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"new"}}`, hook.Merged{Outcome: policy.Deny, Reason: "new"}},
		"the end of the turn":       {`{"continue":false,"stopReason":"enough","decision":"allow"}`, hook.Merged{Outcome: policy.Deny, Reason: "enough"}},
		"a message for the person":  {`{"systemMessage":"careful"}`, hook.Merged{Warnings: []string{"h: careful"}}},
		"words for the model":       {`{"hookSpecificOutput":{"additionalContext":"use make"}}`, hook.Merged{Notes: []string{"hook h: use make"}}},
		"another input":             {`{"hookSpecificOutput":{"updatedInput":{"a":2}}}`, hook.Merged{Input: json.RawMessage(`{"a":2}`)}},
		"another input, older name": {`{"hookSpecificOutput":{"tool_input":{"a":2}}}`, hook.Merged{Input: json.RawMessage(`{"a":2}`)}},
		"a denied rewrite":          {`{"decision":"deny","reason":"no","hookSpecificOutput":{"updatedInput":{"a":2}}}`, hook.Merged{Outcome: policy.Deny, Reason: "no"}},
		"fields of other agents":    {`{"suppressOutput":true,"async":false,"decision":"ask"}`, hook.Merged{Outcome: policy.Ask}},
		"plain text":                {"all good", hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed something else than a JSON object"}},
		"a list":                    {"[]", hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed something else than a JSON object"}},
		"half an object":            {`{"decision":`, hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed no answer that can be read"}},
		"two objects":               {`{"decision":"allow"}{"decision":"deny"}`, hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed no answer that can be read"}},
		"an object and a log":       {`{"decision":"allow"} done`, hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed no answer that can be read"}},
		"text that is not UTF-8":    {"{\"reason\":\"\xff\"}", hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed text that is not UTF-8"}},
		"a decision that is none":   {`{"decision":"maybe"}`, hook.Merged{Outcome: policy.Deny, Reason: failed + `it answered the decision "maybe"`}},
		"a field of another type":   {`{"decision":true}`, hook.Merged{Outcome: policy.Deny, Reason: failed + "it printed no answer that can be read"}},
		"an answer to another event": {`{"hookSpecificOutput":{"hookEventName":"PostToolUse"}}`,
			hook.Merged{Outcome: policy.Deny, Reason: failed + `its answer is for the event "PostToolUse"`}},
		"an input that is no object": {`{"hookSpecificOutput":{"updatedInput":[1]}}`,
			hook.Merged{Outcome: policy.Deny, Reason: failed + "read its rewritten input"}},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			set := declare(t, hook.Declaration{Name: "h", Event: hook.PreToolUse, Asker: prints{text: test.output}})
			got, err := set.BeforeTool(t.Context(), hook.Call{Tool: "Bash", Input: json.RawMessage(`{"a":1}`)})
			if err != nil {
				t.Fatal(err)
			}
			if got.Outcome != test.want.Outcome || !strings.HasPrefix(got.Reason, test.want.Reason) || test.want.Reason == "" && got.Reason != "" ||
				fmt.Sprint(got.Warnings, got.Notes) != fmt.Sprint(test.want.Warnings, test.want.Notes) || string(got.Input) != string(test.want.Input) {
				t.Errorf("BeforeTool = %+v\nwant         %+v", got, test.want)
			}
		})
	}
}

func TestFailuresFollowOnError(t *testing.T) {
	broken := prints{err: errors.New("it broke")}
	call := hook.Call{Tool: "Bash"}
	for _, test := range []struct {
		onError hook.OnError
		blocks  bool
	}{{"", true}, {hook.Block, true}, {hook.Warn, false}} {
		t.Run("on_error "+string(test.onError), func(t *testing.T) {
			of := func(event hook.Event) hook.Set {
				return declare(t, hook.Declaration{Name: "h", Event: event, OnError: test.onError, Asker: broken})
			}
			before, _ := of(hook.PreToolUse).BeforeTool(t.Context(), call)
			check(t, "pre_tool_use", before.Outcome == policy.Deny, before.Reason, before.Warnings, test.blocks)
			approval, _ := of(hook.PermissionRequest).BeforeApproval(t.Context(), call)
			check(t, "permission_request", approval.Outcome == policy.Deny, approval.Reason, approval.Warnings, test.blocks)
			after, _ := of(hook.PostToolUse).AfterTool(t.Context(), call, hook.Result{Text: "x"})
			check(t, "post_tool_use", after.Withheld != "", after.Withheld, after.Warnings, test.blocks)
			failed, _ := of(hook.PostToolFailure).AfterTool(t.Context(), call, hook.Result{Failed: true})
			check(t, "post_tool_failure", failed.Withheld != "", failed.Withheld, failed.Warnings, test.blocks)
			prompt, _ := of(hook.UserPrompt).AtMoment(t.Context(), hook.Moment{Event: hook.UserPrompt})
			check(t, "user_prompt", prompt.Blocked, prompt.Reason, prompt.Warnings, test.blocks)
			// There is nothing to refuse at the others, and a turn has to end.
			for _, event := range []hook.Event{hook.SessionStart, hook.SessionEnd, hook.Stop} {
				moment, _ := of(event).AtMoment(t.Context(), hook.Moment{Event: event})
				check(t, string(event), moment.Blocked, moment.Reason, moment.Warnings, false)
			}
		})
	}
}

func check(t *testing.T, event string, blocked bool, reason string, warnings []string, blocks bool) {
	t.Helper()
	said := reason
	if !blocks {
		said = strings.Join(warnings, " ")
	}
	if blocked != blocks || !strings.Contains(said, "it broke") {
		t.Errorf("%s: blocked %v because of %q, warnings %q, want blocked %v", event, blocked, reason, warnings, blocks)
	}
}

func TestWhoMayAllowInThePersonsPlace(t *testing.T) {
	allow, deny := prints{text: `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`}, prints{text: `{"decision":"deny","reason":"no"}`}
	ask := prints{text: `{"decision":"ask"}`}
	of := func(asker hook.Asker, personal bool) hook.Declaration {
		return hook.Declaration{Name: "h", Event: hook.PermissionRequest, Personal: personal, Asker: asker}
	}
	rewrites := prints{text: `{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{"a":1}}}}`}
	tests := map[string]struct {
		hooks    []hook.Declaration
		want     policy.Outcome
		warnings int
	}{
		"a hook of the person's":                 {[]hook.Declaration{of(allow, true)}, policy.Allow, 0},
		"no hook of a workspace":                 {[]hook.Declaration{of(allow, false)}, "", 1},
		"none where a workspace's denies":        {[]hook.Declaration{of(allow, true), of(deny, false)}, policy.Deny, 0},
		"none where another wants to be asked":   {[]hook.Declaration{of(allow, true), of(ask, false)}, policy.Ask, 0},
		"none that rewrites what was judged":     {[]hook.Declaration{of(rewrites, true)}, policy.Deny, 0},
		"nobody, when no hook has an opinion":    {[]hook.Declaration{of(prints{}, true)}, "", 0},
		"nobody, when a hook blocks by status 2": {[]hook.Declaration{of(prints{err: &hook.BlockedError{Reason: "no"}}, true)}, policy.Deny, 0},
	}
	for claim, test := range tests {
		t.Run(claim, func(t *testing.T) {
			got, err := declare(t, test.hooks...).BeforeApproval(t.Context(), hook.Call{Tool: "Bash"})
			if err != nil || got.Outcome != test.want || len(got.Warnings) != test.warnings {
				t.Errorf("BeforeApproval = %+v, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestHooksRunForTheirEventAndToolsOnly(t *testing.T) {
	loud := prints{text: `{"systemMessage":"here"}`}
	matcher, err := hook.ParseMatcher("Edit")
	if err != nil {
		t.Fatal(err)
	}
	var declarations []hook.Declaration
	for _, event := range []hook.Event{
		hook.PreToolUse, hook.PermissionRequest, hook.PostToolUse, hook.PostToolFailure,
		hook.SessionStart, hook.SessionEnd, hook.UserPrompt, hook.Stop,
	} {
		declarations = append(declarations, hook.Declaration{Name: string(event), Event: event, Matcher: matcher, Asker: loud})
	}
	set := declare(t, declarations...)
	for tool, tools := range map[string]bool{"Edit": true, "Bash": false} {
		call := hook.Call{Tool: tool}
		before, _ := set.BeforeTool(t.Context(), call)
		approval, _ := set.BeforeApproval(t.Context(), call)
		good, _ := set.AfterTool(t.Context(), call, hook.Result{})
		bad, _ := set.AfterTool(t.Context(), call, hook.Result{Failed: true})
		for event, warnings := range map[hook.Event][]string{
			hook.PreToolUse: before.Warnings, hook.PermissionRequest: approval.Warnings,
			hook.PostToolUse: good.Warnings, hook.PostToolFailure: bad.Warnings,
		} {
			if want := map[bool][]string{true: {string(event) + ": here"}}[tools]; !reflect.DeepEqual(warnings, want) {
				t.Errorf("%s of %s: %q, want %q", event, tool, warnings, want)
			}
		}
	}
	for _, event := range []hook.Event{hook.SessionStart, hook.SessionEnd, hook.UserPrompt, hook.Stop} {
		got, _ := set.AtMoment(t.Context(), hook.Moment{Event: event})
		if want := []string{string(event) + ": here"}; !reflect.DeepEqual(got.Warnings, want) {
			t.Errorf("%s: %q, want %q", event, got.Warnings, want)
		}
	}
}

func TestEventsAreToldInTheWordsOfHookScripts(t *testing.T) {
	call := hook.Call{SessionID: "s", RunID: "r", CallID: "c", Workspace: "/w", Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`)}
	moment := func(m hook.Moment) hook.Moment {
		m.SessionID, m.Workspace = "s", "/w"
		return m
	}
	const about = `"tool_use_id":"c","tool_name":"Bash","tool_input":{"command":"ls"}`
	tests := map[hook.Event]struct {
		happen func(hook.Set) error
		want   string
	}{
		hook.PreToolUse: {func(s hook.Set) error { _, err := s.BeforeTool(t.Context(), call); return err },
			`{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"PreToolUse",` + about + `}`},
		hook.PermissionRequest: {func(s hook.Set) error { _, err := s.BeforeApproval(t.Context(), call); return err },
			`{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"PermissionRequest",` + about + `}`},
		hook.PostToolUse: {func(s hook.Set) error {
			_, err := s.AfterTool(t.Context(), call, hook.Result{Text: "a\n", Structured: json.RawMessage(`{"n":1}`)})
			return err
		}, `{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"PostToolUse",` + about + `,"tool_response":{"text":"a\n","is_error":false,"structured":{"n":1}}}`},
		hook.PostToolFailure: {func(s hook.Set) error {
			_, err := s.AfterTool(t.Context(), call, hook.Result{Failed: true, Interrupted: true, Text: "gone"})
			return err
		}, `{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"PostToolUseFailure",` + about + `,"tool_response":{"text":"gone","is_error":true},"error":"gone","is_interrupt":true}`},
		hook.SessionStart: {func(s hook.Set) error {
			_, err := s.AtMoment(t.Context(), moment(hook.Moment{Event: hook.SessionStart, Resumed: true}))
			return err
		}, `{"session_id":"s","run_id":"","cwd":"/w","hook_event_name":"SessionStart","source":"resume"}`},
		hook.SessionEnd: {func(s hook.Set) error {
			_, err := s.AtMoment(t.Context(), moment(hook.Moment{Event: hook.SessionEnd}))
			return err
		}, `{"session_id":"s","run_id":"","cwd":"/w","hook_event_name":"SessionEnd","reason":"other"}`},
		hook.UserPrompt: {func(s hook.Set) error {
			_, err := s.AtMoment(t.Context(), moment(hook.Moment{Event: hook.UserPrompt, RunID: "r", Prompt: "hi"}))
			return err
		}, `{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"hi"}`},
		hook.Stop: {func(s hook.Set) error {
			_, err := s.AtMoment(t.Context(), moment(hook.Moment{Event: hook.Stop, RunID: "r", Again: true}))
			return err
		}, `{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"Stop","stop_hook_active":true}`},
	}
	for event, test := range tests {
		t.Run(string(event), func(t *testing.T) {
			var got string
			if err := test.happen(declare(t, hook.Declaration{Name: "h", Event: event, Asker: keeps{&got}})); err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("the event is\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestAHookThatWouldNeverBeAskedIsAnError(t *testing.T) {
	if _, err := hook.Declare(hook.Declaration{Name: "h", Event: "full_moon"}); err == nil {
		t.Error("an event that does not exist can be declared")
	}
	if _, err := hook.NewSet(idle{}); err == nil || !strings.Contains(err.Error(), "would never be asked") {
		t.Errorf("NewSet = %v", err)
	}
}

type idle struct{}

func (idle) Name() string { return "idle" }
