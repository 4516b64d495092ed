package policy

import "github.com/toolcrib/toolcrib/host/pool"

// Outcome is what happens to a call.
type Outcome string

const (
	Allow Outcome = "allow"
	Ask   Outcome = "ask"
	Deny  Outcome = "deny"
)

// Stricter returns the stricter of two outcomes: deny, then ask, then allow.
// The zero value is the least strict.
func Stricter(a, b Outcome) Outcome {
	if b.rank() > a.rank() {
		return b
	}
	return a
}

func (o Outcome) rank() int {
	switch o {
	case Allow:
		return 1
	case Ask:
		return 2
	case Deny:
		return 3
	}
	return 0
}

// Subject is one thing a call acts on.
type Subject struct {
	Kind   pool.SubjectKind `json:"kind"`
	Value  string           `json:"value"`
	Access pool.Access      `json:"access,omitempty"`
}

// Call is what is judged. The host fills Subjects from the tool's declared
// fields and from its provider's plan.
type Call struct {
	// Tool is the name that rules match.
	Tool        string
	Origin      pool.Origin
	Annotations pool.Annotations
	Subjects    []Subject
	// Workspace is the absolute path of the workspace; removing it is critical.
	Workspace string
}

// commands returns the shell commands that the call would run.
func (c Call) commands() []string {
	var commands []string
	for _, subject := range c.Subjects {
		if subject.Kind == pool.SubjectCommand {
			commands = append(commands, subject.Value)
		}
	}
	return commands
}

// Decision is the answer to one call.
type Decision struct {
	Outcome Outcome `json:"outcome"`
	// Reason says why, for a person or a model.
	Reason string `json:"reason"`
	// Rule is the rule that decided; nil when none did.
	Rule       *Rule  `json:"rule,omitempty"`
	Risk       Risk   `json:"risk"`
	RiskReason string `json:"risk_reason"`
}
