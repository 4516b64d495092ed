package command

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk/proctree"
)

// drainTime is how long the output of a program is still read after its end, when
// something else holds the pipes open.
const drainTime = 50 * time.Millisecond

// busyTime is the longest wait for a program that is open for writing.
const busyTime = 64 * time.Millisecond

// markVariable tells the processes of one run from all others.
const markVariable = "TOOLCRIB_HOOK_RUN"

// process is one run of a program.
type process struct {
	program *executable.File
	args    []string // with args[0]
	dir     string
	env     []string

	process *os.Process // once it is started

	// What follows is set when run has returned.
	stdout head
	stderr tail
	state  *os.ProcessState
}

// run starts the program, gives it its input, and blocks until it and everything
// that it has started is gone. The error is about starting only, unless ctx
// ended.
func (p *process) run(ctx context.Context, input []byte) error {
	pipes, err := openPipes()
	if err != nil {
		return fmt.Errorf("open pipes: %w", err)
	}
	defer pipes.close()
	started, ended := make(chan error, 1), make(chan struct{})
	go p.wait(pipes, started, ended)
	if err := <-started; err != nil {
		return err
	}
	drained := make(chan struct{}, 2)
	overflow := make(chan struct{})
	go func() {
		p.stdout.fill(pipes.stdout.r, overflow)
		drained <- struct{}{}
	}()
	go func() {
		_, _ = io.Copy(&p.stderr, pipes.stderr.r)
		drained <- struct{}{}
	}()
	written := make(chan struct{})
	go func() {
		defer close(written)
		// A program need not read its input: what cannot be written is no fault.
		_, _ = pipes.stdin.w.Write(input)
		pipes.stdin.w.Close()
	}()

	select {
	case <-ended:
	case <-ctx.Done():
		p.kill()
		<-ended
	case <-overflow:
		p.kill()
		<-ended
	}
	// Nothing reads any more, so a write must not wait.
	pipes.stdin.w.Close()
	<-written
	deadline := time.Now().Add(drainTime)
	_ = pipes.stdout.r.SetReadDeadline(deadline)
	_ = pipes.stderr.r.SetReadDeadline(deadline)
	<-drained
	<-drained
	return context.Cause(ctx)
}

// wait starts the program and waits for the end of it and of what it started. It
// keeps its thread: the kernel tells the program of the host's death when the
// thread that started it ends.
func (p *process) wait(pipes pipes, started chan<- error, ended chan<- struct{}) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	path, err := p.program.ExecPath()
	if err != nil {
		started <- err
		return
	}
	mark := markVariable + "=" + rand.Text()
	cmd, err := p.start(path, mark, pipes)
	if err != nil {
		started <- p.program.StartError(err)
		return
	}
	pipes.stdin.r.Close()
	pipes.stdout.w.Close()
	pipes.stderr.w.Close()
	p.process = cmd.Process
	started <- nil
	executable.Reap(cmd)
	executable.KillOrphans(mark)
	p.state = cmd.ProcessState
	close(ended)
}

// start waits for a program that somebody still has open for writing: a child of
// this process may, for the moment between its fork and its exec, when the program
// was written a moment ago.
func (p *process) start(path, mark string, pipes pipes) (*exec.Cmd, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		cmd := &exec.Cmd{
			Path: path, Args: p.args, Dir: p.dir, Env: append(p.env, mark),
			Stdin: pipes.stdin.r, Stdout: pipes.stdout.w, Stderr: pipes.stderr.w,
			SysProcAttr: executable.GroupAttributes(),
		}
		err := cmd.Start()
		if !errors.Is(err, syscall.ETXTBSY) || wait > busyTime {
			return cmd, err
		}
		time.Sleep(wait)
	}
}

// kill ends the program and what it has started. Whatever it cannot find is
// found by wait.
func (p *process) kill() {
	_ = proctree.KillDescendants(p.process.Pid)
	_ = p.process.Kill()
}

// pipes are the standard streams, the ends of both sides.
type pipes struct {
	stdin, stdout, stderr struct{ r, w *os.File }
}

func openPipes() (p pipes, err error) {
	for _, pipe := range []*struct{ r, w *os.File }{&p.stdin, &p.stdout, &p.stderr} {
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
