package host

import (
	"context"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/plugin"
)

// UnknownProviderError is a name that no provider in force has.
type UnknownProviderError struct {
	Name string
	// Known are the names of those in force.
	Known []string
	// Waiting tells that it is declared and waits for the person's trust.
	Waiting bool
}

func (e *UnknownProviderError) Error() string { return fmt.Sprintf("there is no provider %q", e.Name) }

// Hint says what to do next.
func (e *UnknownProviderError) Hint() string {
	switch {
	case e.Waiting:
		return "it waits for your trust: answer the card in the session, or type /trust there"
	case len(e.Known) == 0:
		return "declare it in config.hcl"
	}
	return "there are " + strings.Join(e.Known, ", ") + "; a new one is read from config.hcl by /reload"
}

// ReloadProvider starts a provider anew beside the process that serves and lets
// the new one serve, also when nothing that shapes it has changed. A provider that
// crashed or was disabled runs again. Calls on the old process finish there. The
// configuration is not read again. A name that no provider has is an
// *[UnknownProviderError].
func (h *Host) ReloadProvider(ctx context.Context, name string) (*Report, error) {
	h.reload.Lock()
	defer h.reload.Unlock()
	if h.closing.Err() != nil {
		return nil, errClosed
	}
	effective := h.effective()
	declared, ok := effective.Plugin(name)
	if !ok {
		unknown := &UnknownProviderError{Name: name}
		for _, p := range effective.Plugins {
			unknown.Known = append(unknown.Known, p.Name)
		}
		_, unknown.Waiting = h.latest.Plugin(name)
		return nil, unknown
	}
	h.surveyAgain()

	ctx, cancel := h.whileOpen(ctx)
	defer cancel()
	before := h.Diagnostics()
	stages := []staged{h.providers.stageOne(ctx, declared, h.inForce, prepareAnew)}
	report := &Report{Trusted: h.TrustRequest() == nil, Diagnostics: h.Diagnostics()[len(before):]}
	h.mu.Lock()
	h.faults = before // they are of the last load of everything
	h.mu.Unlock()
	h.assembler.swap(func() { report.Providers = h.providers.commit(stages) })
	h.tell(report)
	return report, nil
}

// surveyAgain looks whether what is on disk is still what the person agreed to.
// What they have to agree to anew is asked; the rest may be started again.
func (h *Host) surveyAgain() {
	agreed := h.store.Agree(h.latest)
	h.mu.Lock()
	h.agreement = agreed
	h.mu.Unlock()
	if h.latest == h.holds && agreed.Request() == nil {
		h.inForce = agreed
	}
}

func prepareAnew(s *plugin.Supervisor, ctx context.Context, spec plugin.Spec) (*plugin.Candidate, error) {
	return s.PrepareAnew(ctx, spec, "it was to be started anew")
}
