package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/client"
	"github.com/toolcrib/toolcrib/sdk/proctree"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

const (
	// startTime bounds the handshake, and answerTime one request.
	startTime  = 30 * time.Second
	answerTime = 20 * time.Second
	// exitTime is how long a broken connection may precede the end of the process.
	exitTime = time.Second
)

// provider is one running process of the provider and the connection to it.
type provider struct {
	process *process
	client  *plugin.Client
	conn    *grpc.ClientConn
	rpc     proto.ProviderClient
	dir     string // of its socket and its scratch space
	// features are offered to calls. A command that is handed off is answered as
	// by a host where nobody is there.
	features []string

	described *proto.DescribeResponse
	// life ends with the process; its streams live on it.
	life context.Context
	end  context.CancelFunc

	mu      sync.Mutex
	watched []*proto.WatchResponse // by the stream that start opened
}

// launch starts a process and connects to it. newer makes requests look as if a
// newer host sent them.
func (s *suite) launch(ctx context.Context, newer bool) (*provider, error) {
	dir, err := client.MakeRunDir()
	if err != nil {
		return nil, err
	}
	p := &provider{process: newProcess(s.command, s.workspace, s.options.Env), dir: dir}
	p.life, p.end = context.WithCancel(context.Background())
	p.client = plugin.NewClient(p.config(newer))
	if newer {
		p.features = hostFeatures()
	}

	if p.conn, p.rpc, err = client.Connect(ctx, p.client, p.process.Kill); err != nil {
		err = p.explain(err)
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *provider) config(newer bool) *plugin.ClientConfig {
	config := client.Config(p.dir, func(variables []string) runner.Runner {
		p.process.cmd.Env = append(p.process.cmd.Env, variables...)
		return p.process
	})
	config.AutoMTLS = true
	config.StartTimeout = startTime
	if newer {
		config.GRPCDialOptions = append(config.GRPCDialOptions, newerHost()...)
	}
	return config
}

// explain prefers the end of the process over what it did to the connection, and
// takes gRPC's words off the rest.
func (p *provider) explain(err error) error {
	code := status.Code(err)
	if code == codes.Unavailable || code == codes.Canceled {
		p.process.endsWithin(exitTime)
	}
	if p.process.started && !p.process.running() {
		return errors.New(p.process.exit())
	}
	if s, ok := status.FromError(err); ok && code != codes.OK {
		return fmt.Errorf("%s (%s)", s.Message(), code)
	}
	return err
}

func (p *provider) describe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var err error
	p.described, err = p.rpc.Describe(ctx, &proto.DescribeRequest{
		HostVersion: "conformance", HostFeatures: hostFeatures(),
	})
	if err != nil {
		return fmt.Errorf("request Describe: %w", p.explain(err))
	}
	return nil
}

// hostFeatures has one that no provider knows.
func hostFeatures() []string {
	return []string{sdk.FeatureHandoff, sdk.FeatureQuestion, "time-travel"}
}

// configure hands config over and returns what is wrong with it.
func (p *provider) configure(ctx context.Context, workspace string, config json.RawMessage) ([]*proto.Diagnostic, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	scratch := filepath.Join(p.dir, "scratch")
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return nil, fmt.Errorf("make scratch folder: %w", err)
	}
	if len(config) == 0 {
		config = json.RawMessage("{}")
	}
	response, err := p.rpc.Configure(ctx, &proto.ConfigureRequest{
		Config: config, Workspace: workspace, ScratchDir: scratch, HostFeatures: hostFeatures(),
	})
	if err != nil {
		return nil, fmt.Errorf("request Configure: %w", p.explain(err))
	}
	return response.GetDiagnostics(), nil
}

// refusal says in one line why a configuration is refused; empty when it is not.
func refusal(diagnostics []*proto.Diagnostic) string {
	var texts []string
	for _, d := range diagnostics {
		if d.GetSeverity() != proto.Diagnostic_WARNING {
			texts = append(texts, strings.TrimPrefix(strings.Join(d.GetPath(), ".")+": "+d.GetSummary(), ": "))
		}
	}
	return strings.Join(texts, "; ")
}

// watch opens a stream, returns its first message, and records the later ones in
// p.watched if record is set.
func (p *provider) watch(ctx context.Context, record bool) (*proto.WatchResponse, error) {
	streamCtx, end := context.WithCancel(p.life)
	stop := context.AfterFunc(ctx, end)
	stream, err := p.rpc.Watch(streamCtx, &proto.WatchRequest{})
	if err != nil {
		end()
		return nil, fmt.Errorf("request Watch: %w", p.explain(err))
	}
	timer := time.AfterFunc(answerTime, end)
	first, err := stream.Recv()
	timer.Stop()
	stop()
	if err != nil {
		end()
		return nil, fmt.Errorf("request Watch: no first message: %w", p.explain(err))
	}
	if !record {
		end()
		return first, nil
	}
	p.watched = append(p.watched, first)
	go func() {
		defer end()
		for {
			response, err := stream.Recv()
			if err != nil {
				return
			}
			p.mu.Lock()
			p.watched = append(p.watched, response)
			p.mu.Unlock()
		}
	}()
	return first, nil
}

// stop asks the process to exit. It fails unless the process does, by itself, in
// time and with status 0, and takes down what it has started.
func (p *provider) stop(ctx context.Context) error {
	children := p.children()
	ctx, cancel := context.WithTimeout(ctx, stopGrace+stopMargin)
	defer cancel()
	_, err := p.rpc.Stop(ctx, &proto.StopRequest{Grace: durationpb.New(stopGrace)})
	// A process that exits at once breaks the connection before its answer.
	p.conn.Close()
	switch {
	case !p.process.endsWithin(stopMargin) && err != nil:
		return fmt.Errorf("request Stop: %w; and the process goes on", err)
	case p.process.running():
		return fmt.Errorf("the process still runs %s after its answer to Stop", stopMargin)
	case !p.process.cmd.ProcessState.Success():
		return errors.New(p.process.exit())
	}
	return endOf(children)
}

// children are the processes that the provider has started.
func (p *provider) children() []int {
	pids, _ := proctree.Descendants(p.process.cmd.Process.Pid)
	return pids
}

// endOf waits for the children of an ended process to end, too. It kills those
// that do not, and returns an error.
func endOf(children []int) error {
	gone := func(pid int) bool { return syscall.Kill(pid, 0) != nil }
	for deadline := time.Now().Add(leftoverTime); ; time.Sleep(pollTime) {
		children = slices.DeleteFunc(children, gone)
		if len(children) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			break
		}
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return fmt.Errorf("processes that it started outlive it: %v", children)
}

// close kills the process, if it still runs, and removes what belonged to it.
func (p *provider) close() {
	p.end()
	if p.process.Kill(context.Background()) == nil {
		// With the process gone, this only closes the connection.
		p.client.Kill()
	}
	if p.conn != nil {
		p.conn.Close()
	}
	p.process.stdin.r.Close()
	p.process.stdin.w.Close()
	_ = os.RemoveAll(p.dir)
}
