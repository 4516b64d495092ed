package host

import (
	"context"

	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// TrustRequest is what the person has to agree to before all of the workspace's
// configuration holds; nil when there is nothing.
func (h *Host) TrustRequest() *trust.Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.agreement.Request()
}

// Trust records that the person agrees to a request, exactly as it was shown, and
// makes all of the configuration hold. A workspace that has changed since asks
// again.
func (h *Host) Trust(ctx context.Context, agreed *trust.Request) error {
	if err := h.store.Grant(h.workspace, agreed.Set); err != nil {
		return err
	}
	h.events.Append("", session.Notice{Level: session.Info, Text: "the workspace is trusted now"})
	_, err := h.Reload(ctx)
	return err
}

// RevokeTrust forgets the agreement. What runs goes on until the next reload.
func (h *Host) RevokeTrust() error { return h.store.Revoke(h.workspace) }
