package command

import "io"

// head keeps the beginning of a stream, up to MaxOutputBytes.
type head struct {
	kept []byte
	over bool // there was more
}

// fill reads a stream to its end, and closes overflow when there is more than is
// kept.
func (h *head) fill(stream io.Reader, overflow chan<- struct{}) {
	h.kept, _ = io.ReadAll(io.LimitReader(stream, MaxOutputBytes+1))
	if len(h.kept) <= MaxOutputBytes {
		return
	}
	h.over, h.kept = true, nil
	close(overflow)
	_, _ = io.Copy(io.Discard, stream)
}

// tail keeps the end of a stream, up to maxStderrBytes.
type tail struct{ kept []byte }

// Write never fails.
func (t *tail) Write(data []byte) (int, error) {
	t.kept = append(t.kept, data...)
	if excess := len(t.kept) - maxStderrBytes; excess > 0 {
		t.kept = append(t.kept[:0], t.kept[excess:]...)
	}
	return len(data), nil
}
