package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// exitTime is how long a broken connection may precede the end of its process.
const exitTime = time.Second

// flushTime is how long a stopping provider's results may take to arrive.
const flushTime = 250 * time.Millisecond

// generation is one configured process of a provider.
type generation struct {
	*connection
	spec        Spec
	fingerprint string
	version     string
	observes    bool
	hookEvents  []string
	started     time.Time
	warnings    []Diagnostic // of its configuration, which it took nevertheless

	// life ends with the process. Every stream lives on it.
	life context.Context
	end  context.CancelFunc

	// The supervisor's mutex guards the rest.
	tools     *proto.ToolSet
	upstreams map[string]Upstream
	leases    int
	silent    int // calls in a row that ran out of time; see health.go
	probing   bool
	draining  bool
	idle      chan struct{} // closed when draining and without leases
	ended     bool          // its exit has been taken note of
}

// alive reports whether the process has not ended.
func (g *generation) alive() bool {
	select {
	case <-g.process.exited:
		return false
	default:
		return true
	}
}

// watcher is told what a generation reports, also while it is being launched.
type watcher interface {
	toolsChanged(*generation, *proto.ToolSet)
	upstreamChanged(*generation, *proto.UpstreamStatus)
	foundLate(*proto.LateFindings)
	opened(spec Spec, sum string) // a program that is to run
	described(*generation)
	printed(line string) // on standard output
}

// launch starts, describes and configures a provider and returns when its first
// tools have been given to w. ctx bounds that, and not the life of the process.
// program may be nil; see connect.
func launch(ctx context.Context, spec Spec, program *executable.File, o Options, w watcher) (*generation, error) {
	if err := spec.validate(); err != nil {
		return nil, err
	}
	c, err := open(ctx, spec, program, o, w)
	if err != nil {
		return nil, fmt.Errorf("start plugin %q: %w", spec.Name, err)
	}
	g := &generation{connection: c, spec: spec, started: o.Now(), idle: make(chan struct{})}
	g.life, g.end = context.WithCancel(context.Background())
	if err := g.prepare(ctx, o, w); err != nil {
		g.discard()
		var request *requestError
		if ctx.Err() != nil && errors.As(err, &request) {
			request.err = context.Cause(ctx)  // says more than that it was cancelled
			request.tail = g.process.recent() // all of it has been read by now
		}
		return nil, fmt.Errorf("start plugin %q: %w", spec.Name, err)
	}
	return g, nil
}

func (g *generation) prepare(ctx context.Context, o Options, w watcher) error {
	described, err := g.rpc.Describe(ctx, &proto.DescribeRequest{HostVersion: o.HostVersion, HostFeatures: o.Features})
	if err != nil {
		return g.failure("describe itself", err)
	}
	g.version = described.GetVersion()
	w.described(g)
	for _, feature := range described.GetFeatures() {
		g.observes = g.observes || feature == sdk.FeatureObserve
	}
	g.hookEvents = described.GetHookEvents()
	if g.fingerprint, err = g.spec.fingerprint(g.process.program.SHA256()); err != nil {
		return err
	}
	if err := g.configure(ctx, described.GetConfigSchema(), o.Features); err != nil {
		return err
	}
	return g.watch(ctx, w)
}

func (g *generation) configure(ctx context.Context, schema json.RawMessage, features []string) error {
	config := json.RawMessage("{}")
	if g.spec.Config != nil {
		var err error
		if config, err = g.spec.Config(schema); err != nil {
			return fmt.Errorf("read its config block: %w", err)
		}
	}
	scratch := filepath.Join(g.dir, "scratch")
	if err := os.Mkdir(scratch, 0o700); err != nil {
		return fmt.Errorf("make scratch folder: %w", err)
	}
	response, err := g.rpc.Configure(ctx, &proto.ConfigureRequest{
		Config: config, Workspace: g.spec.Workspace, ScratchDir: scratch, HostFeatures: features,
	})
	if err != nil {
		return g.failure("configure itself", err)
	}
	refused := false
	var diagnostics []Diagnostic
	for _, d := range response.GetDiagnostics() {
		// A severity that this version does not know is less than an error,
		// which the protocol has had from its beginning.
		warning := d.GetSeverity() != proto.Diagnostic_ERROR && d.GetSeverity() != proto.Diagnostic_SEVERITY_UNSPECIFIED
		refused = refused || !warning
		diagnostics = append(diagnostics, Diagnostic{
			Warning: warning, Path: d.GetPath(), Summary: d.GetSummary(), Detail: d.GetDetail(),
		})
	}
	if refused {
		return &ConfigError{Provider: g.spec.Name, Diagnostics: diagnostics}
	}
	g.warnings = diagnostics
	return nil
}

