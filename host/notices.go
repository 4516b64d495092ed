package host

import (
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
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

// notice tells of something once in the session, however often it is found.
func (h *Host) notice(text string) {
	if _, told := h.told.LoadOrStore(text, true); !told {
		h.events.Append("", session.Notice{Level: session.Info, Text: text})
	}
}
