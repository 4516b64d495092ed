package plugin

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/sdk/client"
	"github.com/toolcrib/toolcrib/sdk/mtls"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

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
	dir, err := client.MakeRunDir()
	if err != nil {
		return nil, err
	}
	c := &connection{process: newProcess(program, spec, dir, w.printed), dir: dir}
	c.process.env = append(c.process.env, hostCertEnv+"="+string(mtls.PEM(certificate)))
	c.client = plugin.NewClient(c.config(certificate, o.StartTimeout))

	if c.conn, c.rpc, err = client.Connect(ctx, c.client, c.process.Kill); err != nil {
		err = c.startError(spec.Name, err)
		c.close()
		return nil, err
	}
	return c, nil
}

func (c *connection) config(certificate tls.Certificate, timeout time.Duration) *plugin.ClientConfig {
	config := client.Config(c.dir, func(variables []string) runner.Runner {
		c.process.env = append(c.process.env, variables...)
		return c.process
	})
	config.TLSConfig = mtls.Client(certificate)
	config.Stderr = io.Discard
	config.SyncStdout = &lineWriter{line: c.process.strayLine}
	config.SyncStderr = c.process.stderr
	config.StartTimeout = timeout
	return config
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