// watch waits for the first tools and leaves a goroutine to take the later ones,
// which ends with the process.
func (g *generation) watch(ctx context.Context, w watcher) error {
	stream, err := g.rpc.Watch(g.life, &proto.WatchRequest{})
	if err != nil {
		return g.failure("list its tools", err)
	}
	first := make(chan error, 1)
	go func() {
		for listed := false; ; {
			event, err := stream.Recv()
			if err != nil {
				if !listed {
					first <- err
				}
				return
			}
			switch event := event.GetEvent().(type) {
			case *proto.WatchResponse_Tools:
				w.toolsChanged(g, event.Tools)
				if !listed {
					listed = true
					first <- nil
				}
			case *proto.WatchResponse_Upstream:
				w.upstreamChanged(g, event.Upstream)
			case *proto.WatchResponse_Findings:
				w.foundLate(event.Findings)
			}
		}
	}()
	select {
	case err := <-first:
		if err != nil {
			return g.failure("list its tools", err)
		}
		return nil
	case <-ctx.Done():
		return g.unanswered("list its tools", context.Cause(ctx))
	}
}

func (g *generation) plan(ctx context.Context, request PlanRequest) (*Plan, error) {
	response, err := g.rpc.Plan(ctx, &proto.PlanRequest{
		CallId: request.CallID, Tool: request.Tool, Input: request.Input,
	})
	if err != nil {
		return nil, g.failure(fmt.Sprintf("plan tool %q", request.Tool), err)
	}
	return planOf(response), nil
}

func (g *generation) observe(ctx context.Context, callID string, files []FileChange, timeout time.Duration) (*Observation, error) {
	request := &proto.ObserveRequest{CallId: callID, Timeout: durationpb.New(timeout)}
	for _, f := range files {
		request.Files = append(request.Files, &proto.FileChange{Path: f.Path, Kind: f.Kind})
	}
	response, err := g.rpc.Observe(ctx, request)
	if err != nil {
		return nil, g.failure("observe changed files", err)
	}
	return &Observation{State: response.GetState(), Content: contentOf(response.GetContent())}, nil
}

// failure turns the error of a request into one that says what happened: how the
// process ended rather than that its connection did. It waits for the end of the
// process when the connection is gone; doing follows "had to".
func (g *generation) failure(doing string, err error) error {
	code := status.Code(err)
	if code == codes.Unavailable || g.life.Err() != nil {
		g.awaitEnd()
	}
	select {
	case <-g.process.exited:
		return g.process.exitError(g.spec.Name, doing)
	default:
	}
	if code == codes.DeadlineExceeded || code == codes.Canceled {
		return g.unanswered(doing, plainError(err))
	}
	return &requestError{provider: g.spec.Name, doing: doing, err: plainError(err)}
}

// plainError takes gRPC's words off an error.
func plainError(err error) error {
	if errors.Is(err, io.EOF) {
		return errNoResult
	}
	s, ok := status.FromError(err)
	if !ok {
		return err
	}
	switch s.Code() {
	case codes.ResourceExhausted:
		return ErrTooLarge
	case codes.Canceled:
		return context.Canceled
	case codes.DeadlineExceeded:
		return context.DeadlineExceeded
	}
	return errors.New(s.Message())
}

var errNoResult = errors.New("it ended the call without a result; this is a fault of the provider")

// awaitEnd waits for the process to end by itself, and kills one that lives on
// without its connection: nothing can reach it any more.
func (g *generation) awaitEnd() {
	timer := time.NewTimer(exitTime)
	defer timer.Stop()
	select {
	case <-g.process.exited:
	case <-timer.C:
		_ = g.process.killFor("it closed its connection")
	}
}

// stop asks the process to finish its calls and exit, and kills it after grace.
// g is draining.
func (g *generation) stop(grace time.Duration) {
	ctx, cancel := context.WithTimeout(g.life, grace)
	defer cancel()
	// An error is no reason to wait less: a process that exits at once breaks
	// the connection before its answer.
	_, _ = g.rpc.Stop(ctx, &proto.StopRequest{Grace: durationpb.New(grace * 3 / 4)})
	// Results that were sent before that answer may still be on their way.
	flush := time.NewTimer(flushTime)
	defer flush.Stop()
	select {
	case <-g.idle:
	case <-flush.C:
	case <-g.process.exited:
	}
	g.conn.Close()
	select {
	case <-g.process.exited:
	case <-ctx.Done():
	}
	g.discard()
}

// discard kills the process, if it still runs.
func (g *generation) discard() {
	g.end()
	g.close()
}
