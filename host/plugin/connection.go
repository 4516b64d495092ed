package plugin

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/mtls"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// longestRunDir keeps the path of a socket below the 104 bytes that macOS allows:
// go-plugin adds two generated names.
const longestRunDir = 60

const systemTempDir = "/tmp"

// hostCertEnv is where go-plugin's servers look for the certificate of the host.
const hostCertEnv = "PLUGIN_CLIENT_CERT"

// connection is a process that speaks the plugin protocol.
type connection struct {
	process *process
	client  *plugin.Client
	conn    *grpc.ClientConn
	rpc     proto.ProviderClient
	// dir is private to the process: its socket and its scratch space.
	dir string
}

// connect starts spec's program and waits for its handshake. program may be open
// already, else it is nil. ctx bounds the start only. Of a process that fails
// nothing is left.
func connect(ctx context.Context, spec Spec, program *executable.File, o Options, w watcher) (*connection, error) {
	if program == nil {
		var err error
		if program, err = executable.Open(spec.Program, o.Checksums); err != nil {
			return nil, err
		}
		defer program.Close()
	}
	w.opened(spec, program.SHA256())
	certificate, err := mtls.NewCertificate()
	if err != nil {
		return nil, err
	}
	dir, err := makeRunDir()
	if err != nil {
		return nil, err
	}
	c := &connection{process: newProcess(program, spec, dir, w.printed), dir: dir}
	c.process.env = append(c.process.env, hostCertEnv+"="+string(mtls.PEM(certificate)))
	c.client = plugin.NewClient(c.config(certificate, o.StartTimeout))

	// go-plugin takes no context. It returns soon after the process has ended.
	done := make(chan error, 1)
	go func() { done <- c.dial() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		_ = c.process.Kill(ctx)
		<-done
		err = context.Cause(ctx)
	}
	if err != nil {
		err = c.startError(spec.Name, err)
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *connection) config(certificate tls.Certificate, timeout time.Duration) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig:  sdk.Handshake(),
		VersionedPlugins: sdk.Plugins(nil),
		RunnerFunc: func(_ hclog.Logger, cmd *exec.Cmd, _ string) (runner.Runner, error) {
			// Of cmd only go-plugin's own variables matter; they come last,
			// so that nothing overrides them.
			c.process.env = append(c.process.env, cmd.Env...)
			return c.process, nil
		},
		TLSConfig:        mtls.Client(certificate),
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Logger:           hclog.NewNullLogger(),
		Stderr:           io.Discard,
		SyncStdout:       &lineWriter{line: c.process.strayLine},
		SyncStderr:       c.process.stderr,
		StartTimeout:     timeout,
		SkipHostEnv:      true,
		UnixSocketConfig: &plugin.UnixSocketConfig{TempDir: c.dir},
		GRPCDialOptions: []grpc.DialOption{grpc.WithDefaultCallOptions(
			grpc.MaxCallRecvMsgSize(sdk.MaxMessageBytes),
			grpc.MaxCallSendMsgSize(sdk.MaxMessageBytes),
		)},
	}
}

// dial starts the process and connects to it.
func (c *connection) dial() error {
	protocol, err := c.client.Client()
	if err != nil {
		return err
	}
	client, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return fmt.Errorf("go-plugin connects by %T", protocol)
	}
	service, err := client.Dispense(sdk.ServiceName)
	if err != nil {
		return err
	}
	rpc, ok := service.(proto.ProviderClient)
	if !ok {
		return fmt.Errorf("the plugin protocol is served by a %T", service)
	}
	c.conn, c.rpc = client.Conn, rpc
	return nil
}

// startError prefers what the process did over what go-plugin saw of it.
func (c *connection) startError(name string, err error) error {
	select {
	case <-c.process.exited:
		if killed, _ := c.process.wasKilled(); !killed {
			return c.process.exitError(name, "start")
		}
	default:
	}
	if version := c.process.announced(); version != "" && version != protocolVersion {
		return &VersionError{Provider: name, Version: version}
	}
	lines, _ := c.process.stderr.last()
	if len(lines) == 0 {
		return fmt.Errorf("handshake: %w", err)
	}
	return fmt.Errorf("handshake: %w; the last line of its output was: %s", err, lines[len(lines)-1])
}

// close kills the process, if it still runs, and removes what belonged to it.
func (c *connection) close() {
	err := c.process.Kill(context.Background())
	if err == nil && c.client != nil { // nil for a process that is not ours
		// With the process gone, go-plugin's Kill, which has no deadline of
		// its own, only closes the connection.
		c.client.Kill()
	}
	_ = os.RemoveAll(c.dir)
}

// makeRunDir makes a folder for the user only. It takes the system's place for
// temporary files when the person's own is too long for a socket, or no file can
// be made there.
func makeRunDir() (string, error) {
	var failed error
	for _, parent := range []string{os.TempDir(), systemTempDir} {
		if len(parent)+len("/toolcrib-0123456789") > longestRunDir {
			failed = errors.Join(failed, fmt.Errorf("%s is too long for a socket", parent))
			continue
		}
		dir, err := os.MkdirTemp(parent, "toolcrib-")
		if err == nil {
			return dir, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", fmt.Errorf("make a private folder for its socket: %w; set TMPDIR to a folder with a short path that can be written to", failed)
}
