package terminal

import (
	"io"
	"sync"
)

// maxBacklog bounds what was read and is not yet drawn; a program that prints
// faster waits.
const maxBacklog = 256 << 10

// backlog gathers what a terminal gives in small reads, so that a flood is
// drawn in large pieces. One goroutine fills it, one takes.
type backlog struct {
	mu      sync.Mutex
	changed sync.Cond
	filled  []byte
	spare   []byte
	err     error
}

func newBacklog() *backlog {
	b := &backlog{}
	b.changed.L = &b.mu
	return b
}

// fill reads r until its end.
func (b *backlog) fill(r io.Reader) {
	buf := make([]byte, 32<<10)
	for {
		n, err := r.Read(buf)
		b.mu.Lock()
		for len(b.filled) > maxBacklog {
			b.changed.Wait()
		}
		b.filled = append(b.filled, buf[:n]...)
		b.err = err
		b.changed.Signal()
		b.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// take waits for something and returns all there is. The slice is valid until
// the next take. The error comes after everything was taken.
func (b *backlog) take() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.filled) == 0 && b.err == nil {
		b.changed.Wait()
	}
	if len(b.filled) == 0 {
		return nil, b.err
	}
	p := b.filled
	b.filled, b.spare = b.spare[:0], p
	b.changed.Signal()
	return p, nil
}
