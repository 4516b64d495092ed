package hook

import (
	"encoding/json"
	"fmt"
)

// payload is the JSON object that tells of an event.
type payload struct {
	SessionID string `json:"session_id"`
	RunID     string `json:"run_id"`
	Cwd       string `json:"cwd"`
	Title     string `json:"hook_event_name"`

	ToolUseID    string          `json:"tool_use_id,omitempty"`
	ToolName     string          `json:"tool_name,omitempty"`
	ToolInput    json.RawMessage `json:"tool_input,omitempty"`
	ToolResponse *toolResponse   `json:"tool_response,omitempty"`

	// Error and IsInterrupt are for post_tool_failure.
	Error       string `json:"error,omitempty"`
	IsInterrupt *bool  `json:"is_interrupt,omitempty"`

	Prompt string `json:"prompt,omitempty"`
	// Source is how the session began and EndReason how it ended.
	Source    string `json:"source,omitempty"`
	EndReason string `json:"reason,omitempty"`
	// StopHookActive tells a stop hook that it has kept the turn going already.
	StopHookActive *bool `json:"stop_hook_active,omitempty"`
}

// toolResponse is the result of a call, in the words of `toolcrib call --json`.
type toolResponse struct {
	Text       string          `json:"text"`
	IsError    bool            `json:"is_error"`
	Structured json.RawMessage `json:"structured,omitempty"`
}

func (e Event) ofCall(c Call) payload {
	return payload{
		SessionID: c.SessionID, RunID: c.RunID, Cwd: c.Workspace, Title: e.Title(),
		ToolUseID: c.CallID, ToolName: c.Tool, ToolInput: c.Input,
	}
}

func (e Event) ofResult(c Call, r Result) payload {
	p := e.ofCall(c)
	p.ToolResponse = &toolResponse{Text: r.Text, IsError: r.Failed, Structured: r.Structured}
	if r.Failed {
		p.Error, p.IsInterrupt = r.Text, &r.Interrupted
	}
	return p
}

// payload has the words that other agents have for how a session began and
// ended, as far as they fit.
func (m Moment) payload() payload {
	p := payload{
		SessionID: m.SessionID, RunID: m.RunID, Cwd: m.Workspace, Title: m.Event.Title(), Prompt: m.Prompt,
	}
	switch m.Event {
	case SessionStart:
		p.Source = "startup"
		if m.Resumed {
			p.Source = "resume"
		}
	case SessionEnd:
		p.EndReason = "other"
	case Stop:
		p.StopHookActive = &m.Again
	}
	return p
}

func (p payload) marshal() (json.RawMessage, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("write the event for the hook: %w", err)
	}
	return text, nil
}
