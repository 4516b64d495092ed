package builtin

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// killGrace is between SIGTERM and SIGKILL.
	killGrace = 2 * time.Second
	// drainGrace is how long output is awaited after the shell has ended, from
	// processes that it left.
	drainGrace = time.Second
)

// command is a command line to run in the background.
type command struct {
	line    string
	dir     string // absolute
	timeout time.Duration
}

// run runs the command in a session of its own: it has no terminal to ask a
// person on, and everything it starts can be ended together. emit is given the
// output while it comes; once it fails, it is not called again.
func (c command) run(ctx context.Context, emit func([]byte) error) outcome {
	start := time.Now()
	o := outcome{status: notExecuted, timeout: c.timeout, dir: c.dir}
	if ctx.Err() != nil {
		o.status, o.reason = cancelled, context.Cause(ctx).Error()
		return o
	}
	// One pipe for both streams, so that they stay in the order they were written.
	read, write, err := os.Pipe()
	if err != nil {
		o.reason = err.Error()
		return o
	}
	cmd := exec.Command(shell(), "-c", c.line)
	cmd.Dir = c.dir
	cmd.Stdout, cmd.Stderr = write, write
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	write.Close()
	if err != nil {
		read.Close()
		o.reason = err.Error() + "; check dir, and that bash or sh is installed"
		return o
	}
	output := collect(read, emit)
	why, waited := c.supervise(ctx, cmd)
	o.duration = time.Since(start)
	left := output.finish(drainGrace, func() bool { return killGroup(cmd.Process.Pid, syscall.SIGKILL) })

	o.output, o.outputBytes, o.truncated = output.captured.text()
	o.ended(waited)
	if why != nil {
		o.status = timedOut
		if !errors.Is(why, errTimeout) {
			o.status, o.reason = cancelled, why.Error()
		}
	} else if left {
		o.notes = append(o.notes, "processes that the command left in the background were stopped")
	}
	return o
}

var errTimeout = errors.New("timeout")

// supervise waits for the shell and ends its group when the time is over or ctx
// is. why says which; it is nil when the shell ended by itself.
func (c command) supervise(ctx context.Context, cmd *exec.Cmd) (why, waited error) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	timeout := time.NewTimer(c.timeout)
	defer timeout.Stop()

	select {
	case err := <-ended:
		return nil, err
	case <-timeout.C:
		why = errTimeout
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	killGroup(cmd.Process.Pid, syscall.SIGTERM)
	grace := time.NewTimer(killGrace)
	defer grace.Stop()
	select {
	case err := <-ended:
		return why, err
	case <-grace.C:
	}
	killGroup(cmd.Process.Pid, syscall.SIGKILL)
	return why, <-ended
}

// ended reads exit code and signal out of what Wait returned.
func (o *outcome) ended(err error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		o.status = untracked
		return
	}
	code := 0
	o.status = completed
	if exit != nil {
		o.status = failed
		if wait, ok := exit.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
			o.signal = unix.SignalName(wait.Signal())
			// What a shell would report of it.
			code = 128 + int(wait.Signal())
		} else {
			code = exit.ExitCode()
		}
	}
	o.exitCode = &code
}

// killGroup signals every process of a group. It reports whether there was one.
func killGroup(leader int, signal syscall.Signal) bool { return syscall.Kill(-leader, signal) == nil }

// shell is bash, or sh on a system without.
func shell() string {
	if path, err := exec.LookPath("bash"); err == nil {
		return path
	}
	return "/bin/sh"
}
