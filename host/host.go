// Package host runs a workspace's tools: it reads the configuration, starts the
// providers that the person trusts, keeps the pool of tools, and takes every
// call through one pipeline of policy, approval, execution and record.
//
//	h, err := host.Open(ctx, host.Options{Dir: "."})
//	if err != nil { ... }
//	defer h.Close()
//	outcome, err := h.Invoke(ctx, pipeline.Invocation{
//		Tool:  "Read",
//		Input: json.RawMessage(`{"path":"README.md"}`),
//	})
//
// A front shows what happens by following [Host.Events], and lets a person
// decide by attaching to [Host.Approvals]. Where nothing is attached, calls that
// need approval fail at once.
//
// docs/architecture.md tells how the packages below this one work together.
package host

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adrg/xdg"
	"github.com/hashicorp/go-hclog"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
	"github.com/toolcrib/toolcrib/host/trust"
)

// Host is one open workspace. Its methods may be used from several goroutines.
type Host struct {
	options   Options
	sessionID string
	workspace string
	stateDir  string // of this workspace
	logger    hclog.Logger

	events   *session.Log
	journal  *approval.MemoryJournal
	broker   *approval.Broker
	terminal *terminal.Terminal
	told     sync.Map // notices that are told once
	store    *trust.Store
	crashes  crashFile

	providers *providers
	assembler *assembler
	search    *toolSearch
	hooks     *hooks
	scopes    *scopes
	// main is the view of who uses the host's own methods.
	main *View

	// engine is swapped as a whole when mode or rules change.
	engine atomic.Pointer[policy.Engine]

	// reload serialises whatever changes configuration, trust or mode, and
	// guards what follows up to mu, which guards the rest.
	reload sync.Mutex
	// holds is the configuration whose agreed part is in force; nil before the
	// first. latest is the last one that was read without errors: another one
	// while it waits for the person's agreement.
	holds, latest *config.Config
	inForce       trust.Agreement
	refused       string // the faults of the last load; empty without errors

	mu        sync.Mutex
	faults    config.Diagnostics
	agreement trust.Agreement
	chosen    policy.Mode // by a flag or in the session; empty: as configured

	// closing ends a reload that is under way.
	closing   context.Context
	beginEnd  context.CancelFunc
	following sync.WaitGroup // who follows the configuration's files
	close     func() error
}

// Open opens the workspace of options.Dir and blocks until its providers are
// ready, failed, or late. A provider that fails is part of the report in
// [Host.Providers], not an error. ctx bounds opening only.
func Open(ctx context.Context, options Options) (*Host, error) {
	options = withDefaults(options)
	loaded, diagnostics := load(options)
	if diagnostics.HasErrors() {
		return nil, &ConfigError{Diagnostics: diagnostics}
	}
	if options.Mode != "" {
		if err := checkMode(options.Mode, options.Confirm); err != nil {
			return nil, err
		}
	}
	if err := checkSession(options.SessionID); err != nil {
		return nil, err
	}
	h := newHost(options, loaded)
	declared, err := newHooks(h, options.Hooks)
	if err != nil {
		return nil, err
	}
	h.hooks = declared
	if options.Terminal != nil {
		shell := *options.Terminal
		shell.Dir = cmp.Or(shell.Dir, h.workspace)
		opened, err := terminal.Open(ctx, shell)
		if err != nil {
			return nil, fmt.Errorf("open the shell: %w", err)
		}
		h.terminal = opened
	}
	h.main = newView(h, ViewOptions{}, h.sessionTools())
	h.main.pipeline = h.newPipeline(h.main)
	h.forgetResults(time.Now())
	h.forgetSessions(time.Now())
	h.assembler.join(h, h.main)
	h.assembler.start(h)
	h.following.Go(h.search.follow)
	h.reload.Lock()
	defer h.reload.Unlock()
	h.apply(ctx, loaded, diagnostics)
	h.main.missAwaited()
	if options.WatchConfig {
		h.following.Go(h.followConfig)
	}
	return h, nil
}

