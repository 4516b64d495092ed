package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/session"
)

// followConfig takes over changes of the configuration's files until the host
// closes.
func (h *Host) followConfig() {
	watch := watchConfig(h.configFiles, func(err error) {
		h.events.Append("", session.Notice{Level: session.Warning, Text: fmt.Sprintf(
			"changes of the configuration are looked for every %s, since its folders cannot be watched (%v); /reload reads it at once", pollInterval, err)})
	})
	defer watch.close()
	settled(h.closing, watch.touched, func() {
		watch.follow() // before reading, so that no change is missed
		h.configTouched()
	})
}

// configFiles are the files that may hold the configuration, whether they exist
// or not.
func (h *Host) configFiles() []string {
	h.reload.Lock()
	defer h.reload.Unlock()
	return append(config.Candidates(h.workspace, h.options.UserConfig), h.latest.Files...)
}

// configTouched takes over what the files say now, unless that has errors or is
// what they said before, and tells the session.
func (h *Host) configTouched() {
	h.reload.Lock()
	defer h.reload.Unlock()
	refused := h.refused
	loaded, diagnostics, err := h.reread()
	var invalid *ConfigError
	switch {
	case errors.As(err, &invalid):
		if h.refused != refused {
			h.tellRefused(invalid.Diagnostics)
		}
	case err != nil: // the host is closed
	case loaded.Digest() != h.latest.Digest():
		h.tellCommitted(h.apply(h.closing, loaded, diagnostics), refused != "")
	case refused != "":
		h.events.Append("", session.Notice{Level: session.Info, Text: "the configuration is good again, and says what holds"})
	}
}

func (h *Host) tellRefused(found config.Diagnostics) {
	var text strings.Builder
	_ = found.Render(&text, false) // a Builder takes everything
	h.events.Append("", session.Notice{Level: session.Error, Text: "the changed configuration is refused, and what held before goes on to hold:\n" + strings.TrimSpace(text.String())})
}

// tellCommitted tells what a change of the files did.
func (h *Host) tellCommitted(report *Report, wasRefused bool) {
	heading := "the configuration changed"
	if wasRefused {
		heading = "the configuration is good again"
	}
	if len(report.Changes()) == 0 && !wasRefused {
		return // it was only written otherwise
	}
	h.events.Append("", session.Notice{Level: session.Info, Text: report.Text(heading)})
}

// faultsOf identifies what is wrong, wherever in the file it moves.
func faultsOf(found config.Diagnostics) string {
	var faults []string
	for _, d := range found {
		faults = append(faults, strings.Join([]string{string(d.Severity), d.File, d.Summary, d.Detail, d.Snippet}, "\x00"))
	}
	return strings.Join(faults, "\x01")
}
