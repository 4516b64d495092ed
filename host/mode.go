package host

import (
	"fmt"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
)

// errConfirm is the answer to a mode that was not confirmed.
var errConfirm = fmt.Errorf("mode trust runs nearly everything without asking; confirm it: /mode approval trust confirm, or --mode trust --confirm")

func checkMode(mode policy.Mode, confirm bool) error {
	if _, err := policy.ParseMode(string(mode)); err != nil {
		return err
	}
	if mode == policy.Trust && !confirm {
		return errConfirm
	}
	return nil
}

// Mode is the approval mode that holds now.
func (h *Host) Mode() policy.Mode { return h.engine.Load().Mode() }

// SetMode changes the approval mode of this session; a reload keeps it.
// policy.Trust needs confirm.
func (h *Host) SetMode(mode policy.Mode, confirm bool) error {
	if err := checkMode(mode, confirm); err != nil {
		return err
	}
	h.reload.Lock()
	defer h.reload.Unlock()
	h.mu.Lock()
	h.chosen = mode
	h.mu.Unlock()
	h.engine.Store(h.engine.Load().WithMode(mode))
	h.assembler.refresh()
	h.events.Append("", session.Notice{Level: session.Info, Text: fmt.Sprintf("approval mode is now %s", mode)})
	return nil
}
