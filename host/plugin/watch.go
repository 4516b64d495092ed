package plugin

import (
	"cmp"
	"maps"
	"slices"

	"google.golang.org/protobuf/proto"

	protocol "github.com/toolcrib/toolcrib/sdk/proto"
)

// maxUpstreams bounds what a provider can have the host remember.
const maxUpstreams = 256

// opened takes the checksum of what is to run, before it is known to work.
func (s *Supervisor) opened(spec Spec, sum string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = Program{Command: spec.Program.Command(), SHA256: sum}
}

// described takes what a process says it is.
func (s *Supervisor) described(g *generation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = Program{Command: g.spec.Program.Command(), Version: g.version, SHA256: g.process.program.SHA256()}
}

// maxStray bounds how many lines on standard output are told of.
const maxStray = 16

// printed takes a line that a provider printed on standard output. It may print
// the same line for each call and after each start; once is enough to mend it.
func (s *Supervisor) printed(line string) {
	s.mu.Lock()
	told := s.stray[line] || len(s.stray) >= maxStray
	if !told {
		if s.stray == nil {
			s.stray = make(map[string]bool)
		}
		s.stray[line] = true
		s.newStray = append(s.newStray, line)
	}
	s.mu.Unlock()
	if !told {
		s.notify()
	}
}

// toolsChanged takes a tool set that g sent. A set older than the last is late
// and is dropped.
func (s *Supervisor) toolsChanged(g *generation, set *protocol.ToolSet) {
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	if g.tools != nil && set.GetRevision() <= g.tools.GetRevision() {
		return
	}
	g.tools = set
	if s.current == g {
		s.publish(g)
	}
}

// publish makes the tools of g the provider's, if they differ; mu is held.
func (s *Supervisor) publish(g *generation) {
	if s.tools != nil && sameTools(s.tools, g.tools) && s.source.Kind == g.spec.Kind {
		return
	}
	s.tools = g.tools
	s.source.Revision++
	s.source.Provider, s.source.Kind = g.spec.Name, g.spec.Kind
	s.source.Tools = toolsOf(g.tools)
	s.newTools, s.newStatus = true, true
}

func sameTools(a, b *protocol.ToolSet) bool {
	return slices.EqualFunc(a.GetTools(), b.GetTools(), func(a, b *protocol.Tool) bool { return proto.Equal(a, b) })
}

// upstreamChanged takes the state of an upstream that g sent.
func (s *Supervisor) upstreamChanged(g *generation, u *protocol.UpstreamStatus) {
	defer s.notify()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := g.upstreams[u.GetName()]; !known && len(g.upstreams) >= maxUpstreams {
		return
	}
	if g.upstreams == nil {
		g.upstreams = make(map[string]Upstream)
	}
	g.upstreams[u.GetName()] = Upstream{Name: u.GetName(), State: u.GetState(), Reason: u.GetReason()}
	s.newStatus = s.newStatus || s.current == g
}

// upstreamList is ordered by name; the supervisor's mu is held.
func (g *generation) upstreamList() []Upstream {
	return slices.SortedFunc(maps.Values(g.upstreams), func(a, b Upstream) int { return cmp.Compare(a.Name, b.Name) })
}

// foundLate takes what an observer found after its answer was pending.
func (s *Supervisor) foundLate(findings *protocol.LateFindings) {
	s.mu.Lock()
	s.newFindings = append(s.newFindings, Findings{CallID: findings.GetCallId(), Content: contentOf(findings.GetContent())})
	s.mu.Unlock()
	s.notify()
}
