package tui

import (
	"context"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
	"github.com/toolcrib/toolcrib/host/trust"
)

// Session is what the window shows and drives; *host.Host is one. Its methods
// are called from several goroutines. Those with a context may block for as long
// as it lives, SetMode while the host is busy; the others return at once.
type Session interface {
	Invoke(ctx context.Context, invocation pipeline.Invocation) (*pipeline.Outcome, error)
	Reload(ctx context.Context) (*host.Report, error)
	ReloadProvider(ctx context.Context, name string) (*host.Report, error)
	Trust(ctx context.Context, agreed *trust.Request) error
	SetMode(mode policy.Mode, confirm bool) error
	// Prompt runs the hooks for what the person sends to a model.
	Prompt(ctx context.Context, text string) (host.PromptReply, error)

	Events() *session.Log
	Approvals() *approval.Broker
	Journal() approval.Journal
	Pool() *pool.Pool
	Providers() []plugin.Status
	Mode() policy.Mode
	// Terminal is the foreground shell; nil for none.
	Terminal() *terminal.Terminal
	// TrustRequest is what the person has to agree to; nil when there is nothing.
	TrustRequest() *trust.Request
}

var _ Session = (*host.Host)(nil)

// Options say how the window is opened.
type Options struct {
	Version string
	// Workspace is the absolute path of the workspace.
	Workspace string
	// NoColor draws with bold, dim, underline and reverse only.
	NoColor bool
	// Screen is where to draw; nil is the terminal of the process.
	Screen tcell.Screen
}
