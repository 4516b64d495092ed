package executable

import (
	"io"
	"os"
	"sync"
	"time"
)

// pipes are the standard streams, the ends of both sides.
type pipes struct {
	stdin, stdout, stderr struct{ r, w *os.File }
}

// openPipes leaves out that of the input of a process that has none.
func openPipes(input bool) (p pipes, err error) {
	opened := []*struct{ r, w *os.File }{&p.stdout, &p.stderr}
	if input {
		opened = append(opened, &p.stdin)
	}
	for _, pipe := range opened {
		if pipe.r, pipe.w, err = os.Pipe(); err != nil {
			p.close()
			return p, err
		}
	}
	return p, nil
}

func (p pipes) close() {
	for _, f := range []*os.File{p.stdin.r, p.stdin.w, p.stdout.r, p.stdout.w, p.stderr.r, p.stderr.w} {
		f.Close() // closing twice, or a nil file, is an error and no more
	}
}

// exchange begins to write the input and to read the output of a process. What it
// returns is for after the end of the process: it blocks until both are done,
// for drainTime at the most.
func (p pipes) exchange(run Run) (finish func()) {
	var readers, writer sync.WaitGroup
	readers.Go(func() { run.Stdout(untilExit{p.stdout.r}) })
	readers.Go(func() { run.Stderr(untilExit{p.stderr.r}) })
	writer.Go(func() {
		// A program need not read its input: what cannot be written is no fault.
		_, _ = p.stdin.w.Write(run.Input)
		p.stdin.w.Close()
	})
	return func() {
		p.stdin.w.Close() // nothing reads any more, so a write must not wait
		writer.Wait()
		deadline := time.Now().Add(drainTime)
		_ = p.stdout.r.SetReadDeadline(deadline)
		_ = p.stderr.r.SetReadDeadline(deadline)
		readers.Wait()
	}
}

// untilExit reads a pipe whose writers may outlive the process: a deadline that
// passed is the end of it.
type untilExit struct{ pipe io.Reader }

func (r untilExit) Read(p []byte) (int, error) {
	n, err := r.pipe.Read(p)
	if err != nil {
		err = io.EOF
	}
	return n, err
}
