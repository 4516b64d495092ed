package plugin

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/hashicorp/go-plugin/runner"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/client"
	"github.com/toolcrib/toolcrib/sdk/environ"
)

const (
	// killTime bounds the wait for a killed process; longer takes only one
	// that hangs in the kernel.
	killTime = 2 * time.Second
	// lifelineFD is the first of [executable.Run.Extra].
	lifelineFD = 3
)

// process runs one program for go-plugin.
type process struct {
	client.Local

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
	running *executable.Process // nil before the start; not changed after
	pid     int                 // 0 before the start; not changed after
	killed  bool                // by us; a process that was killed before its start never starts
	reason  string              // for killing it; empty for a stop
	version string              // of the protocol, as the handshake announced; empty before

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
	return &process{
		program: program,
		args:    spec.Program.Command(),
		dir:     dir,
		env:     environ.Of(os.Environ(), spec.Env),
		mark:    sdk.RunDirEnv + "=" + runDir,
		stderr:  &tail{},
		stray:   &tail{},
		onStray: stray,
		exited:  make(chan struct{}),
	}
}

// Start starts the process. It does not outlive the host; ctx does not end it.
func (p *process) Start(context.Context) error {
	defer p.program.Close()
	lifeline, held, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("open pipes: %w", err)
	}
	defer lifeline.Close()
	handshake, toClient := io.Pipe()
	p.handshake = handshake
	running, err := p.launch(executable.Run{
		Args: p.args, Dir: p.dir, Mark: p.mark,
		Env:    append(p.env, sdk.LifelineEnv+"="+strconv.Itoa(lifelineFD)),
		Stdout: func(out io.Reader) { drainStdout(out, &announcement{toClient, p}, p.strayLine) },
		Stderr: func(out io.Reader) { _, _ = io.Copy(p.stderr, out) },
		Extra:  []*os.File{lifeline},
	})
	if err != nil {
		held.Close()
		return err
	}
	go func() {
		<-running.Ended()
		held.Close()
		p.state = running.State()
		close(p.exited)
		// Only now, so that go-plugin cannot take the silence of a process that is
		// about to end for one that must be killed.
		toClient.Close()
	}()
	return nil
}

func (p *process) launch(run executable.Run) (*executable.Process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return nil, errKilledBeforeStart
	}
	running, err := p.program.Start(run)
	if err != nil {
		return nil, err
	}
	p.running, p.pid = running, running.PID()
	return running, nil
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
	running := p.running
	p.mu.Unlock()
	if running == nil {
		return nil
	}
	err := running.Kill()
	timer := time.NewTimer(killTime)
	defer timer.Stop()
	select {
	case <-p.exited:
		return nil // whatever could not be signalled is gone
	case <-timer.C:
		return errors.Join(fmt.Errorf("process %d does not end", running.PID()), err)
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

func (p *process) Name() string { return p.args[0] }

func (p *process) ID() string { return strconv.Itoa(p.pid) }
