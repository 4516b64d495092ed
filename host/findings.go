package host

import (
	"errors"
	"slices"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
)

// Diagnostics are the findings of the last load of the configuration, and of
// what providers said of their config blocks.
func (h *Host) Diagnostics() config.Diagnostics {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(config.Diagnostics(nil), h.faults...)
}

// explain adds what is wrong with a provider's config block to the diagnostics,
// at the lines of config.hcl that it is about.
func (h *Host) explain(found config.Diagnostics) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.faults = append(h.faults, found...)
}

// find adds to the findings of the last load. It reports whether that is news.
func (h *Host) find(d config.Diagnostic) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if slices.ContainsFunc(h.faults, d.Equal) {
		return false
	}
	h.faults = append(h.faults, d)
	return true
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
