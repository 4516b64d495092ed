package conformance

import (
	"context"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

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
	look      func(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], start *proto.CallStart) error
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

func echo(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], start *proto.CallStart) error {
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

func (c *contrary) Call(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse]) error {
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

func (c *contrary) Stop(context.Context, *proto.StopRequest) (*proto.StopResponse, error) {
	c.stop(c.transport)
	return &proto.StopResponse{}, nil
}

// faultOf names what the test binary plays: a key of faults.
const faultOf = "TOOLCRIB_TEST_FAULT"

// faults are by the claim that they break. Each breaks one only.
var faults = map[string]func(*contrary){
	"": func(*contrary) {},
	"a person who starts it is told what it is": func(c *contrary) { c.cookieIgnored = true },
	"it starts and shakes hands":                func(*contrary) { panic("no hands") },
	"it accepts its configuration": func(c *contrary) {
		c.configure = func(string) []*proto.Diagnostic {
			return []*proto.Diagnostic{{Severity: proto.Diagnostic_ERROR, Summary: "never"}}
		}
	},
	"it lists its tools first": func(c *contrary) {
		c.first = &proto.WatchResponse{Event: &proto.WatchResponse_Upstream{Upstream: &proto.UpstreamStatus{Name: "up"}}}
	},
	"the provider has a name and a version":              func(c *contrary) { c.described.Version = "" },
	"the schema of its configuration is valid":           func(c *contrary) { c.described.ConfigSchema = []byte(`{"type":"string"}`) },
	"names of tools are legal":                           func(c *contrary) { c.tools()[1].Name = "wait a moment" },
	"schemas of tools are valid":                         func(c *contrary) { c.tools()[1].InputSchema = []byte(`{"type":"object","properties":[]}`) },
	"tools are described":                                func(c *contrary) { c.tools()[1].Description = " " },
	"every listing is the same":                          func(c *contrary) { c.relisted = func() { c.tools()[1].Description += "!" } },
	"plan look":                                          func(c *contrary) { c.plan = writingPlan },
	"call look":                                          func(c *contrary) { c.look = brokenJSON },
	"an unknown tool is refused":                         func(c *contrary) { c.knowsAll = true },
	"any text is taken":                                  func(c *contrary) { c.look = asciiOnly },
	"big messages are taken":                             func(c *contrary) { c.maxReceive = 4 << 20 },
	"a long call ends when it is cancelled":              func(c *contrary) { c.wait = func(ctx context.Context, _ <-chan struct{}) { <-ctx.Done() } },
	"changed files are observed":                         func(c *contrary) { c.described.Features = []string{sdk.FeatureObserve} },
	"revisions of the tool set grow":                     func(c *contrary) { c.later = []*proto.WatchResponse{c.first} },
	"calls run at the same time":                         func(c *contrary) { c.look = alone() },
	"it stops when it is told to":                        func(c *contrary) { c.exit = 3 },
	"it ends with its host":                              func(c *contrary) { c.ignoreHost = true },
	"standard input is left alone":                       func(*contrary) { _, _ = os.Stdin.Read(make([]byte, 1)) },
	"standard output has the handshake and nothing else": func(*contrary) { os.Stdout.WriteString("hello\n") },
	"faults of the configuration name their attribute": func(c *contrary) {
		c.described.ConfigSchema = []byte(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)
		c.configure = func(config string) []*proto.Diagnostic {
			if !strings.Contains(config, "-1") {
				return nil
			}
			return []*proto.Diagnostic{{Severity: proto.Diagnostic_ERROR, Summary: "something is wrong"}}
		}
	},
}

// Names of breakdowns, which break more than one claim.
const (
	dies         = "dies"
	answersTwice = "answers twice"
)

var breakdowns = map[string]func(*contrary){
	dies: func(c *contrary) {
		c.look = func(grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], *proto.CallStart) error {
			_, _ = os.NewFile(2, "stderr").WriteString("farewell\n") // go-plugin has replaced os.Stderr
			os.Exit(9)
			return nil
		}
	},
	answersTwice: func(c *contrary) {
		c.look = func(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], start *proto.CallStart) error {
			_ = echo(stream, start)
			return echo(stream, start)
		}
	},
}

func writingPlan(workspace string) *proto.PlanResponse {
	_ = os.WriteFile(workspace+"/plan", nil, 0o600)
	return &proto.PlanResponse{}
}

func brokenJSON(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], _ *proto.CallStart) error {
	broken := result("look")
	broken.GetResult().Structured = []byte("{")
	return stream.Send(broken)
}

// alone refuses a call while another runs.
func alone() func(grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], *proto.CallStart) error {
	var running atomic.Int32
	return func(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], start *proto.CallStart) error {
		defer running.Add(-1)
		if running.Add(1) > 1 {
			return status.Error(codes.ResourceExhausted, "one at a time")
		}
		_ = stream.Send(&proto.CallResponse{Message: &proto.CallResponse_Progress{Progress: &proto.Progress{Message: "looking"}}})
		runtime.Gosched()
		return echo(stream, start)
	}
}

func asciiOnly(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse], start *proto.CallStart) error {
	if strings.Contains(string(start.GetInput()), "日") {
		return io.ErrUnexpectedEOF
	}
	return echo(stream, start)
}
