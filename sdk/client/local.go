package client

import (
	"context"
	"io"
	"strings"
)

// Local is what is alike in the [runner.Runner] of every process of this machine
// that reads the standard error itself.
type Local struct{}

// Stderr is empty.
func (Local) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Diagnose adds nothing: an error of the caller's tells more.
func (Local) Diagnose(context.Context) string { return "" }

// PluginToHost changes nothing.
func (Local) PluginToHost(network, address string) (string, string, error) {
	return network, address, nil
}

// HostToPlugin changes nothing.
func (Local) HostToPlugin(network, address string) (string, string, error) {
	return network, address, nil
}
