package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/trust"
)

// staged is a declared provider during a reload: what is to serve is ready, and
// what served before still does.
type staged struct {
	declared   config.Plugin
	supervisor *plugin.Supervisor
	added      bool
	candidate  *plugin.Candidate // nil when nothing takes the place of what runs
	report     ProviderReport
}

// errLate is a new provider that is not ready in time. It joins when it is.
var errLate = errors.New("not ready yet; its tools come when it is")

// stage starts what plugins declare and does not run yet, beside what runs. It
// blocks until each is ready, has failed, or is late.
func (p *providers) stage(ctx context.Context, plugins []config.Plugin, agreed trust.Agreement) []staged {
	stages := make([]staged, len(plugins))
	var wait sync.WaitGroup
	for i, declared := range plugins {
		wait.Go(func() { stages[i] = p.stageOne(ctx, declared, agreed, (*plugin.Supervisor).Prepare) })
	}
	wait.Wait()
	return stages
}

// preparation is how the next process of a provider is made ready.
type preparation func(*plugin.Supervisor, context.Context, plugin.Spec) (*plugin.Candidate, error)

func (p *providers) stageOne(ctx context.Context, declared config.Plugin, agreed trust.Agreement, prepare preparation) staged {
	s := staged{declared: declared, supervisor: p.find(declared.Name), report: ProviderReport{Provider: declared.Name}}
	spec, err := p.host.spec(declared, agreed)
	switch {
	case err != nil && s.supervisor == nil:
		s.report.Action, s.report.Reason = Failed, err.Error()
	case err != nil:
		s.keepOld(err)
	case s.supervisor == nil:
		s.supervisor, s.added = plugin.NewSupervisor(spec, p.options(declared.Name)), true
		err = p.start(ctx, &s)
	default:
		err = p.replace(ctx, &s, spec, prepare)
	}
	p.host.explain(findings(declared, err))
	switch {
	case s.candidate != nil:
		p.host.explain(said(declared, s.candidate.ConfigWarnings()))
	case s.supervisor != nil && err == nil:
		p.host.explain(said(declared, s.supervisor.ConfigWarnings()))
	}
	return s
}

func (p *providers) start(ctx context.Context, s *staged) error {
	ctx, cancel := context.WithTimeoutCause(ctx, p.host.options.StartTimeout, errLate)
	defer cancel()
	s.report.Action = Added
	err := s.supervisor.Start(ctx)
	if err != nil {
		s.report.Action, s.report.Reason = Failed, err.Error()
	}
	return err
}

func (p *providers) replace(ctx context.Context, s *staged, spec plugin.Spec, prepare preparation) error {
	limit := p.host.options.StartTimeout
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it was not ready within %s", limit))
	defer cancel()
	candidate, err := prepare(s.supervisor, ctx, spec)
	switch {
	case err != nil:
		s.keepOld(err)
	case candidate != nil:
		s.candidate = candidate
		s.report.Action, s.report.Reason = Restarted, candidate.Reason()
	default:
		s.report.Action, s.report.Reason = Kept, "nothing that shapes it has changed"
	}
	return err
}

// keepOld reports that the new one did not start.
func (s *staged) keepOld(err error) {
	s.report.Action, s.report.Reason = KeptOld, err.Error()
	if s.supervisor.Status().PID == 0 {
		s.report.Action = Failed
	}
}

// commit lets all that was staged serve. Its reports are in the order of stages.
func (p *providers) commit(stages []staged) []ProviderReport {
	reports := make([]ProviderReport, len(stages))
	for i, s := range stages {
		name := s.report.Provider
		p.mu.Lock()
		p.declared[name] = s.declared
		p.mu.Unlock()
		reports[i] = s.report
		switch {
		case s.supervisor == nil:
			continue
		case s.added:
			p.mu.Lock()
			p.byName[name] = s.supervisor
			p.mu.Unlock()
		case s.candidate != nil:
			s.candidate.Commit()
		case s.report.Action == Kept:
			s.supervisor.Reset() // a reload is a person's word that it may try again
		}
		p.prepare(name)
	}
	return reports
}

// keepOnly forgets the providers that are not declared, and returns them for the
// caller to stop. Its reports are in the order of their names.
func (p *providers) keepOnly(declared []config.Plugin) (reports []ProviderReport, gone []*plugin.Supervisor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, supervisor := range p.byName {
		if slices.ContainsFunc(declared, func(d config.Plugin) bool { return d.Name == name }) {
			continue
		}
		delete(p.byName, name)
		delete(p.declared, name)
		delete(p.changed, name)
		delete(p.prepared, name)
		p.host.search.replace(name, pool.Source{})
		gone = append(gone, supervisor)
		reports = append(reports, ProviderReport{
			Provider: name, Action: Removed, Reason: "the configuration that holds does not declare it any more",
		})
	}
	slices.SortFunc(reports, func(a, b ProviderReport) int { return cmp.Compare(a.Provider, b.Provider) })
	return reports, gone
}
