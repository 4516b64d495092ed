package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
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

// Report tells what a reload did.
type Report struct {
	Providers   []ProviderReport   `json:"providers"`
	Diagnostics config.Diagnostics `json:"diagnostics,omitempty"`
	// Trusted is false when the workspace declares something that the person
	// has not agreed to, which was left out.
	Trusted bool `json:"trusted"`
}

// LoadConfig reads the configuration that [Open] would use. It starts nothing.
func LoadConfig(options Options) (*config.Config, config.Diagnostics) {
	return load(withDefaults(options))
}

var errClosed = errors.New("the host is closed; open the workspace again")

// EffectivePolicy reads the policy that [Open] would use: without what the person
// has not agreed to, for which request is not nil. It starts nothing. With errors
// in the configuration it is what could be made of the rest.
func EffectivePolicy(options Options) (effective *config.Config, request *trust.Request, diagnostics config.Diagnostics) {
	options = withDefaults(options)
	loaded, diagnostics := load(options)
	agreed := trust.NewStore(options.StateDir).Agree(loaded)
	return agreed.Holds(loaded), agreed.Request(), diagnostics
}

// Reload reads the configuration again and makes the host what it says. With
// errors in it, or when a file that holds is gone, the error is a *[ConfigError]
// and everything stays as it was.
func (h *Host) Reload(ctx context.Context) (*Report, error) {
	h.reload.Lock()
	defer h.reload.Unlock()
	if h.closing.Err() != nil {
		return nil, errClosed
	}
	loaded, diagnostics := load(h.options)
	diagnostics = append(diagnostics, h.gone(loaded)...)
	if diagnostics.HasErrors() {
		return nil, &ConfigError{Diagnostics: diagnostics}
	}
	return h.apply(ctx, loaded, diagnostics), nil
}

// gone tells of files that hold and that a new load does not find: an editor that
// empties a file before it writes it must not lift a workspace's rules.
func (h *Host) gone(loaded *config.Config) config.Diagnostics {
	var found config.Diagnostics
	for _, file := range h.files {
		if !slices.Contains(loaded.Files, file) {
			found = append(found, config.Diagnostic{
				Severity: config.Error, Summary: "The configuration is gone", File: file,
				Detail: "The file is missing, or has no toolcrib block any more. What it said goes on to hold. Restore it, or open the workspace again without it.",
			})
		}
	}
	return found
}

// apply makes the host what a configuration says. What is new is started beside
// what serves; policy and providers are then swapped at once, and one new pool is
// published; what was replaced ends last. The caller holds h.reload.
func (h *Host) apply(ctx context.Context, loaded *config.Config, diagnostics config.Diagnostics) *Report {
	h.files = loaded.Files
	agreed := h.store.Agree(loaded)
	effective := agreed.Holds(loaded)
	h.mu.Lock()
	h.faults, h.agreement = diagnostics, agreed
	mode := cmp.Or(h.chosen, effective.Policy.Mode)
	h.mu.Unlock()

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.closing, cancel)()
	stages := h.providers.stage(ctx, effective.Plugins, agreed)

	report := &Report{Trusted: agreed.Request() == nil}
	var gone []*plugin.Supervisor
	h.assembler.swap(func() {
		h.engine.Store(effective.Policy.Engine(mode))
		report.Providers, gone = h.providers.commit(stages)
	})
	h.providers.stopAll(gone)
	report.Diagnostics = h.Diagnostics()
	h.tell(report)
	return report
}

// tell puts what went wrong into the log, for fronts that do not print reports.
func (h *Host) tell(report *Report) {
	for _, p := range report.Providers {
		switch p.Action {
		case Failed:
			h.events.Append("", session.Notice{Level: session.Error, Text: p.Reason})
		case KeptOld:
			h.events.Append("", session.Notice{Level: session.Error, Text: fmt.Sprintf(
				"provider %q goes on as it was, because the new one failed: %s", p.Provider, p.Reason)})
		}
	}
	for _, d := range report.Diagnostics {
		var text strings.Builder
		if config.Diagnostics([]config.Diagnostic{d}).Render(&text, false) != nil {
			continue
		}
		level := session.Warning
		if d.Severity == config.Error {
			level = session.Error
		}
		h.events.Append("", session.Notice{Level: level, Text: strings.TrimSpace(text.String())})
	}
}

// decodeConfig makes a provider's configuration after the schema it reports.
func (h *Host) decodeConfig(declared config.Plugin) func(json.RawMessage) (json.RawMessage, error) {
	return func(schema json.RawMessage) (json.RawMessage, error) {
		decoded, diagnostics := declared.DecodeConfig(schema)
		if diagnostics.HasErrors() {
			return nil, &ConfigError{Diagnostics: diagnostics}
		}
		return decoded, nil
	}
}

// explain adds what is wrong with a provider's config block to the diagnostics,
// at the lines of config.hcl that it is about.
func (h *Host) explain(declared config.Plugin, err error) {
	var decoded *ConfigError
	var refused *plugin.ConfigError
	var found config.Diagnostics
	switch {
	case errors.As(err, &decoded):
		found = decoded.Diagnostics
	case errors.As(err, &refused):
		for _, d := range refused.Diagnostics {
			severity := config.Error
			if d.Warning {
				severity = config.Warning
			}
			found = append(found, declared.DiagnosticAt(d.Path, severity, d.Summary, d.Detail))
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, found...)
}
