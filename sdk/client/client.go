// Package client connects to the process of a provider, as hosts do: the host
// itself, and the checks of a provider's contract. How the process is run is up
// to them.
package client

import (
	"context"
	"fmt"
	"os/exec"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// Config is what all hosts tell go-plugin. run returns a process that is not
// started; go-plugin's own variables come last in its environment, so that
// nothing overrides them. The socket is made in runDir, see [MakeRunDir].
func Config(runDir string, run func(variables []string) runner.Runner) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig:  sdk.Handshake(),
		VersionedPlugins: sdk.Plugins(nil),
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
			return run(cmd.Env), nil // nothing else of cmd matters
		},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
		SkipHostEnv:      true,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: runDir},
		GRPCDialOptions:  []grpc.DialOption{MessageSize()},
	}
}

// MessageSize allows messages of up to [sdk.MaxMessageBytes].
func MessageSize() grpc.DialOption {
	return grpc.WithDefaultCallOptions(
		grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes),
		grpc.MaxCallSendMsgSize(sdk.MaxMessageBytes),
	)
}

// Connect starts the process of client and connects to it. When ctx ends before,
// it calls kill, which is to end the process, and returns the cause.
func Connect(ctx context.Context, client *plugin.Client, kill func(context.Context) error) (*grpc.ClientConn, proto.ProviderClient, error) {
	var conn *grpc.ClientConn
	var rpc proto.ProviderClient
	// go-plugin takes no context. It returns soon after the process has ended.
	done := make(chan error, 1)
	go func() {
		var err error
		conn, rpc, err = dial(client)
		done <- err
	}()
	select {
	case err := <-done:
		return conn, rpc, err
	case <-ctx.Done():
		_ = kill(ctx)
		<-done
		return nil, nil, context.Cause(ctx)
	}
}

func dial(client *plugin.Client) (*grpc.ClientConn, proto.ProviderClient, error) {
	protocol, err := client.Client()
	if err != nil {
		return nil, nil, err
	}
	grpcClient, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return nil, nil, fmt.Errorf("go-plugin connects by %T", protocol)
	}
	service, err := grpcClient.Dispense(sdk.ServiceName)
	if err != nil {
		return nil, nil, err
	}
	rpc, ok := service.(proto.ProviderClient)
	if !ok {
		return nil, nil, fmt.Errorf("the plugin protocol is served by a %T", service)
	}
	return grpcClient.Conn, rpc, nil
}
