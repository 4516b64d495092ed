// Package hook lets code from outside have a say in a call before it runs: warn,
// raise its risk, ask, deny, or rewrite its input.
//
// [Run] asks all hooks at once and merges what they answer. Deny beats ask beats
// allow, and no hook can undo a deny: the pipeline asks hooks only about calls
// that policy has not denied, and judges a rewritten input again.
package hook

import (
	"context"
	"encoding/json"

	"github.com/toolcrib/toolcrib/host/policy"
)

// What a hook may want of a call, besides nothing.
const (
	Allow = policy.Allow
	Ask   = policy.Ask
	Deny  = policy.Deny
)

// Hook is asked before a tool runs.
//
// BeforeTool may be called from several goroutines at once, and more than once
// for one call when another hook rewrites its input. It must return when ctx
// ends. An error is dealt with as the hook's [OnError] says.
type Hook interface {
	// Name is what people and the journal know the hook by.
	Name() string
	BeforeTool(ctx context.Context, call Call) (Answer, error)
}

// OnError says what becomes of a call when a hook fails.
type OnError string

const (
	// Block denies the call. It is the default.
	Block OnError = "block"
	// Warn lets the call go on, with a warning on its card.
	Warn OnError = "warn"
)

// Tolerant is a hook that chooses what becomes of a call when it fails.
type Tolerant interface {
	Hook
	OnError() OnError
}

// Call is what a hook is told.
type Call struct {
	SessionID string          `json:"session_id"`
	RunID     string          `json:"run_id"`
	CallID    string          `json:"call_id"`
	Workspace string          `json:"workspace"`
	Tool      string          `json:"tool"`
	Input     json.RawMessage `json:"input"`
	// Decision is what policy says of the call as it was asked for.
	Decision policy.Decision `json:"decision"`
}

// Answer is what a hook says. The zero value has no opinion.
type Answer struct {
	// Outcome is allow, ask, deny, or nothing.
	Outcome policy.Outcome
	// Reason says why; it is shown to people and, with a deny, to the model.
	Reason string
	// Warnings are shown on the approval card.
	Warnings []string
	// Risk raises the risk of the call, and RiskReason says why. A lower risk
	// than policy found is ignored.
	Risk       policy.Risk
	RiskReason string
	// Input replaces the call's input; nil leaves it. It must be a JSON object.
	Input json.RawMessage
}

// Merged is what all hooks together say.
type Merged struct {
	// Outcome is the strictest answer; empty when no hook has an opinion.
	Outcome policy.Outcome
	Reason  string
	// By names the hook that decided; empty when none did.
	By string
	// Warnings of all hooks in declared order, each with its hook's name.
	Warnings []string
	// Risk is the highest answer; empty when no hook raised it. RiskReason
	// names the hook.
	Risk       policy.Risk
	RiskReason string
	// Input is the rewritten input; nil when no hook rewrote it.
	Input json.RawMessage
}
