package plugin

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// misbehaving are roles that no provider made with the SDK could play.
var misbehaving = map[string]func(){
	"panics in Describe": func() {
		serveRaw(&rawProvider{describe: func() { panic("who am I") }})
	},
	"panics in Configure": func() {
		serveRaw(&rawProvider{configure: func() { panic("too many settings") }})
	},
	"never answers Describe": func() {
		serveRaw(&rawProvider{describe: func() {
			fmt.Fprintln(os.Stderr, "I have to think about it")
			hang()
		}})
	},
	"never answers Configure": func() { serveRaw(&rawProvider{configure: hang}) },
	"never tells its tools":   func() { serveRaw(&rawProvider{watch: hang}) },
	"ignores Stop":            func() { serveRaw(&rawProvider{stop: func() { select {} }}) },
	"has 10,000 tools": func() {
		tools := make([]*proto.Tool, 10_000)
		for i := range tools {
			tools[i] = rawTool(fmt.Sprintf("tool_%d", i))
		}
		serveRaw(&rawProvider{tools: tools})
	},
	"answers 64 MiB": func() {
		serveRaw(&rawProvider{result: &proto.Result{Content: []*proto.Content{
			{Kind: &proto.Content_Text{Text: strings.Repeat("z", 64<<20)}},
		}}})
	},
	"panics in a call": func() {
		serveRaw(&rawProvider{call: func() { panic("not again") }})
	},
	"answers with an array":       func() { serveRaw(&rawProvider{answer: `[]`}) },
	"answers with null":           func() { serveRaw(&rawProvider{answer: `null`}) },
	"answers with half an object": func() { serveRaw(&rawProvider{answer: `{"decision":`}) },
	"older":                       func() { serveRaw(&rawProvider{}) },
	"newer":                       serveNewer,
	"speaks version 7": func() {
		serve(sdk.Plugins(&rawProvider{})[sdk.ProtocolVersion], 7)
	},
	"starts slowly": func() {
		time.Sleep(300 * time.Millisecond)
		serveTestProvider()
	},
	"reads its input first": func() {
		if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
			panic(err)
		}
		serveTestProvider()
	},
	"prints a line without end": func() {
		fmt.Print(strings.Repeat("x", 1<<20))
		hang()
	},
	"prints a line without end later": func() {
		stdout := os.Stdout // go-plugin is about to replace it
		serveRaw(&rawProvider{call: func() { fmt.Fprint(stdout, strings.Repeat("x", 1<<20)) }})
	},
	"floods its standard error": func() {
		for range 64 {
			fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 1023)+"\n", 1<<10))
		}
		serveTestProvider()
	},
	"dies with a child that holds its output": func() {
		child, err := spawn("own group")
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "child", child)
		os.Exit(3)
	},
}

// hangingFile tells that a role has come to where it hangs.
const hangingFile = "hanging"

func hang() {
	if err := os.WriteFile(filepath.Join(os.TempDir(), hangingFile), nil, 0o600); err != nil {
		panic(err)
	}
	select {}
}

// rawProvider answers the protocol as it is told to. What is nil does nothing.
type rawProvider struct {
	proto.UnimplementedProviderServer
	describe, configure, watch, call, stop func()

	tools  []*proto.Tool
	result *proto.Result
	answer string // to every event; empty for a provider that knows of none
}

func rawTool(name string) *proto.Tool {
	return &proto.Tool{Name: name, Description: name, InputSchema: []byte(`{"type":"object"}`)}
}

func run(f func()) {
	if f != nil {
		f()
	}
}

func (p *rawProvider) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	run(p.describe)
	return &proto.DescribeResponse{Name: "raw", Version: "1"}, nil
}

func (p *rawProvider) Configure(context.Context, *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	run(p.configure)
	return &proto.ConfigureResponse{}, nil
}

func (p *rawProvider) Watch(_ *proto.WatchRequest, stream grpc.ServerStreamingServer[proto.WatchResponse]) error {
	run(p.watch)
	tools := p.tools
	if tools == nil {
		tools = []*proto.Tool{rawTool("tool")}
	}
	set := &proto.WatchResponse{Event: &proto.WatchResponse_Tools{Tools: &proto.ToolSet{Revision: 1, Tools: tools}}}
	if err := stream.Send(set); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

func (p *rawProvider) Call(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse]) error {
	if _, err := stream.Recv(); err != nil {
		return err
	}
	run(p.call)
	return stream.Send(&proto.CallResponse{Message: &proto.CallResponse_Result{Result: p.result}})
}

func (p *rawProvider) Hook(ctx context.Context, request *proto.HookRequest) (*proto.HookResponse, error) {
	if p.answer == "" {
		return p.UnimplementedProviderServer.Hook(ctx, request)
	}
	return &proto.HookResponse{Answer: []byte(p.answer)}, nil
}

func (p *rawProvider) Stop(context.Context, *proto.StopRequest) (*proto.StopResponse, error) {
	run(p.stop)
	return &proto.StopResponse{}, nil
}

func serveRaw(p *rawProvider) {
	// Its last words are to reach the host by the descriptor.
	stderr := os.Stderr
	describe := p.describe
	p.describe = func() {
		os.Stderr = stderr
		run(describe)
	}
	serve(sdk.Plugins(p)[sdk.ProtocolVersion], sdk.ProtocolVersion)
}

func serve(set plugin.PluginSet, version int) {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  sdk.Handshake(),
		VersionedPlugins: map[int]plugin.PluginSet{version: set},
		GRPCServer:       plugin.DefaultGRPCServer,
		Logger:           hclog.NewNullLogger(),
	})
}
