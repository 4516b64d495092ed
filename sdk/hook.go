package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// HookName names a moment at which a provider can be asked.
type HookName string

const (
	// HookPreToolUse: policy has not denied a call, and it is yet to run. The
	// answer may deny it, have the person asked, or rewrite its input.
	HookPreToolUse HookName = "pre_tool_use"
	// HookPostToolUse and HookPostToolFailure: a call has run and succeeded, or
	// failed.
	HookPostToolUse     HookName = "post_tool_use"
	HookPostToolFailure HookName = "post_tool_failure"
	// HookPermissionRequest: a person is about to be asked about a call.
	HookPermissionRequest HookName = "permission_request"
	HookSessionStart      HookName = "session_start"
	HookSessionEnd        HookName = "session_end"
	// HookStop: the agent is about to end its turn.
	HookStop HookName = "stop"
	// HookUserPrompt: the person has sent a prompt.
	HookUserPrompt HookName = "user_prompt"
)

// HookNames returns all names that this version knows.
func HookNames() []HookName {
	return []HookName{
		HookPreToolUse, HookPostToolUse, HookPostToolFailure, HookPermissionRequest,
		HookSessionStart, HookSessionEnd, HookStop, HookUserPrompt,
	}
}

// HookFunc answers one event; nil is nothing to say. It may be called from
// several goroutines at once, also about calls of the provider's own tools, and
// must return when ctx ends. Where the event is one that an answer can decide, an
// error stops what was to happen.
type HookFunc func(ctx context.Context, event HookEvent) (*HookAnswer, error)

// HookEvent is a moment in a session. Fields that the event does not have are
// empty.
type HookEvent struct {
	Name      HookName `json:"-"`
	SessionID string   `json:"session_id"`
	RunID     string   `json:"run_id"`
	Cwd       string   `json:"cwd"`
	// ToolUseID is the id of the call.
	ToolUseID string `json:"tool_use_id"`
	ToolName  string `json:"tool_name"`
	// ToolInput is a JSON object, and ToolResponse any JSON.
	ToolInput    json.RawMessage `json:"tool_input"`
	ToolResponse json.RawMessage `json:"tool_response"`

	// JSON is the whole event, with what this version has no field for.
	JSON json.RawMessage `json:"-"`
}

// HookDecision is what an answer decides; empty is no opinion.
type HookDecision string

const (
	HookAllow HookDecision = "allow"
	HookAsk   HookDecision = "ask"
	HookDeny  HookDecision = "deny"
)

// HookAnswer is what a provider says to an event. The zero value says nothing.
type HookAnswer struct {
	Decision HookDecision
	// Reason says why. It is shown to the person and, with a deny, to the model.
	Reason string
	// SystemMessage warns the person.
	SystemMessage string
	// UpdatedInput replaces the input of a call that is yet to run, and is judged
	// like it; nil leaves it. It is a JSON object.
	UpdatedInput json.RawMessage
	// UpdatedOutput replaces what the model is told of a call that has run; nil
	// leaves it.
	UpdatedOutput json.RawMessage
	// AdditionalContext is told to the model.
	AdditionalContext string
	// EndTurn ends the agent's turn.
	EndTurn bool
}

// hookOutput is a [HookAnswer] as a command that is a hook would print it.
type hookOutput struct {
	Decision      HookDecision       `json:"decision,omitempty"`
	Reason        string             `json:"reason,omitempty"`
	SystemMessage string             `json:"systemMessage,omitempty"`
	Continue      *bool              `json:"continue,omitempty"` // true when absent
	Specific      hookSpecificOutput `json:"hookSpecificOutput,omitzero"`
}

type hookSpecificOutput struct {
	UpdatedInput      json.RawMessage `json:"updatedInput,omitempty"`
	UpdatedToolOutput json.RawMessage `json:"updatedToolOutput,omitempty"`
	AdditionalContext string          `json:"additionalContext,omitempty"`
}

// marshal returns nothing for an answer that says nothing.
func (a *HookAnswer) marshal() ([]byte, error) {
	if a == nil {
		return nil, nil
	}
	output := hookOutput{
		Decision: a.Decision, Reason: a.Reason, SystemMessage: a.SystemMessage,
		Specific: hookSpecificOutput{
			UpdatedInput: a.UpdatedInput, UpdatedToolOutput: a.UpdatedOutput, AdditionalContext: a.AdditionalContext,
		},
	}
	if a.EndTurn {
		output.Continue = new(bool)
	}
	return json.Marshal(output)
}

// hookEvents are the names of the events with a function, in order.
func (p *Provider) hookEvents() []string {
	var events []string
	for _, name := range slices.Sorted(maps.Keys(p.Hooks)) {
		events = append(events, string(name))
	}
	return events
}

// checkHooks finds the names that no event has: a hook that is never asked
// guards nothing.
func (p *Provider) checkHooks() error {
	for name, answer := range p.Hooks {
		switch {
		case !slices.Contains(HookNames(), name):
			return fmt.Errorf("there is no event %q for a hook; there are %s", name, strings.Join(hookNameTexts(), ", "))
		case answer == nil:
			return fmt.Errorf("the hook for %s is nil; give it a function", name)
		}
	}
	return nil
}

func hookNameTexts() []string {
	var texts []string
	for _, name := range HookNames() {
		texts = append(texts, string(name))
	}
	return texts
}

func (s *server) Hook(ctx context.Context, request *proto.HookRequest) (*proto.HookResponse, error) {
	name := HookName(request.GetEvent())
	run, ok := s.provider.Hooks[name]
	if !ok {
		return nil, status.Errorf(codes.Unimplemented, "the provider has no hook for %q", name)
	}
	event := HookEvent{Name: name, JSON: request.GetPayload()}
	if err := json.Unmarshal(request.GetPayload(), &event); err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "the event is no JSON object of the protocol: %v", err)
	}
	answer, err := runHook(ctx, run, event)
	if err != nil {
		return nil, err
	}
	output, err := answer.marshal()
	if err != nil {
		return nil, fmt.Errorf("marshal the answer to %s: %w", name, err)
	}
	return &proto.HookResponse{Answer: output}, nil
}

func runHook(ctx context.Context, run HookFunc, event HookEvent) (answer *HookAnswer, err error) {
	defer recovered("hook for "+string(event.Name), &err)
	return run(ctx, event)
}
