package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin/runner"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proctree"
)

const (
	// drainTime is how long the output of a process is still read after its
	// end, when something else holds the pipes open.
	drainTime = 50 * time.Millisecond
	// killTime bounds the wait for a killed process; longer takes only one
	// that hangs in the kernel.
	killTime = 2 * time.Second
	// lifelineFD is the first of exec.Cmd's ExtraFiles.
	lifelineFD = 3
)

// process runs one program for go-plugin. A goroutine of its own starts it and
// waits for it; see run.
type process struct {
	program *executable.File
	args    []string // with args[0]
	dir     string
	env     []string
	mark    string // the variable that this process and no other passes on

	stderr    *tail
	stray     *tail // what was printed on standard output
	onStray   func(line string)
	handshake *io.PipeReader

	mu      sync.Mutex
	pid     int    // 0 before the start; not changed after
	killed  bool   // by us; a process that was killed before its start never starts
	reason  string // for killing it; empty for a stop
	version string // of the protocol, as the handshake announced; empty before

	attached *attached // nil for a process of ours

	// exited is closed when the process has ended, its group is gone, and what
	// it printed has been read. state is set before.
	exited chan struct{}
	state  *os.ProcessState
}

var _ runner.Runner = (*process)(nil)

// newProcess makes a process that is not started. runDir belongs to it alone.
func newProcess(program *executable.File, spec Spec, runDir string, stray func(line string)) *process {
	dir := spec.Dir
	if dir == "" {
		dir = spec.Workspace
	}
	mark := sdk.RunDirEnv + "=" + runDir
	return &process{
		program: program,
		args:    spec.Program.Command(),
		dir:     dir,
		env:     append(executable.Environment(os.Environ(), spec.Env), mark),
		mark:    mark,
		stderr:  &tail{},
		stray:   &tail{},
		onStray: stray,
		exited:  make(chan struct{}),
	}
}

// pipes are the ends of the host and, for a moment, those of the process.
type pipes struct {
	stdout, stderr, lifeline struct{ r, w *os.File }
}

func openPipes() (p pipes, err error) {
	for _, pipe := range []*struct{ r, w *os.File }{&p.stdout, &p.stderr, &p.lifeline} {
		if pipe.r, pipe.w, err = os.Pipe(); err != nil {
			p.close()
			return p, err
		}
	}
	return p, nil
}

func (p pipes) close() {
	for _, f := range []*os.File{p.stdout.r, p.stdout.w, p.stderr.r, p.stderr.w, p.lifeline.r, p.lifeline.w} {
		f.Close() // closing twice, or a nil file, is an error and no more
	}
}

// Start starts the process. It does not outlive the host; ctx does not end it.
func (p *process) Start(context.Context) error {
	defer p.program.Close()
	path, err := p.program.ExecPath()
	if err != nil {
		return err
	}
	pipes, err := openPipes()
	if err != nil {
		return fmt.Errorf("open pipes: %w", err)
	}
	cmd := &exec.Cmd{
		Path: path, Args: p.args, Dir: p.dir,
		Env:         append(p.env, sdk.LifelineEnv+"="+strconv.Itoa(lifelineFD)),
		Stdout:      pipes.stdout.w,
		Stderr:      pipes.stderr.w,
		ExtraFiles:  []*os.File{pipes.lifeline.r},
		SysProcAttr: executable.GroupAttributes(),
	}
	started := make(chan error, 1)
	go p.run(cmd, pipes, started)
	return <-started
}

// run starts the process, waits for its end, and takes down its group. It keeps
// its thread: the kernel sends the parent-death signal when the thread that
// started the child ends, not when the host does.
func (p *process) run(cmd *exec.Cmd, pipes pipes, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer pipes.close()
	if err := p.launch(cmd); err != nil {
		started <- err
		return
	}
	pipes.stdout.w.Close()
	pipes.stderr.w.Close()
	pipes.lifeline.r.Close()

	handshake, toClient := io.Pipe()
	p.handshake = handshake
	drained := make(chan struct{}, 2)
	go func() {
		drainStdout(untilExit{pipes.stdout.r}, &announcement{toClient, p}, p.strayLine)
		drained <- struct{}{}
	}()
	go func() {
		_, _ = io.Copy(p.stderr, untilExit{pipes.stderr.r})
		drained <- struct{}{}
	}()
	started <- nil

	executable.Reap(cmd)
	executable.KillOrphans(p.mark)
	p.state = cmd.ProcessState

	deadline := time.Now().Add(drainTime)
	_ = pipes.stdout.r.SetReadDeadline(deadline)
	_ = pipes.stderr.r.SetReadDeadline(deadline)
	<-drained
	<-drained
	close(p.exited)
	// Only now, so that go-plugin cannot take the silence of a process that is
	// about to end for one that must be killed.
	toClient.Close()
}

func (p *process) launch(cmd *exec.Cmd) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return errKilledBeforeStart
	}
	if err := cmd.Start(); err != nil {
		return p.program.StartError(err)
	}
	p.pid = cmd.Process.Pid
	return nil
}

var errKilledBeforeStart = errors.New("the start was given up")

func (p *process) strayLine(line string) {
	line = line[:min(len(line), lineBytes)]
	p.stray.addLine(line)
	p.stderr.addLine("stdout: " + line)
	p.onStray(line)
}

// announced is the protocol version of the handshake; empty before it.
func (p *process) announced() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version
}

// Kill ends the process and everything it started. It returns once the process
// is gone, at the latest after killTime. One that is not ours is left alone.
func (p *process) Kill(context.Context) error {
	if p.attached != nil {
		p.attached.detach()
		return nil
	}
	select {
	case <-p.exited:
		return nil
	default:
	}
	p.mu.Lock()
	p.killed = true
	pid := p.pid
	p.mu.Unlock()
	if pid == 0 {
		return nil
	}
	err := proctree.KillDescendants(pid)
	if killErr := syscall.Kill(pid, syscall.SIGKILL); killErr != nil && !errors.Is(killErr, syscall.ESRCH) {
		err = errors.Join(err, killErr)
	}
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case <-p.exited:
		return nil // whatever could not be signalled is gone
	case <-timer.C:
		return errors.Join(fmt.Errorf("process %d does not end", pid), err)
	}
}

// killFor is Kill with a reason for whoever asks how the process ended.
func (p *process) killFor(reason string) error {
	p.mu.Lock()
	if !p.killed {
		p.reason = reason
	}
	p.mu.Unlock()
	return p.Kill(context.Background())
}

func (p *process) wasKilled() (killed bool, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.killed, p.reason
}

// Wait blocks until the process has ended.
func (p *process) Wait(ctx context.Context) error {
	select {
	case <-p.exited:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Stdout carries the handshake line only.
func (p *process) Stdout() io.ReadCloser { return p.handshake }

// Stderr is empty: the process's own goes to the tail without passing go-plugin.
func (p *process) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

func (p *process) Name() string { return p.args[0] }

func (p *process) ID() string { return strconv.Itoa(p.pid) }

// Diagnose adds nothing: an error of ours tells more.
func (p *process) Diagnose(context.Context) string { return "" }

func (p *process) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

func (p *process) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
