package pipeline

import (
	"fmt"
	"strings"
)

// Code says why an invocation did not give a result. Codes are stable: fronts
// and programs branch on them.
type Code string

const (
	UnknownTool    Code = "unknown_tool"    // no tool of that name
	ToolDeferred   Code = "tool_deferred"   // it exists and has to be loaded first
	ToolDenied     Code = "tool_denied"     // policy hides it from everybody
	ToolHidden     Code = "tool_hidden"     // it cannot be used; the reason says why
	InvalidInput   Code = "invalid_input"   // the input does not fit the schema or the plan
	PolicyDenied   Code = "policy_denied"   // a rule or a hook said no
	PersonDenied   Code = "person_denied"   // the person said no
	Cancelled      Code = "cancelled"       // the caller or the person gave up
	NobodyToAsk    Code = "nobody_to_ask"   // it needs approval and no front is there
	Moved          Code = "moved"           // a link was changed between judging and running
	TimedOut       Code = "timed_out"       // the deadline passed
	ProviderFailed Code = "provider_failed" // the provider crashed, would not start, or broke the protocol
)

// Refusal is an invocation that ended without a result of its tool. Its text is
// written for a model as well as for a person: what happened, then what to do.
type Refusal struct {
	Code  Code
	Stage Stage
	Tool  string
	// Reason is what happened, in one line or more.
	Reason string
	// Hint says what the caller can do next. It is never empty.
	Hint string
	// Err is the cause, when there is one.
	Err error
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %s: %s", r.Tool, r.Stage, r.Reason)
}

func (r *Refusal) Unwrap() error { return r.Err }

// Text is the refusal as a model reads it.
func (r *Refusal) Text() string {
	return r.Reason + "\nhint: " + r.Hint
}

// orList joins names as "A, B or C".
func orList(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
