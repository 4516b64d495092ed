package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// hookChecks are about a provider that is asked about events of a session.
var hookChecks = []check{
	{"events that it wants are known", (*suite).hookNames},
	{"events are answered", (*suite).hooks},
}

func (s *suite) hookNames(_ context.Context, p *provider) verdict {
	events := p.described.GetHookEvents()
	if len(events) == 0 {
		return passed("it wants none")
	}
	var faults []string
	for i, event := range events {
		switch {
		case !slices.Contains(sdk.HookNames(), sdk.HookName(event)):
			faults = append(faults, fmt.Sprintf("%q", event))
		case slices.Contains(events[:i], event):
			faults = append(faults, fmt.Sprintf("%q, twice", event))
		}
	}
	if len(faults) > 0 {
		return failed("name events that plugin.proto lists with DescribeResponse.hook_events; one that nobody knows is never asked about",
			"there is %s", strings.Join(faults, ", "))
	}
	return passed("%s", strings.Join(events, ", "))
}

func (s *suite) hooks(ctx context.Context, p *provider) verdict {
	const hint = `answer Hook with nothing, or with the JSON object that a command which is a hook prints, also where fields are missing or not known`
	events := p.described.GetHookEvents()
	if len(events) == 0 {
		return s.noHooks(ctx, p)
	}
	for _, event := range events {
		answer, err := s.askHook(ctx, p, event)
		if err != nil {
			return failed(hint, "%s: %v", event, err)
		}
		if fault := answerFault(answer); fault != "" {
			return failed(hint, "%s: %s", event, fault)
		}
	}
	return verdict{}
}

// noHooks makes sure that a provider does not guard without saying so, because
// no host would ask it.
func (s *suite) noHooks(ctx context.Context, p *provider) verdict {
	ctx, cancel := within(ctx, answerTime)
	defer cancel()
	_, err := p.rpc.Hook(ctx, &proto.HookRequest{Event: string(sdk.HookPreToolUse), Payload: []byte("{}")})
	if status.Code(err) != codes.Unimplemented {
		return failed("name the events in Describe, or answer Hook with Unimplemented", "it answers an event and does not say so")
	}
	return passed("it has no hooks")
}

// askHook tells of a call that reads a file of the workspace, with a field that
// no provider knows.
func (s *suite) askHook(ctx context.Context, p *provider, event string) ([]byte, error) {
	ctx, cancel := within(ctx, answerTime)
	defer cancel()
	fields := map[string]any{
		"session_id": "conformance", "run_id": "conformance", "cwd": s.workspace, "hook_event_name": event, "phase_of_the_moon": 0.5,
	}
	if strings.Contains(event, "tool") || event == string(sdk.HookPermissionRequest) {
		fields["tool_use_id"], fields["tool_name"] = "conformance", "Read"
		fields["tool_input"] = map[string]string{"path": sampleFile}
	}
	if strings.HasPrefix(event, "post_tool") {
		fields["tool_response"] = "The first line.\n"
	}
	payload, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	response, err := p.rpc.Hook(ctx, &proto.HookRequest{Event: event, Payload: payload})
	if err != nil {
		return nil, p.explain(err)
	}
	return response.GetAnswer(), nil
}

// answerFault is what is wrong with an answer; empty for nothing.
func answerFault(answer []byte) string {
	if len(answer) == 0 {
		return ""
	}
	var output struct {
		Decision *string `json:"decision"`
	}
	if !isObject(answer) || json.Unmarshal(answer, &output) != nil {
		return fmt.Sprintf("it answers %.100q, which is no JSON object with a decision that is text", answer)
	}
	if d := output.Decision; d != nil && !slices.Contains([]string{"allow", "ask", "deny", "block"}, *d) {
		return fmt.Sprintf("its decision is %q; it is allow, ask or deny", *d)
	}
	return ""
}
