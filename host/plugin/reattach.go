package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/client"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// reachTime bounds the wait for a provider that runs already.
const reachTime = 5 * time.Second

// ReattachError tells that a provider which a person wants to be used as it runs
// cannot be reached. It is not started instead.
type ReattachError struct {
	Provider string
	Reattach sdk.Reattach
	Err      error
}

func (e *ReattachError) Error() string {
	return fmt.Sprintf("%s names provider %q (pid %d) at %s: %v; start the provider with --debug and set the variable to what it prints, or unset it to have toolcrib start the plugin",
		sdk.ReattachEnv, e.Provider, e.Reattach.PID, e.Reattach.Address, e.Err)
}

func (e *ReattachError) Unwrap() error { return e.Err }

// open connects to the provider that a person runs, where the environment names
// one, and else starts spec's program. There is no way from the first to the
// second: whoever debugs one process does not want to talk to another.
func open(ctx context.Context, spec Spec, program *executable.File, o Options, w watcher) (*connection, error) {
	at, err := reattachTo(os.Getenv(sdk.ReattachEnv), spec.Name)
	switch {
	case err != nil:
		return nil, err
	case at == nil:
		return connect(ctx, spec, program, o, w)
	}
	c, err := attach(ctx, spec, *at)
	if err != nil {
		return nil, &ReattachError{Provider: spec.Name, Reattach: *at, Err: err}
	}
	return c, nil
}

// reattachTo reads the value of [sdk.ReattachEnv]. It returns nil when the value
// does not name the provider.
func reattachTo(value, provider string) (*sdk.Reattach, error) {
	if value == "" {
		return nil, nil
	}
	data := []byte(value)
	if filepath.IsAbs(value) {
		var err error
		if data, err = os.ReadFile(value); err != nil {
			return nil, fmt.Errorf("read the file that %s names: %w; unset the variable to have toolcrib start its plugins", sdk.ReattachEnv, err)
		}
	}
	var all map[string]sdk.Reattach
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("read %s: %w; set it to what a provider prints with --debug, or unset it", sdk.ReattachEnv, err)
	}
	if at, ok := all[provider]; ok {
		return &at, nil
	}
	return nil, nil
}

// attached is the tie to a process that is not ours.
type attached struct {
	at sdk.Reattach
	// detach gives the connection up and leaves the process alone. It may be
	// called more than once.
	detach func()
}

func (p *process) notice() string {
	if p.attached == nil {
		return ""
	}
	return fmt.Sprintf("not started by toolcrib: %s names pid %d", sdk.ReattachEnv, p.attached.at.PID)
}

// attach connects to a provider that runs. Its process counts as exited when the
// connection ends.
func attach(ctx context.Context, spec Spec, at sdk.Reattach) (*connection, error) {
	if at.Network != "unix" && at.Network != "tcp" {
		return nil, fmt.Errorf("there is no network %q, only unix and tcp", at.Network)
	}
	if at.ProtocolVersion != sdk.ProtocolVersion {
		return nil, fmt.Errorf("it speaks version %d of the plugin protocol, and toolcrib version %d", at.ProtocolVersion, sdk.ProtocolVersion)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, reachTime, errors.New("nothing answers"))
	defer cancel()
	conn, err := dialProvider(ctx, at)
	if err != nil {
		return nil, err
	}
	dir, err := client.MakeRunDir()
	if err != nil {
		conn.Close()
		return nil, err
	}
	p := &process{
		program: &executable.File{}, args: spec.Program.Command(), pid: at.PID,
		stderr: &tail{}, stray: &tail{}, exited: make(chan struct{}),
	}
	p.attached = &attached{at: at, detach: sync.OnceFunc(func() {
		conn.Close()
		close(p.exited)
	})}
	go func() {
		conn.WaitForStateChange(context.Background(), connectivity.Ready)
		p.attached.detach()
	}()
	return &connection{process: p, conn: conn, rpc: attachedClient{proto.NewProviderClient(conn)}, dir: dir}, nil
}

// dialProvider returns a connection that is established.
func dialProvider(ctx context.Context, at sdk.Reattach) (*grpc.ClientConn, error) {
	// gRPC would go on trying; the person should see at once that it is no use.
	var dialer net.Dialer
	probe, err := dialer.DialContext(ctx, at.Network, at.Address)
	if err != nil {
		return nil, err
	}
	probe.Close()
	conn, err := grpc.NewClient("passthrough:///provider",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, at.Network, at.Address)
		}),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithIdleTimeout(0),
		client.MessageSize())
	if err != nil {
		return nil, err
	}
	conn.Connect()
	for state := conn.GetState(); state != connectivity.Ready; state = conn.GetState() {
		if !conn.WaitForStateChange(ctx, state) {
			conn.Close()
			return nil, context.Cause(ctx)
		}
	}
	return conn, nil
}

// attachedClient does not pass Stop on: whoever started the process ends it.
type attachedClient struct{ proto.ProviderClient }

func (attachedClient) Stop(context.Context, *proto.StopRequest, ...grpc.CallOption) (*proto.StopResponse, error) {
	return &proto.StopResponse{}, nil
}
