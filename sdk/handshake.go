package sdk

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// What host and provider must agree on before they talk. A provider in another
// language prints go-plugin's handshake line with ProtocolVersion and the
// protocol "grpc", and serves toolcrib.plugin.v1.Provider.
const (
	// ProtocolVersion is the version of the plugin protocol.
	ProtocolVersion = 1
	// CookieKey and CookieValue are the environment variable by which a
	// provider knows that a host started it. They are not a secret.
	CookieKey   = "TOOLCRIB_PLUGIN"
	CookieValue = "toolcrib.plugin.v1"
	// LifelineEnv names the environment variable with the number of the file
	// descriptor that reads end-of-file once the host is gone.
	LifelineEnv = "TOOLCRIB_LIFELINE"
	// RunDirEnv names the environment variable with the folder that belongs to
	// this process alone and holds its socket and its scratch space. The host
	// removes it, and so does the provider when the host is gone. It stays in
	// the environment of what the provider starts, by which the host finds what
	// a crash left behind.
	RunDirEnv = "TOOLCRIB_RUN_DIR"
	// ServiceName is what go-plugin's client dispenses.
	ServiceName = "provider"
	// MaxMessageBytes bounds every message of the protocol, in both directions.
	MaxMessageBytes = 16 << 20
)

// Names of features, in Describe, Configure and CallStart.
const (
	FeatureHandoff  = "handoff"
	FeatureQuestion = "question"
	FeatureObserve  = "observe"
)

// Handshake is go-plugin's handshake for both sides.
func Handshake() plugin.HandshakeConfig {
	return plugin.HandshakeConfig{
		ProtocolVersion:  ProtocolVersion,
		MagicCookieKey:   CookieKey,
		MagicCookieValue: CookieValue,
	}
}

// Plugins are the versions of the protocol and what serves them. The host passes
// nil for server and is given a [proto.ProviderClient] by Dispense.
func Plugins(server proto.ProviderServer) map[int]plugin.PluginSet {
	return map[int]plugin.PluginSet{
		ProtocolVersion: {ServiceName: &service{server: server}},
	}
}

// service joins the provider service to go-plugin.
type service struct {
	plugin.NetRPCUnsupportedPlugin
	server proto.ProviderServer
}

var _ plugin.GRPCPlugin = (*service)(nil)

func (s *service) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	proto.RegisterProviderServer(server, s.server)
	return nil
}

func (s *service) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return proto.NewProviderClient(conn), nil
}
