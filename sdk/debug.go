package sdk

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk/proctree"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

const (
	// debugFlag as the first argument makes [Serve] serve without a host.
	debugFlag = "--debug"
	// DebugEnv does the same when it is not empty, for programs that read their
	// arguments themselves.
	DebugEnv = "TOOLCRIB_DEBUG"
)

func debugRequested() bool {
	return os.Getenv(DebugEnv) != "" || len(os.Args) > 1 && os.Args[1] == debugFlag
}

// longestSocketDir keeps the path of a socket below the 104 bytes that macOS
// allows.
const longestSocketDir = 60

// debugServer outlives its hosts: the person who started it ends it.
type debugServer struct{ *server }

func (debugServer) Stop(context.Context, *proto.StopRequest) (*proto.StopResponse, error) {
	return &proto.StopResponse{}, nil
}

// serveDebug serves p until a person interrupts it, and tells on out how a host
// gets at it. Hosts come and go; each configures the provider again.
func serveDebug(p *Provider, out io.Writer) error {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parent := os.TempDir()
	if len(parent) > longestSocketDir {
		parent = "/tmp"
	}
	dir, err := os.MkdirTemp(parent, "toolcrib-debug-") // for the user only
	if err != nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	if err := announceDebug(out, p.Name, listener.Addr()); err != nil {
		listener.Close()
		return err
	}

	transport := grpc.NewServer(grpc.MaxRecvMsgSize(MaxMessageBytes), grpc.MaxSendMsgSize(MaxMessageBytes))
	server := newServer(p, os.Stderr)
	server.adopt = func() {} // the process stays the person's
	proto.RegisterProviderServer(transport, debugServer{server})
	context.AfterFunc(interrupted, transport.Stop)
	err = transport.Serve(listener)
	_ = proctree.KillDescendants(os.Getpid())
	if interrupted.Err() == nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	return nil
}

// announceDebug prints what a person puts into [ReattachEnv].
func announceDebug(out io.Writer, name string, address net.Addr) error {
	value, err := json.Marshal(map[string]Reattach{name: {
		Network: address.Network(), Address: address.String(), PID: os.Getpid(), ProtocolVersion: ProtocolVersion,
	}})
	if err != nil {
		return fmt.Errorf("announce provider %q: %w", name, err)
	}
	fmt.Fprintf(out, "%s is served for debugging (pid %d). In the terminal of toolcrib:\n\n  export %s='%s'\n\n",
		name, os.Getpid(), ReattachEnv, value)
	switch path, err := writeReattachFile(name, value); err {
	case nil:
		fmt.Fprintf(out, "or, which holds when this program is started again, too:\n\n  export %s='%s'\n\n", ReattachEnv, path)
	default:
		fmt.Fprintf(os.Stderr, "the same could not be written to a file: %v\n", err)
	}
	fmt.Fprintln(out, "Ctrl-C ends it.")
	return nil
}

// writeReattachFile keeps value at a place that depends on the name only. The
// file outlives the process, so that a host that still names it says what it
// cannot reach.
func writeReattachFile(name string, value []byte) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "toolcrib", "debug")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, ".new-") // mode 0600
	if err != nil {
		return "", err
	}
	defer os.Remove(file.Name()) // fails once it is renamed
	_, err = file.Write(append(value, '\n'))
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, url.PathEscape(name)+".json")
	return path, os.Rename(file.Name(), path)
}
