package terminal

import (
	"io"
	"sync"
)

// maxInput bounds what waits for a program that does not read: a person's keys
// beyond it are refused, replies to device queries are dropped.
const (
	maxInput   = 4 << 20
	maxReplies = 64 << 10
)

// input is the queue of bytes for the shell. Writers never wait for the
// terminal: a program that does not read must stall neither the person's front
// nor the emulator. One goroutine writes.
type input struct {
	mu      sync.Mutex
	ready   sync.Cond
	queue   []byte
	held    []byte // a person's keys while a handoff is being typed
	holding bool
	closed  bool
	done    chan struct{}
}

// startInput begins to write what is queued to w, until close.
func startInput(w io.Writer) *input {
	in := &input{done: make(chan struct{})}
	in.ready.L = &in.mu
	go in.run(w)
	return in
}

func (in *input) run(w io.Writer) {
	defer close(in.done)
	for {
		in.mu.Lock()
		for len(in.queue) == 0 && !in.closed {
			in.ready.Wait()
		}
		p := in.queue
		in.queue = nil
		closed := in.closed
		in.mu.Unlock()
		if closed {
			return
		}
		if _, err := w.Write(p); err != nil {
			in.shut()
			return
		}
	}
}

// typed queues a person's keys. It reports false when they do not fit or the
// shell is gone.
func (in *input) typed(p []byte) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed || len(in.queue)+len(in.held)+len(p) > maxInput {
		return false
	}
	if in.holding {
		in.held = append(in.held, p...)
		return true
	}
	in.push(p)
	return true
}

// sent queues the host's own bytes, ahead of a person's held keys.
func (in *input) sent(p []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.push(p)
}

// reply queues an answer to a device query, or drops it.
func (in *input) reply(p []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.queue)+len(p) <= maxReplies {
		in.push(p)
	}
}

func (in *input) push(p []byte) {
	if in.closed {
		return
	}
	in.queue = append(in.queue, p...)
	in.ready.Signal()
}

// hold keeps a person's keys back until release, so that none falls into the
// middle of a line that the host types.
func (in *input) hold() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.holding = true
}

func (in *input) release() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.holding = false
	in.push(in.held)
	in.held = nil
}

func (in *input) shut() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.ready.Signal()
}

// close stops the writer and waits for it. The terminal must be closed by then
// or be readable, or a write in progress does not end.
func (in *input) close() {
	in.shut()
	<-in.done
}
