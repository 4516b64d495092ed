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
func (h *Host) explain(found config.Diagnostics) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, found...)
}

// findings are what an error of starting a provider says of its config block.
func findings(declared config.Plugin, err error) config.Diagnostics {
	var decoded *ConfigError
	var refused *plugin.ConfigError
	switch {
	case errors.As(err, &decoded):
		return decoded.Diagnostics
	case errors.As(err, &refused):
		return said(declared, refused.Diagnostics)
	}
	return nil
}

// said are a provider's words about its config block.
func said(declared config.Plugin, about []plugin.Diagnostic) config.Diagnostics {
	var found config.Diagnostics
	for _, d := range about {
		severity := config.Error
		if d.Warning {
			severity = config.Warning
		}
		found = append(found, declared.DiagnosticAt(d.Path, severity, d.Summary, d.Detail))
	}
	return found
}
