package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolcrib/toolcrib/host/hook"
)

const (
	// maxStderrBytes is how much of the end of standard error is kept.
	maxStderrBytes = 4 << 10
	// blockStatus is the exit status of a hook that blocks, with its reason on
	// standard error.
	blockStatus = 2
)

// output is what a program has printed.
type output struct {
	stdout head
	stderr tail
}

// answer is what the program said, judged by how it has ended.
func (o *output) answer(ended *os.ProcessState) ([]byte, error) {
	said := strings.TrimSpace(strings.ToValidUTF8(string(o.stderr.kept), "\uFFFD"))
	switch {
	case o.stdout.over:
		return nil, fmt.Errorf("it printed more than %d KiB on standard output", maxOutputBytes>>10)
	case ended.ExitCode() == blockStatus:
		return nil, &hook.BlockedError{Reason: said}
	case ended.Success():
		return o.stdout.kept, nil
	case said != "":
		return nil, fmt.Errorf("%w: %s: %s", errExit, ended, said)
	}
	return nil, fmt.Errorf("%w: %s", errExit, ended)
}

// errExit is a program that ended without an answer.
var errExit = errors.New("it ended without an answer")

// head keeps the beginning of a stream, up to maxOutputBytes.
type head struct {
	kept []byte
	over bool // there was more
}

// fill reads a stream to its end, and closes overflow when there is more than is
// kept.
func (h *head) fill(stream io.Reader, overflow chan<- struct{}) {
	h.kept, _ = io.ReadAll(io.LimitReader(stream, maxOutputBytes+1))
	if len(h.kept) <= maxOutputBytes {
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
