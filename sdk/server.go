package sdk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	gproto "google.golang.org/protobuf/proto"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// defaultGrace is how long Stop waits for calls when the host names no time.
const defaultGrace = 5 * time.Second

// closeTime is how long the host has to close the connection after Stop.
const closeTime = time.Second

// server answers the host. Its methods are called concurrently.
type server struct {
	proto.UnimplementedProviderServer

	provider    *Provider
	environment atomic.Pointer[Environment]
	// adopt runs once the host talks to us; see [adoptProcess].
	adopt func()
	// transport is stopped when the provider is, which ends Serve.
	transport *grpc.Server

	// mu keeps calls from growing once stopping is closed.
	mu       sync.Mutex
	calls    sync.WaitGroup
	stop     sync.Once
	stopping chan struct{}
}

func newServer(p *Provider, stderr *os.File) *server {
	s := &server{
		provider: p,
		adopt:    sync.OnceFunc(func() { adoptProcess(stderr) }),
		stopping: make(chan struct{}),
	}
	s.environment.Store(&Environment{})
	return s
}

func (s *server) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	s.adopt()
	response := &proto.DescribeResponse{
		Name: s.provider.Name, Version: s.provider.Version, HookEvents: s.provider.hookEvents(),
	}
	if s.provider.Observe != nil {
		response.Features = append(response.Features, FeatureObserve)
	}
	if s.provider.Config != nil {
		schema, err := schemaJSON(s.provider.Config.Schema())
		if err != nil {
			return nil, fmt.Errorf("marshal config schema: %w", err)
		}
		response.ConfigSchema = schema
	}
	return response, nil
}

func (s *server) Configure(ctx context.Context, request *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	environment := Environment{Workspace: request.GetWorkspace(), ScratchDir: request.GetScratchDir()}
	s.environment.Store(&environment)
	if s.provider.Config == nil {
		return &proto.ConfigureResponse{}, nil
	}
	tools, err := s.configure(ctx, environment, request.GetConfig())
	if err == nil && tools != nil {
		err = s.provider.Update(tools)
	}
	if err != nil {
		return &proto.ConfigureResponse{Diagnostics: diagnostics(err)}, nil
	}
	return &proto.ConfigureResponse{}, nil
}

func (s *server) configure(ctx context.Context, environment Environment, config []byte) (tools []Tool, err error) {
	defer recovered("configure", &err)
	return s.provider.Config.Configure(ctx, environment, config)
}

// Watch ends when the host goes away or the provider stops.
func (s *server) Watch(_ *proto.WatchRequest, stream grpc.ServerStreamingServer[proto.WatchResponse]) error {
	var sent uint64
	known := make(map[string]*proto.UpstreamStatus)
	for {
		set, upstreams, changed := s.provider.offer.current()
		if set.GetRevision() > sent {
			sent = set.GetRevision()
			if err := stream.Send(&proto.WatchResponse{Event: &proto.WatchResponse_Tools{Tools: set}}); err != nil {
				return err
			}
		}
		for name, status := range upstreams {
			if gproto.Equal(known[name], status) {
				continue
			}
			if err := stream.Send(&proto.WatchResponse{Event: &proto.WatchResponse_Upstream{Upstream: status}}); err != nil {
				return err
			}
		}
		maps.Copy(known, upstreams)
		for _, findings := range s.provider.offer.takeFindings() {
			if err := stream.Send(&proto.WatchResponse{Event: &proto.WatchResponse_Findings{Findings: findings}}); err != nil {
				return err
			}
		}
		select {
		case <-changed:
		case <-s.stopping:
			return nil
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
}

func (s *server) Plan(ctx context.Context, request *proto.PlanRequest) (*proto.PlanResponse, error) {
	tool, err := s.provider.offer.find(request.GetTool())
	if err != nil {
		return nil, status.Error(codes.NotFound, err.Error())
	}
	planner, ok := tool.(Planner)
	if !ok {
		return nil, status.Errorf(codes.Unimplemented, "tool %q does not plan", request.GetTool())
	}
	plan, err := runPlan(ctx, planner, request)
	if err != nil {
		return &proto.PlanResponse{Errors: []*proto.InputError{{Message: utf8(err.Error())}}}, nil
	}
	return protoPlan(plan), nil
}

func runPlan(ctx context.Context, planner Planner, request *proto.PlanRequest) (plan *Plan, err error) {
	defer recovered(fmt.Sprintf("plan of tool %q", request.GetTool()), &err)
	plan, err = planner.Plan(ctx, request.GetInput())
	if plan == nil {
		plan = &Plan{}
	}
	return plan, err
}

func (s *server) Observe(ctx context.Context, request *proto.ObserveRequest) (*proto.ObserveResponse, error) {
	if s.provider.Observe == nil {
		return nil, status.Error(codes.Unimplemented, "the provider does not observe")
	}
	files := make([]FileChange, len(request.GetFiles()))
	for i, f := range request.GetFiles() {
		files[i] = FileChange{Path: f.GetPath(), Kind: ChangeKind(f.GetKind())}
	}
	observation, err := s.observe(ctx, request.GetCallId(), files)
	if err != nil {
		return nil, err
	}
	return &proto.ObserveResponse{State: string(observation.State), Content: protoContent(observation.Content)}, nil
}

func (s *server) observe(ctx context.Context, callID string, files []FileChange) (observation *Observation, err error) {
	defer recovered("observe", &err)
	observation, err = s.provider.Observe(ctx, callID, files)
	if err == nil && observation == nil {
		observation = &Observation{State: ObservedClean}
	}
	return observation, err
}

// Stop refuses new calls, waits for the running ones within the grace, and lets
// Serve return after its answer.
func (s *server) Stop(ctx context.Context, request *proto.StopRequest) (*proto.StopResponse, error) {
	grace := defaultGrace
	if request.GetGrace() != nil {
		grace = request.GetGrace().AsDuration()
	}
	s.stop.Do(func() {
		s.mu.Lock()
		close(s.stopping)
		s.mu.Unlock()
		context.AfterFunc(ctx, s.shutdown)
	})
	done := make(chan struct{})
	go func() {
		s.calls.Wait()
		close(done)
	}()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	case <-ctx.Done():
	}
	return &proto.StopResponse{}, nil
}

// shutdown ends serving when the host has closed the connection, at the latest
// after closeTime. Closing it on this side could lose results that are on their
// way, and the answer to Stop.
func (s *server) shutdown() {
	timer := time.AfterFunc(closeTime, s.transport.Stop)
	defer timer.Stop()
	s.transport.GracefulStop()
}

// recovered turns a panic of the provider's code into an error, with the stack
// on standard error.
func recovered(what string, err *error) {
	if r := recover(); r != nil {
		fmt.Fprintf(os.Stderr, "%s panicked: %v\n%s", what, r, debug.Stack())
		*err = fmt.Errorf("%s panicked: %v; this is a fault of the provider, whose standard error has the stack", what, r)
	}
}

var errStopping = errors.New("the provider is stopping; call again, the host starts it anew")
