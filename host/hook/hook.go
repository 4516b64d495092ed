// Package hook lets code from outside have a say in what a session does: warn
// about a call, raise its risk, ask, deny or rewrite it before it runs, answer
// its approval card, add to its result, and follow the session itself.
//
// A [Hook] has one or more of the interfaces [Guard], [Approver], [Reviewer] and
// [Follower], and a [Set] asks all that have one. Their decisions are taken at
// once and merged: deny beats ask beats allow. No hook can undo a deny: the
// pipeline asks hooks only about calls that policy has not denied, and judges a
// rewritten input again.
//
// A hook that a configuration declares is made by [Declare] from an [Asker],
// which takes an event to a program (package command) or a provider, as the JSON
// that docs/hooks.md describes.
package hook

import (
	"context"
	"encoding/json"

	"github.com/toolcrib/toolcrib/host/policy"
)

// Hook is what has a say. By itself it is only a name, which people and the
// journal know it by; its other methods make it useful. They may be called from
// several goroutines at once, must return when their ctx ends, and when they
// fail, [Tolerant] says what becomes of that.
type Hook interface {
	Name() string
}

// Guard is a hook that is asked before a tool runs: more than once for one call
// when another hook rewrites its input.
type Guard interface {
	Hook
	BeforeTool(ctx context.Context, call Call) (Answer, error)
}

// Approver is a hook that is asked before a person is, about calls that need
// approval. It may deny, or allow in the person's name, and cannot rewrite. Its
// allow does not count where only a person may allow; see
// [policy.Engine.Reserved].
type Approver interface {
	Hook
	BeforeApproval(ctx context.Context, call Call) (Answer, error)
}

// Reviewer is a hook that is shown the result of a call that has run, successful
// or not, before the model is.
type Reviewer interface {
	Hook
	AfterTool(ctx context.Context, call Call, result Result) (Review, error)
}

// Follower is a hook that is told of moments in a session that are about no
// tool.
type Follower interface {
	Hook
	AtMoment(ctx context.Context, moment Moment) (Reply, error)
}

// OnError says what becomes of a call when a hook fails.
type OnError string

const (
	// Block denies a call that has not run, keeps the result of one that has
	// from the model, and refuses a prompt. It is the default.
	Block OnError = "block"
	// Warn lets it go on, with a warning.
	Warn OnError = "warn"
)

// Tolerant is a hook that chooses what becomes of a call when it fails.
type Tolerant interface {
	Hook
	OnError() OnError
}

// Call is what a hook is told of a call.
type Call struct {
	SessionID string
	RunID     string
	CallID    string
	Workspace string // absolute
	Tool      string
	Input     json.RawMessage
	// Decision is what policy says of the call as it was asked for.
	Decision policy.Decision
}

// Answer is what a hook says of a call that has not run. The zero value has no
// opinion.
type Answer struct {
	// Outcome is allow, ask, deny, or nothing.
	Outcome policy.Outcome
	// Reason says why; it is shown to people and, with a deny, to the model.
	Reason string
	// Warnings are shown on the approval card and in the transcript.
	Warnings []string
	// Risk raises the risk of the call, and RiskReason says why. A lower risk
	// than policy found is ignored.
	Risk       policy.Risk
	RiskReason string
	// Input replaces the call's input; nil leaves it. It must be a JSON object.
	Input json.RawMessage
	// Context is told to the model with the call's result.
	Context string
}

// Merged is what all hooks together say of a call that has not run.
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
	// Notes are for the model, each with its hook's name.
	Notes []string
	// Reports are about the hooks that had something to say.
	Reports []Report
}

// Report is what one hook had to say, for the record.
type Report struct {
	Hook string
	// Outcome is allow, ask or deny for a call that has not run, block for
	// anything else; empty for neither.
	Outcome  string
	Reason   string
	Warnings []string
	// Rewrote tells that it replaced the input or the result.
	Rewrote bool
}

// empty reports whether there is nothing to record.
func (r Report) empty() bool {
	return r.Outcome == "" && len(r.Warnings) == 0 && !r.Rewrote
}
