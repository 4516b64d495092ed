package plugin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/toolcrib/toolcrib/host/executable"
)

// Candidate is a generation that is ready and does not serve yet. Exactly one of
// Commit and Discard ends it.
type Candidate struct {
	supervisor *Supervisor
	generation *generation
	reason     string
}

// Reason says in one line why what serves is to be replaced.
func (c *Candidate) Reason() string { return c.reason }

// ConfigWarnings are what the provider finds doubtful in its config block.
func (c *Candidate) ConfigWarnings() []Diagnostic { return slices.Clone(c.generation.warnings) }

// Prepare starts what spec declares beside the generation that serves, and
// returns when it is configured and its tools are known. It returns nil when
// spec would start what already runs. When it fails, nothing has changed.
func (s *Supervisor) Prepare(ctx context.Context, spec Spec) (*Candidate, error) {
	return s.prepare(ctx, spec, "")
}

// PrepareAnew is Prepare, and starts another process also when spec would start
// what already runs; reason says why then.
func (s *Supervisor) PrepareAnew(ctx context.Context, spec Spec, reason string) (*Candidate, error) {
	return s.prepare(ctx, spec, reason)
}

// prepare leaves what runs as it is when that is what spec would start, unless
// otherwise is a reason to start it anew.
func (s *Supervisor) prepare(ctx context.Context, spec Spec, otherwise string) (*Candidate, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	program, err := executable.Open(spec.Program, s.options.Checksums)
	if err != nil {
		return nil, fmt.Errorf("start plugin %q: %w", spec.Name, err)
	}
	defer program.Close()
	fingerprint, err := spec.fingerprint(program.SHA256())
	if err != nil {
		return nil, err
	}
	reason := cmp.Or(s.outdated(fingerprint, spec, program.SHA256()), otherwise)
	if reason == "" {
		return nil, nil
	}
	g, err := s.launch(ctx, spec, program)
	if err != nil {
		return nil, err
	}
	return &Candidate{supervisor: s, generation: g, reason: reason}, nil
}

// outdated says why what runs is not what spec and the checksum of its program
// shape; empty when it is.
func (s *Supervisor) outdated(fingerprint string, spec Spec, sum string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || !s.current.alive() {
		return "it was not running"
	}
	if s.current.fingerprint == fingerprint {
		// The last reload may have wanted another, which failed.
		s.wanted = Program{Command: spec.Program.Command(), Version: s.version, SHA256: s.sum}
		return ""
	}
	old := s.current.spec
	var changed []string
	for _, part := range []struct {
		name string
		same bool
	}{
		{"program", s.sum == sum && old.Program.Path() == spec.Program.Path()},
		{"arguments", slices.Equal(old.Program.Args(), spec.Program.Args())},
		{"environment", maps.Equal(old.Env, spec.Env)},
		{"config block", old.ConfigDigest == spec.ConfigDigest},
		{"working directory", old.Dir == spec.Dir && old.Workspace == spec.Workspace},
		{"origin", old.Kind == spec.Kind},
	} {
		if !part.same {
			changed = append(changed, part.name)
		}
	}
	return "changed: " + strings.Join(changed, ", ")
}

// Commit lets the candidate serve new calls. The generation before it finishes
// its own and is then stopped, which Commit does not wait for. Crashes of the
// past are forgotten.
func (c *Candidate) Commit() {
	s, g := c.supervisor, c.generation
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.life.Err() != nil {
		s.work.Go(g.discard)
		return
	}
	old := s.current
	s.spec = g.spec
	s.recent, s.notBefore = nil, time.Time{}
	s.install(g)
	if old != nil {
		old.drain()
		s.work.Go(func() { s.retire(old) })
	}
}

// Discard ends the candidate; what served before goes on.
func (c *Candidate) Discard() { c.generation.discard() }

// Replace is Prepare and Commit in one. It reports whether anything changed.
func (s *Supervisor) Replace(ctx context.Context, spec Spec) (bool, error) {
	candidate, err := s.Prepare(ctx, spec)
	if candidate == nil {
		return false, err
	}
	candidate.Commit()
	return true, nil
}

// retire stops a replaced generation when its calls are over.
func (s *Supervisor) retire(g *generation) {
	timer := time.NewTimer(s.options.DrainTimeout)
	defer timer.Stop()
	select {
	case <-g.idle:
	case <-g.process.exited:
	case <-timer.C:
	case <-s.life.Done():
	}
	g.stop(s.options.StopGrace)
}

// release gives a lease back.
func (s *Supervisor) release(g *generation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g.leases--
	if g.draining && g.leases == 0 {
		close(g.idle)
	}
}

// drain lets no further lease keep g; the supervisor's mu is held.
func (g *generation) drain() {
	g.draining = true
	if g.leases == 0 {
		close(g.idle)
	}
}
