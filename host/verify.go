package host

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk"
)

// UntrustedError tells that something was not done because the person has not
// agreed to what the workspace starts.
type UntrustedError struct {
	Workspace string
	// Left is what was not done, as in "its providers were not started".
	Left string
}

func (e *UntrustedError) Error() string {
	return fmt.Sprintf("%s is not trusted, so %s", e.Workspace, e.Left)
}

// Hint says what to do next.
func (e *UntrustedError) Hint() string { return "see what it starts and agree with `toolcrib trust`" }

// Verify reads the configuration, and starts every provider that it declares for
// what only a provider can tell: whether its config block fits its schema, what it
// says of the values, and whether it has the tools that are spoken of. It stops
// them again and returns all findings, those of the files first. The error is an
// *[UntrustedError] when the person has not agreed to what would be started; then
// nothing was. ctx bounds the starts.
func Verify(ctx context.Context, options Options) (config.Diagnostics, error) {
	options = withDefaults(options)
	loaded, diagnostics := load(options)
	if diagnostics.HasErrors() {
		return diagnostics, nil
	}
	agreed := trust.NewStore(options.StateDir).Agree(loaded)
	if agreed.Request() != nil {
		return diagnostics, &UntrustedError{Workspace: loaded.Workspace, Left: "its providers were not started"}
	}
	// A host of which only that is used by which providers are started.
	h := &Host{options: options, workspace: loaded.Workspace, events: session.NewLog("verify", time.Now), faults: diagnostics}
	var wait sync.WaitGroup
	found := make([]config.Diagnostics, len(loaded.Plugins))
	for i, declared := range loaded.Plugins {
		wait.Go(func() { found[i] = h.verify(ctx, declared, agreed) })
	}
	wait.Wait()
	return append(diagnostics, slices.Concat(found...)...), ctx.Err()
}

// verify starts one provider, and stops it.
func (h *Host) verify(ctx context.Context, declared config.Plugin, agreed trust.Agreement) config.Diagnostics {
	notStarted := func(err error) config.Diagnostics {
		if found := findings(declared, err); len(found) > 0 {
			return found
		}
		return config.Diagnostics{declared.DiagnosticAt(nil, config.Error, fmt.Sprintf("Plugin %q does not start", declared.Name), err.Error())}
	}
	spec, err := h.spec(declared, agreed)
	if err != nil {
		return notStarted(err)
	}
	supervisor := plugin.NewSupervisor(spec, plugin.Options{
		HostVersion: h.options.Version, Features: []string{sdk.FeatureQuestion}, StartTimeout: h.options.StartTimeout,
	})
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		supervisor.Stop(ctx)
	}()
	if err := supervisor.Start(ctx); err != nil {
		return notStarted(err)
	}
	source := supervisor.Source()
	source.Overrides = pool.Overrides(declared.Tools)
	return append(said(declared, supervisor.ConfigWarnings()), h.doubt(declared, source.Prepare().Unmet())...)
}
