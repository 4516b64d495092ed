package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/session"
)

// hangupGrace is how long after SIGHUP the terminal is looked at: some terminals
// send the signal before they go.
const hangupGrace = 200 * time.Millisecond

// reloadOnHangup makes SIGHUP mean what it does to a daemon, while the terminal is
// there: the session reads its configuration again. Once the terminal is gone, the
// context ends, and with it the session. stop undoes it and returns when no reload
// is under way.
func reloadOnHangup(ctx context.Context, terminal any, h *host.Host) (_ context.Context, stop func()) {
	ctx, end := context.WithCancel(ctx)
	// Until now the signal ended the program, as it does for all commands.
	signal.Reset(syscall.SIGHUP)
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ctx.Done():
				return
			case <-hangups:
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(hangupGrace):
			}
			if !isTerminal(terminal) {
				end()
				return
			}
			reloadAndTell(ctx, h)
		}
	}()
	return ctx, func() {
		end()
		<-done
		signal.Stop(hangups)
	}
}

// reloadAndTell reloads the configuration and tells the session what that did.
func reloadAndTell(ctx context.Context, h *host.Host) {
	report, err := h.Reload(ctx)
	if err == nil {
		h.Events().Append("", session.Notice{Level: session.Info, Text: report.Text("the configuration was reloaded by SIGHUP")})
		return
	}
	text := "SIGHUP did not reload the configuration: " + err.Error()
	var invalid *host.ConfigError
	if errors.As(err, &invalid) {
		var found strings.Builder
		_ = invalid.Diagnostics.Render(&found, false) // a Builder takes everything
		text += "\n" + strings.TrimSpace(found.String())
	}
	h.Events().Append("", session.Notice{Level: session.Error, Text: text})
}