// newHost makes a host of which nothing runs yet.
func newHost(options Options, loaded *config.Config) *Host {
	id := cmp.Or(options.SessionID, "session_"+rand.Text()[:8])
	h := &Host{
		options:   options,
		sessionID: id,
		workspace: loaded.Workspace,
		stateDir:  StateFolder(options, loaded.Workspace),
		logger:    options.Logger,
		events:    session.NewLog(id, time.Now),
		journal:   approval.NewMemoryJournal(journalRecords),
		store:     trust.NewStore(options.StateDir),
		assembler: newAssembler(),
		chosen:    options.Mode,
		latest:    loaded,
	}
	h.engine.Store(policy.New(nil, policy.Recommend))
	h.broker = approval.NewBroker(h.journal, time.Now)
	h.crashes = crashFile{path: filepath.Join(h.stateDir, "crashes.jsonl")}
	h.providers = newProviders(h)
	h.search = newToolSearch(h)
	h.scopes = newScopes(h.workspace)
	h.closing, h.beginEnd = context.WithCancel(context.Background())
	h.close = sync.OnceValue(h.shutdown)
	return h
}

// newPipeline makes the pipeline of one view.
func (h *Host) newPipeline(v *View) *pipeline.Pipeline {
	return &pipeline.Pipeline{
		SessionID:      h.sessionID,
		Workspace:      h.workspace,
		Home:           xdg.Home,
		Pool:           v.Pool,
		Policy:         h.engine.Load,
		Supervisor:     h.providers.find,
		Own:            v.own,
		Observers:      h.providers.observers,
		Hooks:          h.hooks.set,
		Broker:         h.broker,
		Terminal:       h.terminal,
		Log:            h.events,
		Tracer:         h.options.Tracer,
		ResultBytes:    h.options.ResultBytes,
		Timeout:        h.options.CallTimeout,
		ObserveTimeout: h.options.ObserveTimeout,
		SpillDir:       filepath.Join(h.stateDir, "results"),
	}
}

// StateFolder is where a host with these options keeps what it remembers of a
// workspace, which is given by its absolute path. It need not exist.
func StateFolder(options Options, workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	key := filepath.Base(workspace) + "-" + hex.EncodeToString(sum[:6])
	return filepath.Join(withDefaults(options).StateDir, "workspaces", key)
}

// Invoke runs one tool and blocks until it ended. The error is a
// *[pipeline.Refusal]; a tool that answered with an error is an outcome with
// IsError set.
func (h *Host) Invoke(ctx context.Context, invocation pipeline.Invocation) (*pipeline.Outcome, error) {
	return h.main.Invoke(ctx, invocation)
}

// Close stops the providers and the shell, and denies what waits for approval.
// It leaves no process behind. Further calls return what the first returned.
func (h *Host) Close() error { return h.close() }

func (h *Host) shutdown() error {
	h.beginEnd()
	h.following.Wait()
	h.reload.Lock() // what it started is known then
	defer h.reload.Unlock()
	h.broker.Close()
	h.hooks.end() // while providers, which may be hooks, still run
	h.assembler.stop()
	h.providers.stopAll(h.providers.all())
	h.search.close()
	if h.terminal != nil {
		return h.terminal.Close()
	}
	return nil
}

// Workspace is the absolute path of the workspace.
func (h *Host) Workspace() string { return h.workspace }

// Events is the session's log: what happened so far and what happens next.
func (h *Host) Events() *session.Log { return h.events }

// Pool is the current pool. It does not change; a change publishes another one.
func (h *Host) Pool() *pool.Pool { return h.main.Pool() }

// SessionID names the session. [Options.SessionID] goes on with it.
func (h *Host) SessionID() string { return h.sessionID }

// Approvals is the queue of questions to the person. A front attaches to it.
func (h *Host) Approvals() *approval.Broker { return h.broker }

// Journal holds the decisions of this session.
func (h *Host) Journal() approval.Journal { return h.journal }

// Terminal is the foreground shell; nil when the host has none.
func (h *Host) Terminal() *terminal.Terminal { return h.terminal }
