package plugin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"syscall"

	"github.com/toolcrib/toolcrib/sdk"
)

var (
	// ErrStopped is the error of a provider that the host has stopped.
	ErrStopped = errors.New("the provider was stopped; reload the workspace to start it again")
	// ErrTooLarge is the error of a message beyond [sdk.MaxMessageBytes].
	ErrTooLarge = errors.New("a message of the plugin protocol may have 16 MiB; ask for less, or for a part at a time")
)

// protocolVersion is [sdk.ProtocolVersion] as the handshake line has it.
var protocolVersion = strconv.Itoa(sdk.ProtocolVersion)

// VersionError tells that a provider was made for another version of the plugin
// protocol.
type VersionError struct{ Provider, Version string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("it speaks version %s of the plugin protocol and this toolcrib speaks version %s; install a version of plugin %q that was made for it",
		e.Version, protocolVersion, e.Provider)
}

// ExitError tells that a provider's process ended when it should not have.
type ExitError struct {
	Provider string
	// Doing is what the provider was doing: `run tool "count"`, "start".
	Doing string
	PID   int
	// Code is the exit status; -1 when a signal ended the process.
	Code int
	// Signal is 0 when the process exited by itself.
	Signal syscall.Signal
	// Attached tells that the process was not started by the host, which knows
	// of its end only that the connection broke.
	Attached bool
	// Killed tells that it was the host that killed the process, and KilledFor
	// why, when it was not stopped.
	Killed    bool
	KilledFor string
	// Panic is the first line of a Go panic; empty for none.
	Panic string
	// StderrTail is the end of what the process printed, oldest line first.
	StderrTail []string
}

// Reason says in one line how the process ended.
func (e *ExitError) Reason() string {
	switch {
	case e.Attached:
		return "the connection to it broke; start it again with --debug, or unset " + sdk.ReattachEnv
	case e.Killed && e.KilledFor != "":
		return "toolcrib killed it, because " + e.KilledFor
	case e.Killed:
		return "toolcrib killed it"
	case e.Panic != "":
		return e.Panic
	case e.Signal != 0:
		return fmt.Sprintf("killed by signal %d (%s)", int(e.Signal), e.Signal)
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

func (e *ExitError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "provider %q (pid %d) died while it had to %s: %s", e.Provider, e.PID, e.Doing, e.Reason())
	writeTail(&b, e.StderrTail)
	return b.String()
}

func writeTail(b *strings.Builder, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\nits last output was:")
	for _, line := range lines {
		b.WriteString("\n  " + line)
	}
}

// requestError tells that a provider that lives did not do what it had to.
type requestError struct {
	provider, doing string
	err             error
	// tail is what the process printed last, where that may explain more than
	// the error does: of one that did not answer.
	tail []string
}

// requestTail is how many lines a request error shows of a process that runs.
const requestTail = 8

// unanswered is the error of a request that a provider did not answer in time.
func (g *generation) unanswered(doing string, cause error) *requestError {
	return &requestError{g.spec.Name, doing, cause, g.process.recent()}
}

// recent are the last lines that the process has printed.
func (p *process) recent() []string {
	lines, _ := p.stderr.last()
	return lines[max(0, len(lines)-requestTail):]
}

func (e *requestError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "provider %q had to %s: %v", e.provider, e.doing, e.err)
	writeTail(&b, e.tail)
	return b.String()
}

func (e *requestError) Unwrap() error { return e.err }

// goPanicStatus is the exit status of a Go program that panics.
const goPanicStatus = 2

// exitError describes an ended process; p.exited is closed.
func (p *process) exitError(provider, doing string) *ExitError {
	e := &ExitError{Provider: provider, Doing: doing, PID: p.pid, Code: -1, Attached: p.attached != nil}
	e.StderrTail, e.Panic = p.stderr.last()
	if p.state == nil {
		return e
	}
	e.Code = p.state.ExitCode()
	if status, ok := p.state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.Signal = status.Signal()
		if e.Signal == syscall.SIGKILL {
			e.Killed, e.KilledFor = p.wasKilled()
		}
	}
	if e.Code != goPanicStatus && e.Signal != syscall.SIGABRT {
		e.Panic = "" // it was survived
	}
	return e
}

// ConfigError tells that a provider refused its configuration.
type ConfigError struct {
	Provider    string
	Diagnostics []Diagnostic
}

// Diagnostic is one thing that is wrong, or doubtful, in a config block.
type Diagnostic struct {
	Warning bool
	// Path leads from the config block to the attribute; empty for the block.
	Path    []string
	Summary string
	Detail  string
}

func (e *ConfigError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "provider %q refused its configuration; correct its config block in config.hcl", e.Provider)
	for _, d := range e.Diagnostics {
		b.WriteString("\n  ")
		if len(d.Path) > 0 {
			b.WriteString(strings.Join(d.Path, ".") + ": ")
		}
		b.WriteString(d.Summary)
		if d.Detail != "" {
			b.WriteString(": " + d.Detail)
		}
	}
	return b.String()
}
