// Package session holds the message model of a session: typed events that every
// front renders, whatever traffic they came from, and the log that keeps them.
package session

import (
	"encoding/json"
	"time"
)

// Event is one entry of a session's message model. Events are immutable.
type Event struct {
	// Seq counts from 1 in a session, without gaps.
	Seq       uint64    `json:"seq"`
	Time      time.Time `json:"time"`
	SessionID string    `json:"session_id"`
	// RunID groups the events of one request and what it caused.
	RunID string `json:"run_id,omitempty"`
	// Body is one of the types below.
	Body Body `json:"body"`
}

// Body is what happened. Type is the stable name in JSON.
type Body interface{ Type() string }

// Input is what a person typed: a slash command, a shell command, a prompt.
type Input struct {
	Text string `json:"text"`
}

// Notice is something the host tells the person.
type Notice struct {
	Level Level  `json:"level"`
	Text  string `json:"text"`
}

// Level grades a notice.
type Level string

const (
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// ToolCalled opens an invocation.
type ToolCalled struct {
	CallID    string          `json:"call_id"`
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	InvokedBy string          `json:"invoked_by"`
	// Wrapper tells that the call only carries another one, which follows.
	Wrapper bool `json:"wrapper,omitempty"`
}

// ToolPlanned tells what the call would do.
type ToolPlanned struct {
	CallID      string `json:"call_id"`
	PreviewKind string `json:"preview_kind,omitempty"`
	Preview     string `json:"preview,omitempty"`
	Risk        string `json:"risk,omitempty"`
}

// ToolJudged tells what policy decided.
type ToolJudged struct {
	CallID  string `json:"call_id"`
	Outcome string `json:"outcome"`
	Reason  string `json:"reason"`
}

// ApprovalAsked tells that a person has been asked.
type ApprovalAsked struct {
	CallID     string `json:"call_id"`
	ApprovalID string `json:"approval_id"`
	Subject    string `json:"subject"`
	Risk       string `json:"risk"`
}

// ApprovalDecided tells what the person decided.
type ApprovalDecided struct {
	CallID     string `json:"call_id"`
	ApprovalID string `json:"approval_id"`
	Decision   string `json:"decision"`
	// By says who decided: "person", "caller" (it gave up), "host" (it closed).
	By      string `json:"by"`
	Message string `json:"message,omitempty"`
}

// HookAnswered tells what a hook had to say, of a call or of the session itself.
type HookAnswered struct {
	CallID string `json:"call_id,omitempty"`
	// Event is when the hook ran: "pre_tool_use".
	Event string `json:"event"`
	Hook  string `json:"hook"`
	// Outcome is allow, ask or deny for a call that has not run, block for
	// anything else; empty for neither.
	Outcome  string   `json:"outcome,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Rewrote tells that it replaced the input or the result.
	Rewrote bool `json:"rewrote,omitempty"`
}

// ResultReplaced tells that the model sees something else than what the tool
// said, which is kept in a file; without a path it could not be kept.
type ResultReplaced struct {
	CallID       string `json:"call_id"`
	OriginalPath string `json:"original_path,omitempty"`
}

// ToolStarted tells that the call reached its provider.
type ToolStarted struct {
	CallID   string `json:"call_id"`
	Provider string `json:"provider"`
}

// ToolProgress tells how far a call is.
type ToolProgress struct {
	CallID   string   `json:"call_id"`
	Message  string   `json:"message"`
	Fraction *float64 `json:"fraction,omitempty"`
}

// ToolOutput is output of a call that still runs.
type ToolOutput struct {
	CallID string `json:"call_id"`
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

// HandoffStarted tells that a command went to the person's shell.
type HandoffStarted struct {
	CallID  string `json:"call_id"`
	Command string `json:"command"`
}

// HandoffEnded tells how that command ended. A nil ExitCode is unknown.
type HandoffEnded struct {
	CallID   string        `json:"call_id"`
	Status   string        `json:"status"`
	ExitCode *int          `json:"exit_code"`
	Signal   string        `json:"signal,omitempty"`
	Duration time.Duration `json:"duration"`
}

// ToolFinished closes an invocation.
type ToolFinished struct {
	CallID  string `json:"call_id"`
	Tool    string `json:"tool"`
	IsError bool   `json:"is_error"`
	// Text is what the model sees of the result.
	Text       string          `json:"text"`
	Structured json.RawMessage `json:"structured,omitempty"`
	// SpillPath is the file with the whole result, when it did not fit.
	SpillPath string        `json:"spill_path,omitempty"`
	Duration  time.Duration `json:"duration"`
}

// FindingsReported tells what a provider found in the files that a call changed,
// after the call had ended.
type FindingsReported struct {
	CallID   string `json:"call_id"`
	Provider string `json:"provider"`
	Text     string `json:"text"`
}

// PoolChanged tells that the set of tools is another one.
type PoolChanged struct {
	Revision uint64   `json:"revision"`
	Added    []string `json:"added,omitempty"`
	Removed  []string `json:"removed,omitempty"`
	// Denied are those of the removed that policy takes out.
	Denied  []string `json:"denied,omitempty"`
	Changed []string `json:"changed,omitempty"`
}

// ProviderChanged tells that a provider is in another state.
type ProviderChanged struct {
	Provider string `json:"provider"`
	State    string `json:"state"`
	Reason   string `json:"reason,omitempty"`
}

// Unknown carries an event of a type that this program does not know, so that it
// can be shown as a stub.
type Unknown struct {
	Name string          `json:"-"`
	Raw  json.RawMessage `json:"-"`
}

func (Input) Type() string            { return "input" }
func (Notice) Type() string           { return "notice" }
func (ToolCalled) Type() string       { return "tool_called" }
func (ToolPlanned) Type() string      { return "tool_planned" }
func (ToolJudged) Type() string       { return "tool_judged" }
func (ApprovalAsked) Type() string    { return "approval_asked" }
func (ApprovalDecided) Type() string  { return "approval_decided" }
func (HookAnswered) Type() string     { return "hook_answered" }
func (ResultReplaced) Type() string   { return "result_replaced" }
func (ToolStarted) Type() string      { return "tool_started" }
func (ToolProgress) Type() string     { return "tool_progress" }
func (ToolOutput) Type() string       { return "tool_output" }
func (HandoffStarted) Type() string   { return "handoff_started" }
func (HandoffEnded) Type() string     { return "handoff_ended" }
func (ToolFinished) Type() string     { return "tool_finished" }
func (FindingsReported) Type() string { return "findings_reported" }
func (PoolChanged) Type() string      { return "pool_changed" }
func (ProviderChanged) Type() string  { return "provider_changed" }
func (u Unknown) Type() string        { return u.Name }
