package sdk

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// offer is what a provider offers at the moment. Its zero value offers nothing.
type offer struct {
	mu        sync.Mutex
	tools     map[string]Tool
	set       *proto.ToolSet // nil before the first set
	upstreams map[string]*proto.UpstreamStatus
	findings  []*proto.LateFindings // not sent yet, the oldest first
	// changed is closed at the next change; nil when nobody waits for one.
	changed chan struct{}
}

// Upstream is something that a provider depends on: an MCP server, a language
// server.
type Upstream struct {
	Name  string
	State UpstreamState
	// Reason says why it failed.
	Reason string
}

// UpstreamState says how an upstream is.
type UpstreamState string

const (
	UpstreamConnecting UpstreamState = "connecting"
	UpstreamReady      UpstreamState = "ready"
	UpstreamFailed     UpstreamState = "failed"
)

// Update replaces all tools of the provider, while it serves. The host is told,
// and calls of tools that are gone are answered with an error. It fails, and
// changes nothing, when a tool has no name or two have the same. It may be
// called from several goroutines.
func (p *Provider) Update(tools []Tool) error {
	byName := make(map[string]Tool, len(tools))
	described := make([]*proto.Tool, 0, len(tools))
	for _, tool := range tools {
		spec := tool.Spec()
		if spec.Name == "" {
			return fmt.Errorf("a tool has no name (its description is %q); set sdk.Spec.Name", spec.Description)
		}
		if _, taken := byName[spec.Name]; taken {
			return fmt.Errorf("two tools are named %q; rename one of them", spec.Name)
		}
		d, err := describeTool(tool, spec)
		if err != nil {
			return fmt.Errorf("describe tool %q: %w", spec.Name, err)
		}
		byName[spec.Name] = tool
		described = append(described, d)
	}
	o := &p.offer
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tools = byName
	o.set = &proto.ToolSet{Revision: o.set.GetRevision() + 1, Tools: described}
	o.announce()
	return nil
}

// SetUpstream tells how an upstream is. The host shows it wherever it lists the
// provider. It may be called from several goroutines.
func (p *Provider) SetUpstream(u Upstream) {
	o := &p.offer
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.upstreams == nil {
		o.upstreams = make(map[string]*proto.UpstreamStatus)
	}
	o.upstreams[u.Name] = &proto.UpstreamStatus{Name: utf8(u.Name), State: string(u.State), Reason: utf8(u.Reason)}
	o.announce()
}

// maxFindings bounds the findings that wait for a host that does not take them.
const maxFindings = 256

// ReportFindings tells the host what was found in the files of a call after
// Observe answered that it was pending. Of many that the host does not take, the
// oldest are dropped. It may be called from several goroutines.
func (p *Provider) ReportFindings(callID string, content ...Content) {
	o := &p.offer
	o.mu.Lock()
	defer o.mu.Unlock()
	o.findings = append(o.findings, &proto.LateFindings{CallId: utf8(callID), Content: protoContent(content)})
	if extra := len(o.findings) - maxFindings; extra > 0 {
		o.findings = slices.Delete(o.findings, 0, extra)
	}
	o.announce()
}

// takeFindings returns the findings that were not sent yet.
func (o *offer) takeFindings() []*proto.LateFindings {
	o.mu.Lock()
	defer o.mu.Unlock()
	findings := o.findings
	o.findings = nil
	return findings
}

// announce wakes who waits for a change. o.mu is held.
func (o *offer) announce() {
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
}

// find returns the tool of that name, or an error for a model.
func (o *offer) find(name string) (Tool, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if tool, ok := o.tools[name]; ok {
		return tool, nil
	}
	names := slices.Sorted(maps.Keys(o.tools))
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no tool %q: the provider offers none at the moment", name)
	}
	return nil, fmt.Errorf("there is no tool %q; the provider's tools are %s", name, strings.Join(names, ", "))
}

// current returns the tool set, the state of every upstream, and a channel that
// is closed when either changed. The messages must not be modified.
func (o *offer) current() (*proto.ToolSet, map[string]*proto.UpstreamStatus, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed == nil {
		o.changed = make(chan struct{})
	}
	return o.set, maps.Clone(o.upstreams), o.changed
}
