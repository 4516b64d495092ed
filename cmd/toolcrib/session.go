package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/front/control"
	"github.com/toolcrib/toolcrib/host/front/tui"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
)

// errNoTerminal is a session that was asked for where it cannot be drawn.
var errNoTerminal = &usageError{
	err:     fmt.Errorf("a session needs a terminal; `toolcrib tools` and `toolcrib call` work without one"),
	command: "toolcrib",
}

// openSession runs the full-screen session until the person leaves it.
func openSession(cmd *cobra.Command, global *globalFlags) error {
	if !isTerminal(cmd.InOrStdin()) || !isTerminal(cmd.OutOrStdout()) {
		return errNoTerminal
	}
	if err := global.confirmed(); err != nil {
		return err
	}
	options, err := global.options()
	if err != nil {
		return err
	}
	options.Terminal, options.WatchConfig = &terminal.Config{}, true
	h, err := host.Open(cmd.Context(), options)
	if err != nil {
		return err
	}
	defer h.Close()
	if server, err := control.Listen(host.StateFolder(options, h.Workspace()), h); err == nil {
		defer server.Close()
	} else {
		h.Events().Append("", session.Notice{Level: session.Warning, Text: fmt.Sprintf("`toolcrib plugins reload` does not reach this session; use /reload here (%v)", err)})
	}
	ctx, stop := reloadOnHangup(cmd.Context(), cmd.InOrStdin(), h)
	defer stop()
	return tui.Run(ctx, h, tui.Options{
		Version:   version,
		Workspace: h.Workspace(),
		NoColor:   os.Getenv("NO_COLOR") != "",
	})
}
