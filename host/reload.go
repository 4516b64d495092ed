package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
)

var errClosed = errors.New("the host is closed; open the workspace again")

// Reload reads the configuration again and makes the host what it says. With
// errors in it, or when a file that holds is gone, the error is a *[ConfigError]
// and everything stays as it was.
func (h *Host) Reload(ctx context.Context) (*Report, error) {
	h.reload.Lock()
	defer h.reload.Unlock()
	loaded, diagnostics, err := h.reread()
	if err != nil {
		return nil, err
	}
	return h.apply(ctx, loaded, diagnostics), nil
}

// reread loads the configuration again; the caller holds h.reload.
func (h *Host) reread() (*config.Config, config.Diagnostics, error) {
	if h.closing.Err() != nil {
		return nil, nil, errClosed
	}
	loaded, diagnostics := load(h.options)
	diagnostics = append(diagnostics, h.gone(loaded)...)
	if diagnostics.HasErrors() {
		h.refused = faultsOf(diagnostics)
		return nil, nil, &ConfigError{Diagnostics: diagnostics}
	}
	h.refused = ""
	return loaded, diagnostics, nil
}

// gone tells of files that hold and that a new load does not find: an editor that
// empties a file before it writes it must not lift a workspace's rules.
func (h *Host) gone(loaded *config.Config) config.Diagnostics {
	var found config.Diagnostics
	for _, file := range h.latest.Files {
		if !slices.Contains(loaded.Files, file) {
			found = append(found, config.Diagnostic{
				Severity: config.Error, Summary: "The configuration is gone", File: file,
				Detail: "The file is missing, or has no toolcrib block any more. What it said goes on to hold. Restore it, or open the workspace again without it.",
			})
		}
	}
	if loaded.Workspace != h.workspace {
		found = append(found, config.Diagnostic{
			Severity: config.Error, Summary: "The workspace would be another one",
			Detail: fmt.Sprintf("A file makes %s the workspace, and %s is open. Open the workspace again to go there.", loaded.Workspace, h.workspace),
		})
	}
	return found
}

// apply makes the host what a configuration says. What is new is started beside
// what serves; policy and providers are then swapped at once, and one new pool is
// published; what was replaced ends last. The caller holds h.reload.
func (h *Host) apply(ctx context.Context, loaded *config.Config, diagnostics config.Diagnostics) *Report {
	agreed := h.store.Agree(loaded)
	h.latest = loaded
	h.mu.Lock()
	h.faults, h.agreement = diagnostics, agreed
	h.mu.Unlock()
	if h.holds != nil && agreed.Request() != nil && h.store.Stands(h.workspace, h.inForce) {
		return h.postpone(loaded)
	}
	before := h.effective()
	h.holds, h.inForce = loaded, agreed
	effective := h.effective()

	ctx, cancel := h.whileOpen(ctx)
	defer cancel()
	stages := h.providers.stage(ctx, effective.Plugins, agreed)
	declared := h.hooks.stage(effective, agreed)

	report := &Report{Trusted: agreed.Request() == nil, Settings: settingChanges(before, effective)}
	var gone []*plugin.Supervisor
	h.assembler.swap(func() {
		h.engine.Store(effective.Policy.Engine(h.modeOf(effective)))
		h.hooks.declared.Store(declared)
		h.search.configure(effective.Pool)
		report.Providers = h.providers.commit(stages)
		removed, stopped := h.providers.keepOnly(effective.Plugins)
		report.Providers, gone = append(report.Providers, removed...), stopped
	})
	h.providers.stopAll(gone)
	report.Diagnostics = h.Diagnostics()
	h.tell(report)
	h.hooks.await(ctx, h.hooks.begin())
	return report
}

// postpone leaves what the person has agreed to as it is, since the new
// configuration starts or allows what they have not. What makes policy stricter
// in it holds at once.
func (h *Host) postpone(loaded *config.Config) *Report {
	before := h.effective()
	stricter := before.Policy
	stricter.Rules = append(slices.Clone(stricter.Rules), loaded.Restricted().Policy.Rules...)
	h.engine.Store(stricter.Engine(h.modeOf(before)))
	h.assembler.refresh()
	return &Report{Providers: []ProviderReport{}, Diagnostics: h.Diagnostics()}
}

// effective is the part that holds of the configuration; nil before there is one.
// The caller holds h.reload.
func (h *Host) effective() *config.Config {
	if h.holds == nil {
		return nil
	}
	return h.inForce.Holds(h.holds)
}

// modeOf is the mode that was chosen, else that of a configuration.
func (h *Host) modeOf(c *config.Config) policy.Mode {
	h.mu.Lock()
	defer h.mu.Unlock()
	return cmp.Or(h.chosen, c.Policy.Mode)
}

// whileOpen is a context that ends when the host closes, too.
func (h *Host) whileOpen(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(h.closing, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}
