package shape

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// Buffer is a writer that keeps the beginning and the end of what is written to
// it, as much as a budget allows, and counts the rest. It holds about twice the
// budget in memory, however much is written. Writes never fail. A Buffer is
// not safe for use by several goroutines.
type Buffer struct {
	budget       int
	head, tail   []byte
	bytes, lines int64
}

var _ io.Writer = (*Buffer)(nil)

// NewBuffer returns a buffer for a text of at most budget bytes. A budget below
// 0 is 0.
func NewBuffer(budget int) *Buffer { return &Buffer{budget: max(budget, 0)} }

// Write keeps what the budget has room for. It returns len(p) and nil.
func (b *Buffer) Write(p []byte) (int, error) {
	b.bytes += int64(len(p))
	b.lines += int64(bytes.Count(p, []byte("\n")))
	n := len(p)

	toHead := min(b.headSize()-len(b.head), len(p))
	b.head = append(b.head, p[:toHead]...)
	p = p[toHead:]

	size := b.tailSize()
	if len(p) >= size {
		b.tail = append(b.tail[:0], p[len(p)-size:]...)
		return n, nil
	}
	// The tail may grow to twice its size before it is moved, so that a byte is
	// moved about once however small the writes are.
	for len(p) > 0 {
		if len(b.tail) == 2*size {
			b.tail = b.tail[:copy(b.tail, b.tail[size:])]
		}
		k := min(len(p), 2*size-len(b.tail))
		b.tail = append(b.tail, p[:k]...)
		p = p[k:]
	}
	return n, nil
}

// headSize is the whole budget, of which a tiny one leaves nothing to a tail,
// and what it takes to see whether it ends inside a character.
func (b *Buffer) headSize() int { return b.budget + utf8.UTFMax }

// tailSize is half of the budget; the marker needs some of it too.
func (b *Buffer) tailSize() int { return b.budget / 2 }

// Len returns how many bytes were written.
func (b *Buffer) Len() int64 { return b.bytes }

// Lines returns how many line ends were written.
func (b *Buffer) Lines() int64 { return b.lines }

// Shaped returns what was written, as [Text] would shape it. More can be
// written afterwards.
func (b *Buffer) Shaped(spillPath string) Shaped {
	if int64(len(b.head)+len(b.tail)) == b.bytes {
		return Text(string(b.head)+string(b.tail), b.budget, spillPath)
	}
	ends := excerpt{head: string(b.head), tail: string(b.tail), bytes: b.bytes, lines: b.lines}
	return ends.fit(b.budget, spillPath)
}
