package conformance

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin/runner"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/client"
	"github.com/toolcrib/toolcrib/sdk/environ"
	"github.com/toolcrib/toolcrib/sdk/proctree"
)

const (
	// drainTime is how long output is read after the end of the process, when
	// something else holds the pipes open.
	drainTime = time.Second
	// killTime bounds the wait for a killed process.
	killTime = 2 * time.Second
	// lifelineFD is the first of exec.Cmd's ExtraFiles.
	lifelineFD = 3
	// maxLine bounds a line of output; the handshake line has a certificate.
	maxLine = 64 << 10
)

// stdinProbe waits in the standard input of the process for nobody to read it.
const stdinProbe = "not for the provider\n"

// process runs a command as a host does: its own group, a short environment, a
// lifeline. Unlike a host it gives the process a standard input with something
// in it, to see whether it is read.
type process struct {
	client.Local

	cmd *exec.Cmd

	stdin, lifeline struct{ r, w *os.File }
	toClient        *io.PipeWriter
	fromProcess     *io.PipeReader

	// shaken is closed when the process has printed its handshake line, and
	// exited when it has ended and its output has been read.
	shaken, exited chan struct{}

	mu        sync.Mutex
	started   bool // not changed once Start has returned
	killed    bool // a process that was killed before its start never starts
	handshake string
	stray     []string // lines on stdout that are no handshake
	stderr    []string // the last ones
}

var _ runner.Runner = (*process)(nil)

func newProcess(command []string, dir string, env map[string]string) *process {
	p := &process{cmd: exec.Command(command[0], command[1:]...), shaken: make(chan struct{}), exited: make(chan struct{})}
	p.cmd.Dir = dir
	p.cmd.Env = environ.Of(os.Environ(), env)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.fromProcess, p.toClient = io.Pipe()
	return p
}

// Start starts the process; ctx does not end it.
func (p *process) Start(context.Context) error {
	var stdout, stderr struct{ r, w *os.File }
	for _, pipe := range []*struct{ r, w *os.File }{&p.stdin, &p.lifeline, &stdout, &stderr} {
		var err error
		if pipe.r, pipe.w, err = os.Pipe(); err != nil {
			return fmt.Errorf("open pipes: %w", err)
		}
	}
	if _, err := p.stdin.w.WriteString(stdinProbe); err != nil {
		return fmt.Errorf("fill standard input: %w", err)
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.stdin.r, stdout.w, stderr.w
	p.cmd.ExtraFiles = []*os.File{p.lifeline.r}
	p.cmd.Env = append(p.cmd.Env, sdk.LifelineEnv+"="+strconv.Itoa(lifelineFD))
	if err := p.launch(); err != nil {
		for _, pipe := range []struct{ r, w *os.File }{p.stdin, p.lifeline, stdout, stderr} {
			pipe.r.Close()
			pipe.w.Close()
		}
		return fmt.Errorf("start %s: %w", p.cmd.Path, err)
	}
	stdout.w.Close()
	stderr.w.Close()
	p.lifeline.r.Close()

	var readers sync.WaitGroup
	readers.Go(func() { eachLine(stdout.r, p.stdoutLine) })
	readers.Go(func() { eachLine(stderr.r, p.stderrLine) })
	go func() {
		_ = p.cmd.Wait() // the error says no more than the state
		// What the process has started may hold the pipes for ever.
		deadline := time.Now().Add(drainTime)
		_ = stdout.r.SetReadDeadline(deadline)
		_ = stderr.r.SetReadDeadline(deadline)
		readers.Wait()
		stdout.r.Close()
		stderr.r.Close()
		p.lifeline.w.Close()
		close(p.exited)
		p.toClient.Close()
	}()
	return nil
}

func (p *process) launch() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		return errors.New("the start was given up")
	}
	err := p.cmd.Start()
	p.started = err == nil
	return err
}

func eachLine(pipe io.Reader, do func(string)) {
	reader := bufio.NewReaderSize(pipe, maxLine)
	for continued := false; ; {
		line, more, err := reader.ReadLine()
		if err != nil {
			return
		}
		if !continued {
			do(string(line))
		}
		continued = more
	}
}

// stdoutLine passes the first line that can be a handshake to go-plugin.
func (p *process) stdoutLine(line string) {
	p.mu.Lock()
	first := p.handshake == "" && strings.Count(line, "|") >= 4
	if first {
		p.handshake = line
	} else {
		p.stray = append(p.stray, line)
	}
	p.mu.Unlock()
	if first {
		close(p.shaken)
		_, _ = io.WriteString(p.toClient, line+"\n")
		p.toClient.Close()
	}
}

// keptLines bounds the standard error that is kept.
const keptLines = 10

func (p *process) stderrLine(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stderr = append(p.stderr, line)
	if len(p.stderr) > keptLines {
		p.stderr = p.stderr[1:]
	}
}

// running reports whether the process has not ended.
func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// endsWithin waits for the process to end by itself.
func (p *process) endsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// exit describes the end of the process, with its last words; it has ended.
func (p *process) exit() string {
	text := "the process ended: " + p.cmd.ProcessState.String()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.stderr) > 0 {
		text += "\nits last output was:\n  " + strings.Join(p.stderr, "\n  ")
	}
	return text
}

// strayLines are what was printed on standard output beside the handshake.
func (p *process) strayLines() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.stray)
}

// readStdin reports whether something took from the standard input of the
// process, which has ended.
func (p *process) readStdin() bool {
	p.stdin.w.Close()
	left, _ := io.ReadAll(p.stdin.r)
	return len(left) < len(stdinProbe)
}

// Kill ends the process, with everything it started, if it still runs.
func (p *process) Kill(context.Context) error {
	p.mu.Lock()
	p.killed = true
	started := p.started
	p.mu.Unlock()
	if !started || !p.running() {
		return nil
	}
	err := proctree.Kill(p.cmd.Process)
	if p.endsWithin(killTime) {
		return nil // whatever could not be signalled is gone
	}
	return errors.Join(fmt.Errorf("process %d does not end", p.cmd.Process.Pid), err)
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

func (p *process) Stdout() io.ReadCloser { return p.fromProcess }
func (p *process) Name() string          { return p.cmd.Path }

// ID is empty when the process was not started.
func (p *process) ID() string {
	if !p.started {
		return ""
	}
	return strconv.Itoa(p.cmd.Process.Pid)
}
