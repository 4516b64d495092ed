package host

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/shape"
	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk"
)

// providers are the supervisors of a host, one for each declared provider.
type providers struct {
	host *Host

	// preparing is held from reading a provider's tools to keeping them, so
	// that an older set never replaces a newer one. It is taken before mu.
	preparing sync.Mutex

	mu     sync.Mutex
	byName map[string]*plugin.Supervisor
	// declared are the plugin blocks that hold, by name.
	declared map[string]config.Plugin
	// prepared are the tool sets, kept so that a change of one provider does
	// not prepare the tools of the others again.
	prepared map[string]pool.Source

	// changed are the providers whose tools are others than the prepared ones.
	changed map[string]bool

	checksums executable.Checksums // of the programs of all
}

func newProviders(h *Host) *providers {
	return &providers{
		host:     h,
		byName:   make(map[string]*plugin.Supervisor),
		declared: make(map[string]config.Plugin),
		prepared: make(map[string]pool.Source),
		changed:  make(map[string]bool),
	}
}

// find returns a provider; nil when there is none of that name.
func (p *providers) find(name string) *plugin.Supervisor {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byName[name]
}

// all returns the providers, sorted by name.
func (p *providers) all() []*plugin.Supervisor {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := make([]string, 0, len(p.byName))
	for name := range p.byName {
		names = append(names, name)
	}
	slices.Sort(names)
	supervisors := make([]*plugin.Supervisor, len(names))
	for i, name := range names {
		supervisors[i] = p.byName[name]
	}
	return supervisors
}

// observers are the providers that look at changed files.
func (p *providers) observers() []*plugin.Supervisor {
	return slices.DeleteFunc(p.all(), func(s *plugin.Supervisor) bool { return !s.Observes() })
}

// sources are the tool sets of all providers, and the host's own.
func (h *Host) sources() []pool.Source { return append(h.providers.sources(), toolSearchSource()) }

// sources are the tool sets of all providers.
func (p *providers) sources() []pool.Source {
	p.mu.Lock()
	defer p.mu.Unlock()
	sources := make([]pool.Source, 0, len(p.prepared))
	for _, source := range p.prepared {
		sources = append(sources, source)
	}
	return sources
}

// prepareChanged takes over the tools of all providers that have others now,
// however often they changed them. It returns what came to be doubted of the
// configuration by that.
func (p *providers) prepareChanged() config.Diagnostics {
	p.mu.Lock()
	changed := slices.Sorted(maps.Keys(p.changed))
	p.mu.Unlock()
	var doubts config.Diagnostics
	for _, name := range changed {
		doubts = append(doubts, p.prepare(name)...)
	}
	return doubts
}

// prepare takes over the tools that a provider has now. It returns what came to
// be doubted of the configuration by that.
func (p *providers) prepare(name string) config.Diagnostics {
	p.preparing.Lock()
	defer p.preparing.Unlock()
	supervisor := p.find(name)
	if supervisor == nil {
		return nil
	}
	p.mu.Lock()
	declared, before := p.declared[name], p.prepared[name]
	delete(p.changed, name) // from here on it counts as changed again
	p.mu.Unlock()
	source := supervisor.Source()
	source.Overrides = pool.Overrides(declared.Tools)
	source = source.PrepareAfter(before)
	p.host.scopes.look(source.Tools)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byName[name] != supervisor {
		return nil
	}
	p.prepared[name] = source
	p.host.search.replace(name, source)
	if source.Revision == 0 {
		return nil // its tools are not known yet
	}
	return p.host.doubt(declared, source.Unmet())
}

// stopAll stops providers at once and returns when their processes are gone.
func (p *providers) stopAll(supervisors []*plugin.Supervisor) {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var wait sync.WaitGroup
	for _, supervisor := range supervisors {
		wait.Go(func() { supervisor.Stop(ctx) })
	}
	wait.Wait()
}

// options tell a supervisor of the host, and the host of what it sees.
func (p *providers) options(name string) plugin.Options {
	h := p.host
	features := []string{sdk.FeatureQuestion}
	if h.terminal != nil {
		features = append(features, sdk.FeatureHandoff)
	}
	var told session.ProviderChanged // of this provider, whose callbacks come one at a time
	return plugin.Options{
		HostVersion: h.options.Version,
		Features:    features,
		Checksums:   &p.checksums,
		OnTools: func(source pool.Source) {
			p.mu.Lock()
			p.changed[source.Provider] = true
			p.mu.Unlock()
			h.assembler.changed()
		},
		OnStatus: func(status plugin.Status) {
			// Most changes are of how many tools it has.
			now := session.ProviderChanged{Provider: status.Name, State: string(status.State), Reason: status.Reason}
			if now != told {
				told = now
				h.events.Append("", now)
			}
		},
		OnFindings: func(found plugin.Findings) {
			h.events.Append("", session.FindingsReported{
				CallID: found.CallID, Provider: name, Text: shape.Text(plugin.Text(found.Content), h.options.ResultBytes, "").Text,
			})
		},
		OnCrash: func(crash plugin.Crash) {
			if err := h.crashes.append(crash); err != nil {
				h.logger.Warn("crash not recorded", "provider", crash.Provider, "error", err)
			}
		},
		OnStray: func(line string) {
			h.events.Append("", session.Notice{Level: session.Warning, Text: fmt.Sprintf(
				"provider %q printed on standard output, which belongs to the plugin protocol; its author should print to standard error: %s", name, line)})
		},
	}
}

// spec says how to run a declared provider.
func (h *Host) spec(declared config.Plugin, agreed trust.Agreement) (plugin.Spec, error) {
	spec := plugin.Spec{
		Name:         declared.Name,
		Kind:         pool.OriginPlugin,
		Workspace:    h.workspace,
		ConfigDigest: declared.ConfigDigest(),
		Config:       h.decodeConfig(declared),
	}
	spec.Env, spec.DroppedEnv = h.environment(declared)
	if declared.Bundled {
		i := slices.IndexFunc(h.options.Bundled, func(b Bundled) bool { return b.Name == declared.Name })
		if i < 0 {
			return spec, fmt.Errorf("this program does not serve the bundled provider %q", declared.Name)
		}
		spec.Kind, spec.Program = pool.OriginBuiltin, trust.Own(h.options.Bundled[i].Command...)
		return spec, nil
	}
	program, err := agreed.Plugin(declared)
	if err != nil {
		return spec, fmt.Errorf("start plugin %q: %w", declared.Name, err)
	}
	spec.Program = program
	return spec, nil
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

// Providers tells how each provider is, sorted by name.
func (h *Host) Providers() []plugin.Status {
	supervisors := h.providers.all()
	statuses := make([]plugin.Status, len(supervisors))
	for i, supervisor := range supervisors {
		statuses[i] = supervisor.Status()
	}
	return statuses
}
