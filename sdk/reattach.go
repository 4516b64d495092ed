package sdk

// ReattachEnv names the environment variable by which a person tells the host to
// use providers that run already, in a debugger for example, instead of starting
// them. Its value is a JSON object of [Reattach] by the names under which
// config.hcl declares the providers, or the absolute path of a file with one.
const ReattachEnv = "TOOLCRIB_REATTACH"

// Reattach says where a provider listens that the host has not started.
type Reattach struct {
	// Network is "unix" or "tcp", and Address a path or a host and port.
	Network string `json:"network"`
	Address string `json:"address"`
	// PID is shown to people. The host never signals it.
	PID             int `json:"pid"`
	ProtocolVersion int `json:"protocol_version"`
}
