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
	mu     sync.Mutex
	lines  []string
	size   int // of lines
	cutter lineCutter
	panic  string
}

// Write never fails and never blocks.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cutter.cut(data, t.add)
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
	if len(t.cutter.partial) > 0 {
		lines = append(lines, string(t.cutter.partial))
	}
	return lines, t.panic
}

// lineCutter cuts a stream into lines, without their ends. Of a line longer than
// lineBytes only the beginning is kept.
type lineCutter struct{ partial []byte }

func (c *lineCutter) cut(data []byte, line func(string)) {
	for rest := data; len(rest) > 0; {
		part, after, ended := bytes.Cut(rest, []byte("\n"))
		rest = after
		c.partial = append(c.partial, part[:min(len(part), lineBytes-len(c.partial))]...)
		if ended {
			line(string(bytes.TrimSuffix(c.partial, []byte("\r"))))
			c.partial = c.partial[:0]
		}
	}
}
