package policy

import (
	"encoding/json"
	"path/filepath"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Outcome is what happens to a call.
type Outcome string

const (
	Allow Outcome = "allow"
	Ask   Outcome = "ask"
	Deny  Outcome = "deny"
	// None is the answer to rules alone where none of them decides; see
	// [Engine.JudgeRules].
	None Outcome = "none"
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
	// Input is the call's input, for rules about its fields; nil matches none.
	Input json.RawMessage
	// Workspace is the absolute path of the workspace, where relative paths and
	// shell commands start.
	Workspace string
	// Home is the absolute path of the person's home directory; empty leaves
	// "~" unknown.
	Home string
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

// fields are the top-level fields of the input; nil when there are none.
func (c Call) fields() map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if len(c.Input) == 0 || json.Unmarshal(c.Input, &fields) != nil {
		return nil
	}
	return fields
}

// start is the folder that the call's shell commands start in.
func (c Call) start() string {
	var dir string
	if raw, ok := c.fields()["dir"]; !ok || json.Unmarshal(raw, &dir) != nil || dir == "" {
		return c.Workspace
	}
	if filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(c.Workspace, dir)
}

// Basis says what a decision rests on.
type Basis string

const (
	ByRule      Basis = "rule"
	ByTrusted   Basis = "trusted_command"
	ByReadOnly  Basis = "read_only_command"
	ByProtected Basis = "protected_path"
	ByCritical  Basis = "critical_command"
	ByAnalysis  Basis = "analysis" // what runs is not known
	ByMode      Basis = "mode"
)

// Decision is the answer to one call.
type Decision struct {
	Outcome Outcome `json:"outcome"`
	// Reason says why, for a person or a model.
	Reason string `json:"reason"`
	// Basis is what kind of reason it is; empty for [None].
	Basis Basis `json:"basis,omitempty"`
	// Rule is the rule that decided; nil when none did.
	Rule       *Rule  `json:"rule,omitempty"`
	Risk       Risk   `json:"risk"`
	RiskReason string `json:"risk_reason"`
	// Footing is where the call's paths led when it was judged. Before the call
	// runs, [Footing.Moved] tells whether they still do.
	Footing Footing `json:"-"`
}
