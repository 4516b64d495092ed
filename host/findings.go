package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
)

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
