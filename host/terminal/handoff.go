package terminal

import (
	"errors"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Handoff is a command for the person's shell.
type Handoff struct {
	// ID is the caller's name for it, shown by Terminal.Status.
	ID string
	// Command is run as if typed at the prompt: it sees aliases and functions,
	// and what it changes in the shell stays. It may be of any length and have
	// newlines, but no NUL.
	Command string
	// Dir is absolute; empty is where the shell is. The shell stays there, as
	// after a cd.
	Dir string
	// Timeout interrupts the command; 0 is none. It starts with the command,
	// not with the wait for a prompt.
	Timeout time.Duration
	// MaxOutput bounds Result.Output in bytes; 0 is 64 KiB.
	MaxOutput int
	// Started, unless nil, is called once when the shell has begun the command,
	// and never for one that was not executed. It is called by Run, without
	// locks held, and delays the watch for the end and the Timeout until it
	// returns.
	Started func()
}

func (h Handoff) validate() error {
	switch {
	case strings.TrimSpace(h.Command) == "":
		return errors.New("the command is empty: give a command to run")
	case strings.ContainsRune(h.Command, 0):
		return errors.New("the command contains a NUL byte, which no shell can take: remove it")
	case h.Dir != "" && !filepath.IsAbs(h.Dir):
		return errors.New("the directory is not absolute: give an absolute path, or none for the shell's own")
	case strings.ContainsRune(h.Dir, 0):
		return errors.New("the directory contains a NUL byte: remove it")
	}
	return nil
}

// Status says how a handed-off command ended.
type Status string

const (
	Completed   Status = "completed"
	Failed      Status = "failed" // with a non-zero exit code
	Interrupted Status = "interrupted"
	TimedOut    Status = "timed_out"
	NotExecuted Status = "not_executed"
	// CompletedUntracked: it ended or left our sight, and its exit code is not
	// known. It must never look like success.
	CompletedUntracked Status = "completed_untracked"
)

// Result is how a handed-off command ended.
type Result struct {
	Status Status
	// ExitCode is as the shell reports it: 128+n after death by signal n. Nil
	// when unknown.
	ExitCode *int
	// Signal is the name that belongs to an exit code above 128, or empty. The
	// shell does not tell a signal from an exit with such a code.
	Signal string
	// StartDir and EndDir are the shell's directory before and after; empty
	// when unknown.
	StartDir, EndDir string
	Duration         time.Duration
	// Output is what was printed to the terminal while the command ran, which
	// includes the echo of keys, as plain text: its head and tail, with a
	// marker between them if Truncated. OutputBytes counts all of it.
	Output      string
	OutputBytes int64
	Truncated   bool
	// Reason explains a status that the exit code does not.
	Reason string
}

// signalName is the signal that a shell's exit code stands for.
func signalName(code *int) string {
	if code == nil || *code <= 128 || *code > 128+64 {
		return ""
	}
	return unix.SignalName(unix.Signal(*code - 128))
}

// statusOf judges an exit code of a command that nobody but the person could
// interrupt.
func statusOf(code *int) Status {
	switch {
	case code == nil:
		return CompletedUntracked
	case *code == 0:
		return Completed
	case *code == 128+int(unix.SIGINT):
		return Interrupted
	}
	return Failed
}
