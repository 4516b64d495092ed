package plugin

import (
	"time"

	"github.com/toolcrib/toolcrib/host/pool"
)

// State is where a provider is in its life.
type State string

const (
	Starting State = "starting"
	Ready    State = "ready"
	// Draining: it is stopping and finishes its calls.
	Draining State = "draining"
	// Stopped: it does not run and did not crash.
	Stopped State = "stopped"
	// Crashed: it died; the next call starts it again.
	Crashed State = "crashed"
	// Backoff: it died again; calls wait a moment before it is started.
	Backoff State = "backoff"
	// Disabled: it died too often; see [Supervisor.Reset].
	Disabled State = "disabled"
)

// Status describes a provider for a person.
type Status struct {
	Name  string          `json:"name"`
	Kind  pool.OriginKind `json:"kind"`
	State State           `json:"state"`
	// Reason says why it is not ready, or that it is not the host that started it.
	Reason  string   `json:"reason,omitempty"`
	Command []string `json:"command"`
	Version string   `json:"version,omitempty"` // as the provider says
	SHA256  string   `json:"sha256,omitempty"`  // of the program that runs
	// Configured is what the last start or reload was to run. It differs from
	// what runs when that failed.
	Configured Program `json:"configured"`
	// PID and Started are zero when no process runs.
	PID     int       `json:"pid,omitempty"`
	Started time.Time `json:"started,omitzero"`
	Tools   int       `json:"tools"`
	Calls   uint64    `json:"calls"`
	// Crashes counts those since the host was opened.
	Crashes   int        `json:"crashes"`
	LastCrash *Crash     `json:"last_crash,omitempty"`
	Upstreams []Upstream `json:"upstreams,omitempty"`
	// StderrTail is the end of what the process that runs has printed.
	StderrTail []string `json:"stderr_tail,omitempty"`
	// Warnings are lines that it printed on standard output, where they do not
	// belong.
	Warnings []string `json:"warnings,omitempty"`
	// DroppedEnv are the names of environment variables that it asks for and does
	// not get, since the person does not allow them.
	DroppedEnv []string `json:"dropped_env,omitempty"`
}

// Program is what a provider is made of.
type Program struct {
	Command []string `json:"command"`
	Version string   `json:"version,omitempty"` // empty when it did not come to say
	SHA256  string   `json:"sha256,omitempty"`  // empty when it could not be read
}

// Upstream is something the provider depends on.
type Upstream struct {
	Name   string `json:"name"`
	State  string `json:"state"` // connecting, ready, failed
	Reason string `json:"reason,omitempty"`
}

// Crash is one unexpected end of a provider.
type Crash struct {
	Provider   string    `json:"provider"`
	Time       time.Time `json:"time"`
	PID        int       `json:"pid"`
	Reason     string    `json:"reason"` // one line
	StderrTail []string  `json:"stderr_tail,omitempty"`
}

// Status tells how the provider is at this moment.
func (s *Supervisor) Status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	status := Status{
		Name: s.spec.Name, Kind: s.spec.Kind, State: s.state, Reason: s.reason,
		Command: s.spec.Program.Command(), Version: s.version, SHA256: s.sum,
		Tools: len(s.source.Tools), Calls: s.calls.Load(),
		Crashes: s.crashes, LastCrash: s.lastCrash, Configured: s.wanted,
		DroppedEnv: s.spec.DroppedEnv,
	}
	if g := s.current; g != nil {
		status.PID, status.Started = g.process.pid, g.started
		status.Upstreams = g.upstreamList()
		status.StderrTail, _ = g.process.stderr.last()
		status.Warnings, _ = g.process.stray.last()
	}
	return status
}
