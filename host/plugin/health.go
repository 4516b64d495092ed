package plugin

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// A process that has ended is seen at once and needs no probe. One that lives and
// does nothing, stopped or in a deadlock, looks like one with a long call, until
// silentCalls in a row, plans among them, had no answer when their time and their
// grace were over. Then it is asked to describe itself, which costs a healthy
// provider nothing.
const silentCalls = 2

// heard takes note that g answered, or that a call to it ran out of time.
func (s *Supervisor) heard(g *generation, answered bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if answered {
		g.silent = 0
		return
	}
	if g.process.attached != nil {
		return // its person has halted it, with a debugger
	}
	g.silent++
	if g.silent >= silentCalls && !g.probing && s.life.Err() == nil {
		g.probing = true
		s.work.Go(func() { s.probe(g) })
	}
}

// probe kills a provider that does not answer. Its end is then a crash like any
// other: calls that wait for it are told, and the next one starts it again.
func (s *Supervisor) probe(g *generation) {
	limit := s.options.ProbeTimeout
	ctx, cancel := context.WithTimeout(g.life, limit)
	defer cancel()
	_, err := g.rpc.Describe(ctx, &proto.DescribeRequest{HostVersion: s.options.HostVersion, HostFeatures: s.options.Features})
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		_ = g.process.killFor(fmt.Sprintf("%d calls in a row ran out of time, and it did not answer a request to describe itself within %s", silentCalls, limit))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g.silent, g.probing = 0, false
}
