// Package approval puts questions to a person: a queue of requests, the decision
// of each, and the journal that keeps them.
//
// A [Broker] has one queue for all callers. Every request gets exactly one
// decision, also when its caller gives up, the session ends, or nobody is there
// to answer.
package approval

import (
	"encoding/json"
	"time"
)

// Kind says what is asked.
type Kind string

const (
	KindTool     Kind = "tool"     // may this tool run
	KindShell    Kind = "shell"    // may this command run in the person's shell
	KindQuestion Kind = "question" // a tool asks the person something
)

// Request is one question to a person. It is immutable once asked.
type Request struct {
	// ID is given by the broker, unique in the process.
	ID     string `json:"id"`
	RunID  string `json:"run_id"`
	CallID string `json:"call_id"`
	Kind   Kind   `json:"kind"`
	Tool   string `json:"tool"`
	// Origin says where the tool comes from, for a person: "builtin", "plugin words".
	Origin    string          `json:"origin"`
	InvokedBy string          `json:"invoked_by"`
	Input     json.RawMessage `json:"input"`
	// Subject is the one line that says what the call acts on.
	Subject    string `json:"subject"`
	Risk       string `json:"risk"` // low, medium, high, critical
	RiskReason string `json:"risk_reason,omitempty"`
	// Reason says why a person is asked.
	Reason      string   `json:"reason"`
	PreviewKind string   `json:"preview_kind,omitempty"` // diff, command, text
	Preview     string   `json:"preview,omitempty"`
	Warnings    []string `json:"warnings,omitempty"`
	// Question is set when Kind is KindQuestion.
	Question *Question `json:"question,omitempty"`
	Asked    time.Time `json:"asked"`
}

// Question is what a running tool asks.
type Question struct {
	Text          string   `json:"text"`
	Options       []Option `json:"options,omitempty"`
	AllowFreeText bool     `json:"allow_free_text,omitempty"`
	MultiSelect   bool     `json:"multi_select,omitempty"`
}

// Option is one offered answer.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Verdict is what a person decided. The zero value is no decision.
type Verdict string

const (
	Allow  Verdict = "allow"
	Deny   Verdict = "deny"
	Cancel Verdict = "cancel" // the card was closed; the call does not run
)

// Decision answers a request.
type Decision struct {
	Verdict Verdict `json:"verdict"`
	// Message goes to the model with a denial.
	Message string `json:"message,omitempty"`
	// By names who decided: "person", "caller" (it gave up), "host" (it closed).
	By string `json:"by"`
	// Selected and Text answer a question.
	Selected []int     `json:"selected,omitempty"`
	Text     string    `json:"text,omitempty"`
	At       time.Time `json:"at"`
}

// Record is one line of the journal: a request and its decision.
type Record struct {
	Request  Request  `json:"request"`
	Decision Decision `json:"decision"`
}
