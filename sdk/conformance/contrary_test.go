package conformance

import (
	"context"
	"io"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// contrary is a provider, written without the SDK, that keeps the contract but
// for what a test changes. Its tools are "look", which answers with its input,
// and "wait", which lasts until it is cancelled.
type contrary struct {
	proto.UnimplementedProviderServer

	described proto.DescribeResponse
	first     *proto.WatchResponse // of every Watch
	later     []*proto.WatchResponse
	relisted  func() // runs before every Watch but the first
	stop      func(transport *grpc.Server)
	exit      int

	configure func(config string) []*proto.Diagnostic
	plan      func(workspace string) *proto.PlanResponse
	look      looker
	hook      func(event string) string // its answer; nil for a provider without hooks
	wait      func(ctx context.Context, cancelled <-chan struct{})

	knowsAll      bool
	maxReceive    int
	ignoreHost    bool
	cookieIgnored bool

	watches   atomic.Int32
	workspace string
	transport *grpc.Server
}

func claimed(claim bool) *bool { return &claim }

func newContrary() *contrary {
	schema := []byte(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`)
	c := &contrary{
		first: &proto.WatchResponse{Event: &proto.WatchResponse_Tools{Tools: &proto.ToolSet{Revision: 1, Tools: []*proto.Tool{
			{Name: "look", Description: "Look.", InputSchema: schema, Plans: true, Annotations: &proto.Annotations{ReadOnly: claimed(true)}},
			{Name: "wait", Description: "Wait.", InputSchema: schema},
		}}}},
		stop:       func(transport *grpc.Server) { go transport.GracefulStop() },
		configure:  func(string) []*proto.Diagnostic { return nil },
		plan:       func(string) *proto.PlanResponse { return &proto.PlanResponse{} },
		look:       echo,
		wait:       func(ctx context.Context, cancelled <-chan struct{}) { <-cancelled },
		maxReceive: sdk.MaxMessageBytes,
	}
	c.described.Name, c.described.Version = "contrary", "1.0.0"
	return c
}

func (c *contrary) tools() []*proto.Tool { return c.first.GetTools().GetTools() }

func result(text string) *proto.CallResponse {
	return &proto.CallResponse{Message: &proto.CallResponse_Result{Result: &proto.Result{
		Content: []*proto.Content{{Kind: &proto.Content_Text{Text: text}}},
	}}}
}

type callServer = grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse]

// looker runs the tool "look".
type looker func(stream callServer, start *proto.CallStart) error

func echo(stream callServer, start *proto.CallStart) error {
	return stream.Send(result(string(start.GetInput())))
}

// serve is main of the process.
func (c *contrary) serve() {
	if os.Getenv(sdk.CookieKey) != sdk.CookieValue && !c.cookieIgnored {
		os.Stderr.WriteString("this is a plugin\n")
		os.Exit(1)
	}
	os.Setenv(sdk.CookieKey, sdk.CookieValue)
	if fd, err := strconv.Atoi(os.Getenv(sdk.LifelineEnv)); err == nil && !c.ignoreHost {
		go func() {
			_, _ = io.Copy(io.Discard, os.NewFile(uintptr(fd), "lifeline"))
			os.Exit(0)
		}()
	}
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  sdk.Handshake(),
		VersionedPlugins: sdk.Plugins(c),
		Logger:           hclog.NewNullLogger(),
		GRPCServer: func(options []grpc.ServerOption) *grpc.Server {
			c.transport = grpc.NewServer(append(options, grpc.MaxRecvMsgSize(c.maxReceive))...)
			return c.transport
		},
	})
	os.Exit(c.exit)
}

func (c *contrary) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	return &c.described, nil
}

func (c *contrary) Configure(_ context.Context, r *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	c.workspace = r.GetWorkspace()
	return &proto.ConfigureResponse{Diagnostics: c.configure(string(r.GetConfig()))}, nil
}

func (c *contrary) Watch(_ *proto.WatchRequest, stream grpc.ServerStreamingServer[proto.WatchResponse]) error {
	if c.watches.Add(1) > 1 && c.relisted != nil {
		c.relisted()
	}
	for _, message := range append([]*proto.WatchResponse{c.first}, c.later...) {
		if err := stream.Send(message); err != nil {
			return err
		}
	}
	<-stream.Context().Done()
	return nil
}

func (c *contrary) Plan(context.Context, *proto.PlanRequest) (*proto.PlanResponse, error) {
	return c.plan(c.workspace), nil
}

func (c *contrary) Call(stream callServer) error {
	first, err := stream.Recv()
	if err != nil {
		return err
	}
	cancelled := make(chan struct{})
	go func() {
		defer close(cancelled)
		for {
			if r, err := stream.Recv(); err != nil || r.GetCancel() != nil {
				return
			}
		}
	}()
	switch start := first.GetStart(); start.GetTool() {
	case "look":
		return c.look(stream, start)
	case "wait":
		c.wait(stream.Context(), cancelled)
		return stream.Send(result("waited"))
	}
	refused := result("there is no such tool")
	refused.GetResult().IsError = !c.knowsAll
	return stream.Send(refused)
}

func (c *contrary) Hook(ctx context.Context, r *proto.HookRequest) (*proto.HookResponse, error) {
	if c.hook == nil {
		return c.UnimplementedProviderServer.Hook(ctx, r)
	}
	return &proto.HookResponse{Answer: []byte(c.hook(r.GetEvent()))}, nil
}

func (c *contrary) Stop(context.Context, *proto.StopRequest) (*proto.StopResponse, error) {
	c.stop(c.transport)
	return &proto.StopResponse{}, nil
}
