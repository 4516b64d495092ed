package host

import (
	"slices"
	"sync"
	"time"

	"github.com/toolcrib/toolcrib/host/session"
)

// rebuildPause is the least time between an assembly and one that only providers
// cause, so that one that changes its tools all the time does not keep the host
// busy. What a person or a model does is never delayed.
const rebuildPause = 50 * time.Millisecond

// assembler is the one goroutine that makes pools. Whatever changes the set of
// tools wakes it; any number of wakes while it works cause one more assembly.
type assembler struct {
	// making is held during an assembly, and by whoever changes several things
	// that belong into one. It guards views.
	making sync.Mutex
	views  []*View
	wake   chan chan struct{}
	// touched has a token when a provider has other tools.
	touched chan struct{}
	quit    chan struct{}
	done    sync.WaitGroup
}

func newAssembler() *assembler {
	return &assembler{wake: make(chan chan struct{}, 1), touched: make(chan struct{}, 1), quit: make(chan struct{})}
}

func (a *assembler) start(h *Host) {
	a.done.Go(func() {
		var last time.Time
		var due <-chan time.Time // of an assembly that waits; nil for none
		for {
			select {
			case <-a.quit:
				return
			case <-a.touched:
				if due == nil {
					due = time.After(time.Until(last.Add(rebuildPause)))
				}
				continue
			case finished := <-a.wake:
				a.assemble(h)
				close(finished)
			case <-due:
				a.assemble(h)
			}
			last, due = time.Now(), nil
		}
	})
}

func (a *assembler) stop() {
	close(a.quit)
	a.done.Wait()
}

// changed tells that a provider has other tools, and does not wait.
func (a *assembler) changed() {
	select {
	case a.touched <- struct{}{}:
	default: // an assembly that has not begun takes this one in
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

// join gives a view its first pool, and one with every change from now on.
func (a *assembler) join(h *Host, v *View) {
	a.making.Lock()
	defer a.making.Unlock()
	a.views = append(a.views, v)
	v.assemble(h.sources())
}

func (a *assembler) leave(v *View) {
	a.making.Lock()
	defer a.making.Unlock()
	a.views = slices.DeleteFunc(a.views, func(other *View) bool { return other == v })
}

// assemble makes the pools of all views of what the providers have now. The
// session is told of the host's own.
func (a *assembler) assemble(h *Host) {
	a.making.Lock()
	defer a.making.Unlock()
	doubts := h.providers.prepareChanged()
	sources := h.sources()
	for _, v := range a.views {
		changes := v.assemble(sources)
		if v != h.main || changes.Empty() {
			continue // what changed can neither be called before nor after
		}
		h.events.Append("", session.PoolChanged{
			Revision: v.Pool().Revision, Added: changes.Added, Removed: changes.Removed,
			Denied: changes.Denied, Changed: changes.Changed,
		})
	}
	h.hooks.late()
	h.tell(&Report{Diagnostics: doubts})
}
