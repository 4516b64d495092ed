package executable

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/toolcrib/toolcrib/sdk/proctree"
)

const (
	// drainTime is how long the output of a process is still read after its end,
	// when something else holds the pipes open.
	drainTime = 50 * time.Millisecond
	// busyTime is the longest wait for a program that is open for writing.
	busyTime = 64 * time.Millisecond
)

// Run says how a program is run.
type Run struct {
	Args []string // with Args[0], its name
	Dir  string   // empty is that of the host
	Env  []string
	// Mark is a NAME=value that is added to the environment, and to that of no
	// other run. By it is found what the process leaves behind.
	Mark string
	// Input is what the process can read from its standard input; nil is the null
	// device. It need not read it.
	Input []byte
	// Stdout and Stderr read what the process prints, each in a goroutine of its
	// own, until the stream ends. They must not stop before: the process would
	// block.
	Stdout, Stderr func(io.Reader)
	// Extra are more descriptors for the process, from 3 on.
	Extra []*os.File
}

// Process is a program that was started. It leads a process group. It may be used
// from several goroutines.
type Process struct {
	process *os.Process
	ended   chan struct{}
	state   *os.ProcessState // set before ended is closed
}

// PID is the process's id.
func (p *Process) PID() int { return p.process.Pid }

// Ended is closed when the process has ended, with what it had started, and all
// that it printed has been read.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// State tells how the process has ended. It is for after Ended.
func (p *Process) State() *os.ProcessState { return p.state }

// Kill kills the process and what it has started. It does not wait for the end.
func (p *Process) Kill() error { return proctree.Kill(p.process) }

// Start starts the program. On Linux, what runs is the file that was opened. The
// caller still closes it.
func (f *File) Start(run Run) (*Process, error) {
	path, err := f.execPath()
	if err != nil {
		return nil, err
	}
	streams, err := openPipes(run.Input != nil)
	if err != nil {
		return nil, fmt.Errorf("open pipes: %w", err)
	}
	p := &Process{ended: make(chan struct{})}
	started := make(chan error, 1)
	go p.run(path, run, streams, started)
	if err := <-started; err != nil {
		return nil, f.startError(err)
	}
	return p, nil
}

// run starts the process, waits for its end, and takes down its group. It keeps
// its thread: the kernel sends the parent-death signal when the thread that
// started the child ends, not when the host does.
func (p *Process) run(path string, run Run, streams pipes, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer streams.close()
	cmd, err := start(path, run, streams)
	if err != nil {
		started <- err
		return
	}
	streams.stdin.r.Close()
	streams.stdout.w.Close()
	streams.stderr.w.Close()
	p.process = cmd.Process
	finish := streams.exchange(run)
	started <- nil

	reap(cmd)
	killOrphans(run.Mark)
	p.state = cmd.ProcessState
	finish()
	close(p.ended)
}

// start waits for a program that somebody still has open for writing: a child of
// this process may, for the moment between its fork and its exec, when the program
// was written a moment ago.
func start(path string, run Run, streams pipes) (*exec.Cmd, error) {
	for wait := time.Millisecond; ; wait *= 2 {
		cmd := &exec.Cmd{
			Path: path, Args: run.Args, Dir: run.Dir, Env: append(run.Env, run.Mark),
			Stdout: streams.stdout.w, Stderr: streams.stderr.w, ExtraFiles: run.Extra,
			SysProcAttr: groupAttributes(),
		}
		if run.Input != nil {
			cmd.Stdin = streams.stdin.r
		}
		err := cmd.Start()
		if !errors.Is(err, syscall.ETXTBSY) || wait > busyTime {
			return cmd, err
		}
		time.Sleep(wait)
	}
}
