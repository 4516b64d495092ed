package host

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
)

// ViewOptions say what one reader of a host sees. The zero value is what the
// host's own methods see.
type ViewOptions struct {
	// Coordinator leaves nothing but what other agents work for it by.
	Coordinator bool
	// Depth is how many agents are above the reader. At MaxDepth it has no tools
	// that start or drive further ones; 0 is no limit.
	Depth, MaxDepth int
	// Unattended is for a reader for whom nobody answers approvals. It does not
	// see tools that are asked about whatever the call.
	Unattended bool
}

// View is what one reader sees and may call: the model of a session, an agent
// below it, a client of a front. All views of a host are of the same tools and
// under the same policy; each has its own list, and its own loaded tools. It may
// be used from several goroutines.
type View struct {
	host     *Host
	options  ViewOptions
	pipeline *pipeline.Pipeline
	pool     atomic.Pointer[pool.Pool]
	loaded   *loadedTools
	// judgedBy is the policy that the pool was assembled under. Only who
	// assembles touches it.
	judgedBy *policy.Engine

	mu   sync.Mutex
	led  map[string]string // tools that were found and not called yet, and by which query
	gone []missingTool     // loaded tools that vanished, for the next answer of ToolSearch
	// awaited are tools that an earlier part of the session had loaded and that
	// no pool has had yet.
	awaited []string
}

func newView(h *Host, options ViewOptions, loaded *loadedTools) *View {
	v := &View{host: h, options: options, loaded: loaded, led: make(map[string]string)}
	v.awaited = loaded.list()
	v.pool.Store(pool.Assemble(nil, pool.View{}))
	return v
}

// View opens another view of the host's tools. It must be closed, and is of no
// use after the host is.
func (h *Host) View(options ViewOptions) *View {
	v := newView(h, options, &loadedTools{})
	v.pipeline = h.newPipeline(v)
	h.assembler.join(h, v)
	return v
}

// Close ends the view. Calls that are under way go on.
func (v *View) Close() { v.host.assembler.leave(v) }

// Pool is what the reader sees now. It does not change; a change publishes
// another one.
func (v *View) Pool() *pool.Pool { return v.pool.Load() }

// Invoke runs one tool of the view and blocks until it ended. See [Host.Invoke].
func (v *View) Invoke(ctx context.Context, invocation pipeline.Invocation) (*pipeline.Outcome, error) {
	outcome, err := v.pipeline.Run(ctx, invocation)
	if err == nil && !outcome.IsError {
		v.called(outcome.Tool)
		v.host.search.uses.count(outcome.Tool)
	}
	if outcome != nil && v.host.scopes.touched(outcome.Files) {
		v.host.assembler.changed()
	}
	return outcome, err
}

// narrow is the view as the pool takes it. before is the pool that it has.
func (v *View) narrow(before *pool.Pool) pool.View {
	h := v.host
	engine, settings := h.engine.Load(), h.search.settings()
	if engine != v.judgedBy {
		before, v.judgedBy = nil, engine
	}
	narrowed := pool.View{
		Denied:        engine.DeniesTool,
		Before:        before,
		Active:        h.scopes.active,
		Loaded:        v.loaded.list(),
		Finder:        toolSearchName,
		Coordinator:   v.options.Coordinator,
		Depth:         v.options.Depth,
		MaxDepth:      v.options.MaxDepth,
		VisibleTokens: settings.VisibleTokens,
	}
	if !settings.NoLearning {
		narrowed.Uses = h.search.uses.before
	}
	if v.options.Unattended {
		narrowed.Barred = engine.AsksAlways
	}
	return narrowed
}

// assemble publishes the view's pool if it is another one, and returns how it
// differs.
func (v *View) assemble(sources []pool.Source) pool.Changes {
	old := v.pool.Load()
	next := pool.Assemble(sources, v.narrow(old))
	if next.Same(old) {
		return pool.Changes{}
	}
	next.Revision = old.Revision + 1
	v.pool.Store(next)
	if _, state, _ := next.Find(toolSearchName); state == pool.Visible {
		v.host.search.wanted()
	}
	changes := pool.Diff(old, next)
	v.lose(changes.Removed, next)
	return changes
}

// lose notes which loaded tools are gone: for the model, which is told by the next
// answer of ToolSearch, and for the log. They are loaded again if they come back.
func (v *View) lose(removed []string, now *pool.Pool) {
	loaded := v.loaded.list()
	removed = slices.DeleteFunc(slices.Clone(removed), func(name string) bool { return !slices.Contains(loaded, name) })
	v.mu.Lock()
	v.awaited = slices.DeleteFunc(v.awaited, func(name string) bool { return callable(now, name) })
	v.mu.Unlock()
	v.miss(removed, now)
}

// miss tells once of each tool that is not there any more.
func (v *View) miss(names []string, now *pool.Pool) {
	for _, name := range names {
		missing := missingTool{name, now.Near(name)}
		v.mu.Lock()
		v.gone = append(v.gone, missing)
		v.mu.Unlock()
		if v == v.host.main {
			v.host.events.Append("", session.Notice{Level: session.Warning, Text: missing.lost()})
		}
	}
}

// missAwaited tells of tools that an earlier part of the session had loaded and
// that nobody offers any more. While a provider is not ready they may still come.
func (v *View) missAwaited() {
	if len(v.absent()) > 0 {
		return
	}
	v.mu.Lock()
	names := v.awaited
	v.awaited = nil
	v.mu.Unlock()
	v.miss(names, v.Pool())
}

// takeGone returns what [View.miss] noted since the last time.
func (v *View) takeGone() []missingTool {
	v.mu.Lock()
	defer v.mu.Unlock()
	gone := v.gone
	v.gone = nil
	return gone
}

// callable reports whether a reader of the pool can come to call a tool.
func callable(p *pool.Pool, name string) bool {
	_, state, _ := p.Find(name)
	return state == pool.Visible || state == pool.Deferred
}
