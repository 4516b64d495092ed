package host

import (
	"context"

	"github.com/toolcrib/toolcrib/host/plugin"
)

// Lease reaches past the pipeline to a provider, as the measure of BenchmarkInvoke.
func (h *Host) Lease(ctx context.Context, provider string) (*plugin.Lease, error) {
	return h.providers.find(provider).Lease(ctx)
}

// ConfigTouched does what a change of the configuration's files causes.
func (h *Host) ConfigTouched() { h.configTouched() }

// RebuildPause is the least time between assemblies that providers cause.
const RebuildPause = rebuildPause

// HoldAssembly lets no pool be assembled until release.
func (h *Host) HoldAssembly() (release func()) {
	h.assembler.making.Lock()
	return h.assembler.making.Unlock
}
