package hook

// Event is a moment at which hooks run, by the name that a configuration has for
// it.
type Event string

const (
	// PreToolUse: policy has not denied a call, and it is yet to run.
	PreToolUse Event = "pre_tool_use"
	// PermissionRequest: a person is about to be asked about a call.
	PermissionRequest Event = "permission_request"
	// PostToolUse and PostToolFailure: a call has run and succeeded, or failed.
	PostToolUse     Event = "post_tool_use"
	PostToolFailure Event = "post_tool_failure"
	SessionStart    Event = "session_start"
	SessionEnd      Event = "session_end"
	// UserPrompt: a person has sent a prompt.
	UserPrompt Event = "user_prompt"
	// Stop: a model is about to end its turn.
	Stop Event = "stop"
)

// Title is what hook scripts know the event by, in hook_event_name. It is empty
// for an event that does not exist.
func (e Event) Title() string {
	switch e {
	case PreToolUse:
		return "PreToolUse"
	case PermissionRequest:
		return "PermissionRequest"
	case PostToolUse:
		return "PostToolUse"
	case PostToolFailure:
		return "PostToolUseFailure"
	case SessionStart:
		return "SessionStart"
	case SessionEnd:
		return "SessionEnd"
	case UserPrompt:
		return "UserPromptSubmit"
	case Stop:
		return "Stop"
	}
	return ""
}

// plainText reports whether output that is no JSON object is text for the model,
// as hook scripts print it at these events.
func (e Event) plainText() bool { return e == SessionStart || e == UserPrompt }
