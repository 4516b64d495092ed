// Package screen runs a terminal program in a PTY and reads its screen through a
// terminal emulator, as a person would see it. The end-to-end tests of the
// session and the picture in the README are made with it.
package screen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Program is a program that runs in a PTY. Its methods may be used from several
// goroutines.
type Program struct {
	cmd    *exec.Cmd
	master *os.File

	mu      sync.Mutex
	screen  *vt.Emulator
	changed chan struct{} // closed and replaced at each change

	exited  chan struct{}
	exitErr error // set before exited is closed
	readers sync.WaitGroup
}

// Start runs cmd in a PTY of that size. cmd leads a session of its own.
func Start(cmd *exec.Cmd, cols, rows int) (*Program, error) {
	blocking, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		return nil, fmt.Errorf("start %s in a pty: %w", cmd.Path, err)
	}
	master, err := pollable(blocking)
	if err != nil {
		return nil, fmt.Errorf("start %s in a pty: %w", cmd.Path, err)
	}
	p := &Program{
		cmd:     cmd,
		master:  master,
		screen:  vt.NewEmulator(cols, rows),
		changed: make(chan struct{}),
		exited:  make(chan struct{}),
	}
	p.readers.Go(p.draw)
	p.readers.Go(p.answer)
	go func() {
		p.exitErr = cmd.Wait()
		close(p.exited)
		p.notify()
	}()
	return p, nil
}

// pollable takes over a file and lets Close end its reads.
func pollable(file *os.File) (*os.File, error) {
	defer file.Close()
	fd, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, errors.Join(err, unix.Close(fd))
	}
	return os.NewFile(uintptr(fd), file.Name()), nil
}

// draw feeds the emulator with what the program prints.
func (p *Program) draw() {
	buffer := make([]byte, 32<<10)
	for {
		n, err := p.master.Read(buffer)
		if n > 0 {
			p.mu.Lock()
			p.screen.Write(buffer[:n])
			p.mu.Unlock()
			p.notify()
		}
		if err != nil {
			return
		}
	}
}

// answer hands the emulator's replies to device queries to the program. The
// emulator blocks in Write until they are read.
func (p *Program) answer() { io.Copy(p.master, p.screen) }

func (p *Program) notify() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.changed)
	p.changed = make(chan struct{})
}

// Send types text. Keys are their bytes: "\r" is Enter, "\x1b" is Esc.
func (p *Program) Send(text string) error {
	_, err := io.WriteString(p.master, text)
	return err
}

// Resize changes the size of the PTY and of the screen.
func (p *Program) Resize(cols, rows int) error {
	p.mu.Lock()
	p.screen.Resize(cols, rows)
	p.mu.Unlock()
	return pty.Setsize(p.master, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
}

// Text is the screen as lines, without trailing blanks.
func (p *Program) Text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	lines := make([]string, p.screen.Height())
	for y := range lines {
		var line strings.Builder
		for x := 0; x < p.screen.Width(); {
			cell := p.screen.CellAt(x, y)
			if cell == nil || cell.Content == "" {
				line.WriteByte(' ')
				x++
				continue
			}
			line.WriteString(cell.Content)
			x += max(cell.Width, 1)
		}
		lines[y] = strings.TrimRight(line.String(), " ")
	}
	return strings.Join(lines, "\n")
}

// ErrExited is a program that ended while something was awaited of it.
var ErrExited = errors.New("the program exited")

// Await blocks until the screen satisfies ok, and returns that screen. On
// failure it returns the last screen, so that a test can show it.
func (p *Program) Await(ctx context.Context, ok func(text string) bool) (string, error) {
	for {
		p.mu.Lock()
		changed := p.changed
		p.mu.Unlock()
		text := p.Text()
		if ok(text) {
			return text, nil
		}
		select {
		case <-changed:
		case <-p.exited:
			return text, fmt.Errorf("%w: %v", ErrExited, p.exitErr)
		case <-ctx.Done():
			return text, ctx.Err()
		}
	}
}

// Wait blocks until the program ended and returns how.
func (p *Program) Wait(ctx context.Context) error {
	select {
	case <-p.exited:
		return p.exitErr
	case <-ctx.Done():
		return ctx.Err()
	}
}

// PID is the process id of the program.
func (p *Program) PID() int { return p.cmd.Process.Pid }

// Hangup closes the terminal, as a person does who closes its window.
func (p *Program) Hangup() { p.master.Close() }

// Close hangs up the terminal, kills the program's session and frees the PTY.
func (p *Program) Close() {
	syscall.Kill(-p.PID(), syscall.SIGKILL)
	<-p.exited
	p.master.Close()
	// Ends answer. The emulator's own Close races with its Read.
	if replies, ok := p.screen.InputPipe().(io.Closer); ok {
		replies.Close()
	}
	p.readers.Wait()
}
