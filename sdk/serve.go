package sdk

import (
	"fmt"
	"os"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk/proctree"
)

// Serve offers p to the host that started this process and returns when the host
// asked the provider to stop. Calls have ended by then, and processes that the
// provider started have been killed. What else there is to clean up follows
// Serve in main.
//
// A program that a person starts by hand, or whose provider is not valid, prints
// what is wrong and exits with status 1. When the host is gone, the process ends
// at once, with everything it started.
//
// With --debug as its first argument, or [DebugEnv] set, the program is served
// without a host until it is interrupted, and prints what to put into
// [ReattachEnv], so that a host uses it as it is.
func Serve(p *Provider) {
	if err := serve(p); err != nil {
		fmt.Fprintf(os.Stderr, "%s\n", err)
		os.Exit(1)
	}
}

func serve(p *Provider) error {
	hosted := os.Getenv(CookieKey) == CookieValue
	if !hosted && !debugRequested() {
		return errByHand(p.Name)
	}
	if p.Name == "" {
		return fmt.Errorf("serve provider: it has no name; set sdk.Provider.Name")
	}
	if err := p.Update(p.Tools); err != nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	if err := p.checkHooks(); err != nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	if !hosted {
		return serveDebug(p, os.Stdout)
	}
	watchHost()

	tlsProvider, err := secure()
	if err != nil {
		return fmt.Errorf("serve provider %q: %w", p.Name, err)
	}
	server := newServer(p, os.Stderr)
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig:  Handshake(),
		VersionedPlugins: Plugins(server),
		TLSProvider:      tlsProvider,
		// What is left of go-plugin's log are faults that keep it from serving.
		Logger: hclog.New(&hclog.LoggerOptions{Name: p.Name, Level: hclog.Error, Output: os.Stderr}),
		GRPCServer: func(options []grpc.ServerOption) *grpc.Server {
			s := grpc.NewServer(append(options,
				grpc.MaxRecvMsgSize(MaxMessageBytes),
				grpc.MaxSendMsgSize(MaxMessageBytes),
			)...)
			server.transport = s
			return s
		},
	})
	// The group ends with this process, and here is the last moment to find
	// children that have left it.
	_ = proctree.KillDescendants(os.Getpid())
	return nil
}

// errByHand tells a person what this program is and how to use it.
func errByHand(name string) error {
	path, err := os.Executable()
	if err != nil {
		path = "/path/to/" + name
	}
	return fmt.Errorf(`%[1]s: this program is a toolcrib plugin, which toolcrib starts by itself
hint: declare it in config.hcl:

  plugin %[1]q {
    command = [%[2]q]
  }

to debug it, start it with --debug`, name, path)
}
