package tui

import "sync"

// mailbox takes work for the goroutine that owns the screen. Posting never
// blocks, also when that goroutine is gone; what is posted while it draws is
// done together, with one redraw.
type mailbox struct {
	mu    sync.Mutex
	posts []func()
	// full holds a token while there is something to do.
	full chan struct{}
}

func newMailbox() *mailbox { return &mailbox{full: make(chan struct{}, 1)} }

// post adds work. It may be called from any goroutine.
func (m *mailbox) post(f func()) {
	m.mu.Lock()
	m.posts = append(m.posts, f)
	m.mu.Unlock()
	select {
	case m.full <- struct{}{}:
	default:
	}
}

// run does what was posted, in order.
func (m *mailbox) run() {
	m.mu.Lock()
	posts := m.posts
	m.posts = nil
	m.mu.Unlock()
	for _, f := range posts {
		f()
	}
}
