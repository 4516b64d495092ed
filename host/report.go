package host

import (
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
)

// Action is what a reload did to a provider.
type Action string

const (
	Kept      Action = "kept"
	Restarted Action = "restarted"
	Added     Action = "added"
	Removed   Action = "removed"
	Failed    Action = "failed"
	// KeptOld: the new one would not start, so the old one still serves.
	KeptOld Action = "kept_old"
)

// ProviderReport tells what a reload did to one provider, and why.
type ProviderReport struct {
	Provider string `json:"provider"`
	Action   Action `json:"action"`
	Reason   string `json:"reason,omitempty"`
}

// String is the report in a line: "words restarted: changed: program".
func (p ProviderReport) String() string {
	text := p.Provider + " " + strings.ReplaceAll(string(p.Action), "_", " ")
	if p.Reason != "" {
		text += ": " + p.Reason
	}
	return text
}

// Report tells what a reload did.
type Report struct {
	// Settings are the changes of what is no provider, one a line.
	Settings    []string           `json:"settings,omitempty"`
	Providers   []ProviderReport   `json:"providers"`
	Diagnostics config.Diagnostics `json:"diagnostics,omitempty"`
	// Trusted is false when the workspace declares something that the person
	// has not agreed to. It was left out; where the person had agreed to what
	// the workspace declared before, that goes on to hold until they agree.
	Trusted bool `json:"trusted"`
}

// Changes are what the reload changed or could not change, one a line.
func (r *Report) Changes() []string {
	var lines []string
	lines = append(lines, r.Settings...)
	for _, p := range r.Providers {
		if p.Action != Kept {
			lines = append(lines, p.String())
		}
	}
	if !r.Trusted {
		lines = append(lines, "what is new waits for your trust: answer the card in the session, or type /trust there")
	}
	return lines
}

// Failed reports whether a provider is not what the configuration wants.
func (r *Report) Failed() bool {
	for _, p := range r.Providers {
		if p.Action == Failed || p.Action == KeptOld {
			return true
		}
	}
	return false
}

// Text is the report under a heading, as a person reads it.
func (r *Report) Text(heading string) string {
	lines := r.Changes()
	if len(lines) == 0 {
		return heading + ", and nothing else is to be done"
	}
	return heading + ":\n" + strings.Join(lines, "\n")
}
