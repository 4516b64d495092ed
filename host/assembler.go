package host

import (
	"sync"
	"sync/atomic"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
)

// assembler is the one goroutine that makes pools. Whatever changes the set of
// tools wakes it; any number of wakes while it works cause one more assembly.
type assembler struct {
	pool atomic.Pointer[pool.Pool]
	// making is held during an assembly, and by whoever changes several things
	// that belong into one.
	making sync.Mutex
	wake   chan chan struct{}
	quit   chan struct{}
	done   sync.WaitGroup
}

func newAssembler() *assembler {
	a := &assembler{wake: make(chan chan struct{}, 1), quit: make(chan struct{})}
	a.pool.Store(pool.Assemble(nil, pool.View{}))
	return a
}

func (a *assembler) start(h *Host) {
	a.done.Go(func() {
		for {
			select {
			case <-a.quit:
				return
			case finished := <-a.wake:
				a.assemble(h)
				close(finished)
			}
		}
	})
}

func (a *assembler) stop() {
	close(a.quit)
	a.done.Wait()
}

// changed asks for an assembly and does not wait for it.
func (a *assembler) changed() {
	select {
	case a.wake <- make(chan struct{}):
	default: // one is asked for already and has not begun
	}
}

// refresh returns when a pool of what holds now is published.
func (a *assembler) refresh() {
	finished := make(chan struct{})
	select {
	case a.wake <- finished:
	case <-a.quit:
		return
	}
	select {
	case <-finished:
	case <-a.quit:
	}
}

// swap makes several changes that no pool shows one without the other, and
// returns when a pool that shows them is published.
func (a *assembler) swap(change func()) {
	a.making.Lock()
	change()
	a.making.Unlock()
	a.refresh()
}

func (a *assembler) assemble(h *Host) {
	a.making.Lock()
	defer a.making.Unlock()
	engine := h.engine.Load()
	next := pool.Assemble(append(h.providers.sources(), toolSearchSource()), pool.View{
		Denied: engine.DeniesTool, Loaded: h.search.loadedTools(), Finder: toolSearchName,
	})
	old := a.pool.Load()
	if next.Same(old) {
		return
	}
	next.Revision = old.Revision + 1
	a.pool.Store(next)
	diff := pool.Diff(old, next)
	if diff.Empty() {
		return // what changed can neither be called before nor after
	}
	h.events.Append("", session.PoolChanged{
		Revision: next.Revision, Added: diff.Added, Removed: diff.Removed, Changed: diff.Changed,
	})
	h.search.vanished(diff.Removed, next)
}
