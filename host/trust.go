package host

import (
	"context"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// agreement is what a configuration would start and allow, and whether the
// person agreed to it.
type agreement struct {
	set     trust.Set
	request *trust.Request // nil when there is nothing to agree to
}

// survey compares a configuration with what the person agreed to.
func (h *Host) survey(loaded *config.Config) agreement {
	set := trust.Survey(loaded)
	return agreement{set: set, request: h.store.Check(h.workspace, set).Request}
}

// holds is the part of a configuration that may be used.
func (a agreement) holds(loaded *config.Config) *config.Config {
	if a.request != nil {
		return loaded.Restricted()
	}
	return loaded
}

// program is the path of a plugin's program and the checksum that was agreed
// to; empty for one that the person's own configuration declares.
func (a agreement) program(declared config.Plugin) (path, sum string, err error) {
	// By layer, not by name: the workspace may declare a name that the person
	// has declared, too, and of the two this may be the person's.
	if declared.Layer == config.LayerWorkspace {
		return a.set.Program(declared.Name)
	}
	path, err = trust.Resolve(declared.Command[0])
	return path, "", err
}

// TrustRequest is what the person has to agree to before all of the workspace's
// configuration holds; nil when there is nothing.
func (h *Host) TrustRequest() *trust.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.agreement.request
}

// Trust records that the person agrees to a request, exactly as it was shown, and
// makes all of the configuration hold. A workspace that has changed since asks
// again.
func (h *Host) Trust(ctx context.Context, agreed *trust.Request) error {
	if err := h.GrantTrust(agreed); err != nil {
		return err
	}
	_, err := h.Reload(ctx)
	return err
}

// GrantTrust records the agreement, and changes nothing in this host.
func (h *Host) GrantTrust(agreed *trust.Request) error {
	if err := h.store.Grant(h.workspace, agreed.Set); err != nil {
		return err
	}
	h.events.Append("", session.Notice{Level: session.Info, Text: "the workspace is trusted now"})
	return nil
}

// RevokeTrust forgets the agreement. What runs goes on until the next reload.
func (h *Host) RevokeTrust() error { return h.store.Revoke(h.workspace) }
