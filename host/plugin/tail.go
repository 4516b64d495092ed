package plugin

import (
	"bytes"
	"slices"
	"strings"
	"sync"
)

const (
	tailLines = 64
	tailBytes = 16 << 10
	lineBytes = 1 << 10
)

// tail keeps the last lines of what a process printed, within tailLines and
// tailBytes, and the line that begins a Go panic, however long the stack that
// follows. Lines are cut at lineBytes. It is safe for concurrent use.
type tail struct {
	mu      sync.Mutex
	lines   []string
	size    int // of lines
	partial []byte
	panic   string
}

// Write never fails and never blocks.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for rest := data; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		t.partial = append(t.partial, line[:min(len(line), lineBytes-len(t.partial))]...)
		if ended {
			t.add(string(bytes.TrimSuffix(t.partial, []byte("\r"))))
			t.partial = t.partial[:0]
		}
	}
	return len(data), nil
}

// addLine adds a whole line.
func (t *tail) addLine(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(line[:min(len(line), lineBytes)])
}

func (t *tail) add(line string) {
	if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
		t.panic = line
	}
	t.lines = append(t.lines, line)
	t.size += len(line)
	for len(t.lines) > tailLines || t.size > tailBytes {
		t.size -= len(t.lines[0])
		t.lines = slices.Delete(t.lines, 0, 1)
	}
}

// last returns the kept lines, oldest first, and the panic; empty for none.
func (t *tail) last() (lines []string, panicLine string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines = slices.Clone(t.lines)
	if len(t.partial) > 0 {
		lines = append(lines, string(t.partial))
	}
	return lines, t.panic
}
