package host

import (
	"cmp"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/hashicorp/go-hclog"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/terminal"
)

// Options say how a workspace is opened. The zero value opens the workspace of
// the current folder, without bundled providers and without a foreground shell.
type Options struct {
	// Dir is where to look for the workspace; empty is the current folder. The
	// workspace is the nearest ancestor that has a configuration, else Dir.
	Dir string
	// Version is told to providers; empty is "devel".
	Version string

	// Bundled are the providers that need no plugin block and no command in
	// config.hcl, since the program itself serves them.
	Bundled []Bundled

	// Terminal opens a foreground shell for handed-off commands; nil runs
	// commands in the background.
	Terminal *terminal.Config

	// Mode overrides the configured approval mode. Confirm must be set for
	// policy.Trust.
	Mode    policy.Mode
	Confirm bool
	// Hooks are asked before those of the configuration.
	Hooks []hook.Hook
	// NoSession is for a host that only looks at the workspace: no hooks run at
	// session_start and session_end.
	NoSession bool

	// Set are settings and Vars values of variables that hold against all files;
	// see [config.Options].
	Set  []string
	Vars map[string]string

	// UserConfig is the person's configuration file, and StateDir the folder
	// for trust records, crash records and whole results. Empty is the XDG place.
	UserConfig string
	StateDir   string
	// WatchConfig takes over changes of the configuration's files as they are
	// made. It is for hosts that live long.
	WatchConfig bool

	// SessionID is that of an earlier session of the workspace, to go on with the
	// tools that it had loaded; empty begins a new one. See [Host.SessionID].
	SessionID string

	// StartTimeout bounds how long Open waits for each provider; 0 is 10 s. A
	// provider that is late joins the pool when it is ready.
	StartTimeout time.Duration
	// CallTimeout bounds a call whose tool names no limit; 0 is 10 minutes.
	CallTimeout time.Duration
	// ResultBytes bounds what a model sees of a result whose tool names no
	// limit; 0 is 32 KiB.
	ResultBytes int
	// ObserveTimeout bounds how long a result waits for observers; 0 is 2 s.
	ObserveTimeout time.Duration

	Logger hclog.Logger // nil discards
	Tracer trace.Tracer // nil discards
}

// Bundled is a provider that the program serves itself.
type Bundled struct {
	Name string
	// Command starts it: an absolute path and its arguments.
	Command []string
}

const (
	defaultStartTimeout   = 10 * time.Second
	defaultCallTimeout    = 10 * time.Minute
	defaultObserveTimeout = 2 * time.Second
	defaultResultBytes    = 32 << 10
	journalRecords        = 1000
	closeTimeout          = 5 * time.Second
)

func withDefaults(o Options) Options {
	o.Dir = cmp.Or(o.Dir, ".")
	o.Version = cmp.Or(o.Version, "devel")
	o.StartTimeout = cmp.Or(o.StartTimeout, defaultStartTimeout)
	o.CallTimeout = cmp.Or(o.CallTimeout, defaultCallTimeout)
	o.ObserveTimeout = cmp.Or(o.ObserveTimeout, defaultObserveTimeout)
	o.ResultBytes = cmp.Or(o.ResultBytes, defaultResultBytes)
	o.StateDir = cmp.Or(o.StateDir, filepath.Join(xdg.StateHome, "toolcrib"))
	o.UserConfig = cmp.Or(o.UserConfig, filepath.Join(xdg.ConfigHome, "toolcrib", "config.hcl"))
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if o.Tracer == nil {
		o.Tracer = noop.NewTracerProvider().Tracer("toolcrib")
	}
	return o
}
