package terminal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// killWait bounds the wait for a killed process.
const killWait = 5 * time.Second

// process is a shell on its terminal. It leads a session, so that everything it
// starts, other than daemons that leave on purpose, can be found and ended.
type process struct {
	pid    int
	master *os.File
	image  string // what the kernel says is running; see replaced

	exited chan struct{} // closed when state is set
	state  *os.ProcessState
}

// startProcess starts cmd on a new terminal of the given size.
func startProcess(cmd *exec.Cmd, cols, rows int) (*process, error) {
	master, tty, err := openPTY()
	if err != nil {
		return nil, err
	}
	defer tty.Close()
	p := &process{master: master, exited: make(chan struct{})}
	if err := p.resize(cols, rows); err != nil {
		master.Close()
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	// There is no parent-death signal: when the host dies, the kernel closes the
	// master and hangs up the shell. A second SIGHUP on top of that has bash die
	// at once, before it has hung up its jobs.
	if err := cmd.Start(); err != nil {
		master.Close()
		return nil, fmt.Errorf("start shell %q: %w", cmd.Path, err)
	}
	p.pid = cmd.Process.Pid
	p.image = processImage(p.pid)
	go func() {
		_ = cmd.Wait() // its error repeats the state
		p.state = cmd.ProcessState
		close(p.exited)
	}()
	return p, nil
}

// openPTY opens a terminal whose master can be read with the runtime's poller,
// so that closing it ends a read. The library leaves it in blocking mode.
func openPTY() (master, tty *os.File, err error) {
	opened, tty, err := pty.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("open terminal: %w", err)
	}
	defer opened.Close()
	fd, err := unix.FcntlInt(opened.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		if err = unix.SetNonblock(fd, true); err != nil {
			_ = unix.Close(fd)
		}
	}
	if err != nil {
		tty.Close()
		return nil, nil, fmt.Errorf("open terminal: %w", err)
	}
	return os.NewFile(uintptr(fd), opened.Name()), tty, nil
}

func (p *process) control(f func(fd int) error) error {
	raw, err := p.master.SyscallConn()
	if err != nil {
		return err
	}
	var result error
	if err := raw.Control(func(fd uintptr) { result = f(int(fd)) }); err != nil {
		return err
	}
	return result
}

func (p *process) resize(cols, rows int) error {
	err := p.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(rows), Col: uint16(cols)})
	})
	if err != nil {
		return fmt.Errorf("resize terminal: %w", err)
	}
	return nil
}

// foreground is the process group that the terminal's keys go to; 0 when
// unknown.
func (p *process) foreground() int {
	group := 0
	err := p.control(func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	if err != nil {
		return 0
	}
	return group
}

// editing reports whether the shell itself, and not a program that it runs in
// a group of its own, edits a line. A shell that only prints its prompt string
// while a command runs does not. Neither does one that asks for a single key
// (read -n, read -k): that leaves the translation of Enter alone, which readline
// turns off and zsh swaps.
func (p *process) editing() bool {
	if p.foreground() != p.pid {
		return false
	}
	editor := false
	err := p.control(func(fd int) error {
		mode, err := unix.IoctlGetTermios(fd, getTermios)
		if err == nil {
			editor = mode.Lflag&(unix.ICANON|unix.ECHO) == 0 &&
				(mode.Iflag&unix.ICRNL == 0 || mode.Iflag&unix.INLCR != 0)
		}
		return err
	})
	return err == nil && editor
}

// companions are the other processes of the shell's own group: what a $(...)
// runs, and what the shell keeps in the background without job control.
func (p *process) companions() []int {
	var members []int
	for _, pid := range processIDs() {
		if group, err := unix.Getpgid(pid); err == nil && group == p.pid && pid != p.pid {
			members = append(members, pid)
		}
	}
	return members
}

// replaced reports whether the shell has turned itself into another program
// with exec. That program keeps the process id and knows no integration.
func (p *process) replaced() bool {
	now := processImage(p.pid)
	return now != "" && p.image != "" && now != p.image
}

// alive reports whether the shell has not been waited for.
func (p *process) alive() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// hangUp ends the shell and its session: a hangup, which shells pass on to
// their jobs, then, after grace, a kill. It returns when all are gone or were
// killed.
func (p *process) hangUp(grace time.Duration) {
	// The person's jobs are listed while the shell that leads them lives; its
	// id might be another process's later.
	members := sessionMembers(p.pid)
	if p.alive() {
		signalAll(append(members, p.pid), unix.SIGHUP, unix.SIGCONT)
	} else {
		signalAll(members, unix.SIGHUP, unix.SIGCONT)
	}
	deadline := time.NewTimer(grace)
	defer deadline.Stop()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for p.alive() || len(sessionMembers(p.pid)) > 0 {
		select {
		case <-deadline.C:
			p.kill()
			return
		case <-poll.C:
			// bash only notes a hangup that comes just before it reads a key,
			// and reads on.
			if p.alive() {
				_ = unix.Kill(p.pid, unix.SIGHUP)
			}
		}
	}
}

// kill ends the session for good and waits for the shell.
func (p *process) kill() {
	if p.alive() {
		_ = unix.Kill(p.pid, unix.SIGKILL)
	}
	signalAll(sessionMembers(p.pid), unix.SIGKILL)
	select {
	case <-p.exited:
	case <-time.After(killWait):
		return // in a system call that cannot be interrupted
	}
	// Once more, for what was started while the first round went on.
	signalAll(sessionMembers(p.pid), unix.SIGKILL)
}

func signalAll(pids []int, signals ...unix.Signal) {
	for _, pid := range pids {
		for _, sig := range signals {
			_ = unix.Kill(pid, sig) // it may be gone
		}
	}
}

// sessionMembers are the processes of the session that pid led or leads. The
// kernel does not reuse an id while it names a session.
func sessionMembers(leader int) []int {
	var members []int
	for _, pid := range processIDs() {
		if sid, err := unix.Getsid(pid); err == nil && sid == leader && pid != leader {
			members = append(members, pid)
		}
	}
	return members
}

// exitOf says how the shell ended, in the terms of a command's result.
func exitOf(state *os.ProcessState) (code *int, signal string) {
	status, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case !ok:
		return nil, ""
	case status.Signaled():
		n := 128 + int(status.Signal())
		return &n, unix.SignalName(status.Signal())
	}
	n := status.ExitStatus()
	return &n, ""
}

// isClosed reports whether err is what a terminal's master gives when the
// other side or the file is closed.
func isClosed(err error) bool {
	return errors.Is(err, os.ErrClosed) || errors.Is(err, unix.EIO)
}
