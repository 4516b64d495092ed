package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// guarding is a provider whose hook for calls is run.
func guarding(run HookFunc) *Provider {
	return &Provider{Name: "guard", Hooks: map[HookName]HookFunc{
		HookPreToolUse: run,
		HookStop:       func(context.Context, HookEvent) (*HookAnswer, error) { return nil, nil },
	}}
}

func TestHookEventsAreDescribedInOrder(t *testing.T) {
	client := connect(t, guarding(nil))
	described, err := client.Describe(t.Context(), &proto.DescribeRequest{})
	if err != nil || strings.Join(described.GetHookEvents(), " ") != "pre_tool_use stop" {
		t.Errorf("it describes itself as %v, %v", described, err)
	}
}

func TestHookIsGivenTheEvent(t *testing.T) {
	var got HookEvent
	client := connect(t, guarding(func(_ context.Context, event HookEvent) (*HookAnswer, error) {
		got = event
		return nil, nil
	}))
	payload := `{"session_id":"s","run_id":"r","cwd":"/w","hook_event_name":"PreToolUse","tool_use_id":"c",` +
		`"tool_name":"Bash","tool_input":{"command":"ls"},"moon":"full"}`
	if _, err := client.Hook(t.Context(), &proto.HookRequest{Event: "pre_tool_use", Payload: []byte(payload)}); err != nil {
		t.Fatal(err)
	}
	if got.Name != HookPreToolUse || got.SessionID != "s" || got.RunID != "r" || got.Cwd != "/w" || got.ToolUseID != "c" ||
		got.ToolName != "Bash" || string(got.ToolInput) != `{"command":"ls"}` || got.ToolResponse != nil || string(got.JSON) != payload {
		t.Errorf("the event is %+v", got)
	}
}

func TestHookAnswers(t *testing.T) {
	for claim, c := range map[string]struct {
		answer *HookAnswer
		want   string
	}{
		"nothing":                {nil, ``},
		"no opinion":             {&HookAnswer{}, `{}`},
		"a denial":               {&HookAnswer{Decision: HookDeny, Reason: "not on a Sunday"}, `{"decision":"deny","reason":"not on a Sunday"}`},
		"a warning":              {&HookAnswer{SystemMessage: "mind the gap"}, `{"systemMessage":"mind the gap"}`},
		"another input":          {&HookAnswer{UpdatedInput: json.RawMessage(`{"a":1}`)}, `{"hookSpecificOutput":{"updatedInput":{"a":1}}}`},
		"another output":         {&HookAnswer{UpdatedOutput: json.RawMessage(`"x"`)}, `{"hookSpecificOutput":{"updatedToolOutput":"x"}}`},
		"words for the model":    {&HookAnswer{AdditionalContext: "be brief"}, `{"hookSpecificOutput":{"additionalContext":"be brief"}}`},
		"the end of the turn":    {&HookAnswer{EndTurn: true}, `{"continue":false}`},
		"text that is not UTF-8": {&HookAnswer{Reason: "\xff"}, `{"reason":"\ufffd"}`},
	} {
		t.Run(claim, func(t *testing.T) {
			client := connect(t, guarding(func(context.Context, HookEvent) (*HookAnswer, error) { return c.answer, nil }))
			response, err := client.Hook(t.Context(), &proto.HookRequest{Event: "pre_tool_use", Payload: []byte("{}")})
			if err != nil || string(response.GetAnswer()) != c.want {
				t.Errorf("it answers %s, %v, want %s", response.GetAnswer(), err, c.want)
			}
		})
	}
}

func TestHookFails(t *testing.T) {
	for claim, c := range map[string]struct {
		event, payload string
		run            HookFunc
		code           codes.Code
		want           string
	}{
		"for an event without one":  {"session_end", "{}", nil, codes.Unimplemented, `no hook for "session_end"`},
		"for a payload that is not": {"stop", "[]", nil, codes.InvalidArgument, "no JSON object"},
		"by its own error": {"pre_tool_use", "{}", func(context.Context, HookEvent) (*HookAnswer, error) {
			return nil, errors.New("the list of Sundays is gone")
		}, codes.Unknown, "the list of Sundays is gone"},
		"by a panic": {"pre_tool_use", "{}", func(context.Context, HookEvent) (*HookAnswer, error) {
			panic("what day is it")
		}, codes.Unknown, "hook for pre_tool_use panicked: what day is it"},
		"by an input that is no JSON": {"pre_tool_use", "{}", func(context.Context, HookEvent) (*HookAnswer, error) {
			return &HookAnswer{UpdatedInput: json.RawMessage("{")}, nil
		}, codes.Unknown, "marshal the answer to pre_tool_use"},
	} {
		t.Run(claim, func(t *testing.T) {
			_, err := connect(t, guarding(c.run)).Hook(t.Context(), &proto.HookRequest{Event: c.event, Payload: []byte(c.payload)})
			if status.Code(err) != c.code || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %v with %q", err, c.code, c.want)
			}
		})
	}
}
