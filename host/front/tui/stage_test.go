package tui

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"
	"go.uber.org/goleak"

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

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// deadline bounds every wait of a test; it is only reached when a test fails.
const deadline = 30 * time.Second

// workshop is a session made of the real log, broker, journal and pool, without
// any provider: invoke stands for them.
type workshop struct {
	log     *session.Log
	journal *approval.MemoryJournal
	broker  *approval.Broker
	pool    *pool.Pool
	status  []plugin.Status
	shell   *terminal.Terminal
	invoke  func(context.Context, pipeline.Invocation) error
	reload  func() (*host.Report, error)

	mu    sync.Mutex
	mode  policy.Mode
	trust *trust.Request
}

var _ Session = (*workshop)(nil)

func newWorkshop() *workshop {
	journal := approval.NewMemoryJournal(0)
	return &workshop{
		log:     session.NewLog("session_test", func() time.Time { return time.Unix(0, 0) }),
		journal: journal,
		broker:  approval.NewBroker(journal, nil),
		pool: pool.Assemble([]pool.Source{{
			Kind: pool.OriginBuiltin, Provider: "builtin",
			Tools: []pool.Tool{
				builtin("Read", `{"type":"object","required":["path"],"properties":{"path":{"type":"string"}}}`),
				builtin("Bash", `{"type":"object","required":["command"],"properties":{"command":{"type":"string"}}}`),
			},
		}}, pool.View{}),
		mode:   policy.Recommend,
		status: []plugin.Status{{Name: "builtin", State: plugin.Ready}},
	}
}

func builtin(name, schema string) pool.Tool {
	return pool.Tool{
		Name: name, ProviderName: name, Description: name + " does what it says", Load: pool.LoadAlways,
		Origin: pool.Origin{Kind: pool.OriginBuiltin, Provider: "builtin"}, InputSchema: []byte(schema),
	}
}

func (w *workshop) Prompt(_ context.Context, text string) (host.PromptReply, error) {
	if text == "hunter2" {
		return host.PromptReply{}, &host.PromptError{Hook: "censor", Reason: "that is a password"}
	}
	return host.PromptReply{}, nil
}

func (w *workshop) Invoke(ctx context.Context, i pipeline.Invocation) (*pipeline.Outcome, error) {
	return &pipeline.Outcome{}, w.invoke(ctx, i)
}
func (w *workshop) ReloadProvider(_ context.Context, name string) (*host.Report, error) {
	return &host.Report{Trusted: true, Providers: []host.ProviderReport{{Provider: name, Action: host.Restarted, Reason: "it was to be started anew"}}}, nil
}
func (w *workshop) Reload(context.Context) (*host.Report, error) { return w.reload() }
func (w *workshop) Events() *session.Log                         { return w.log }
func (w *workshop) Approvals() *approval.Broker                  { return w.broker }
func (w *workshop) Journal() approval.Journal                    { return w.journal }
func (w *workshop) Pool() *pool.Pool                             { return w.pool }
func (w *workshop) Providers() []plugin.Status                   { return w.status }
func (w *workshop) Terminal() *terminal.Terminal                 { return w.shell }

func (w *workshop) Mode() policy.Mode {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mode
}

func (w *workshop) SetMode(mode policy.Mode, _ bool) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mode = mode
	return nil
}

func (w *workshop) TrustRequest() *trust.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.trust
}

func (w *workshop) Trust(context.Context, *trust.Request) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.trust = nil
	w.log.Append("", session.Notice{Text: "the plugins run"})
	return nil
}

// ask queues a request as a call would; the answer comes on the channel.
func (w *workshop) ask(request approval.Request) <-chan approval.Decision {
	queued := w.broker.Changed()
	answer := make(chan approval.Decision, 1)
	go func() {
		decision, _ := w.broker.Ask(context.Background(), request, nil)
		answer <- decision
	}()
	<-queued
	return answer
}

// recorder stands for the shell: it shows what it is told to and keeps what is
// typed.
type recorder struct {
	mu     sync.Mutex
	screen terminal.Screen
	modes  terminal.Modes
	state  terminal.State
	typed  strings.Builder
	size   [2]int
	offset int
}

func (r *recorder) SnapshotAt(offset int) terminal.Screen {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.offset = min(offset, r.screen.Scrollback)
	s := r.screen
	s.Offset = r.offset
	return s
}

func (r *recorder) Modes() terminal.Modes {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.modes
}

func (r *recorder) State() terminal.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.typed.Write(p)
}

func (r *recorder) Paste(text string) error {
	_, err := r.Write([]byte("<" + text + ">"))
	return err
}

func (r *recorder) Resize(cols, rows int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size = [2]int{cols, rows}
	return nil
}

func (r *recorder) becomes(state terminal.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = state
}

func (r *recorder) shows(screen terminal.Screen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.screen = screen
}

func (r *recorder) cells() [2]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.size
}

func (r *recorder) got() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.typed.String()
}

// picture is the window as it was drawn, and how many keys had been handled.
type picture struct {
	text string
	keys int
}

// stage runs a session on a simulated screen.
type stage struct {
	t      *testing.T
	app    *app
	shop   *workshop
	shell  *recorder
	screen tcell.SimulationScreen

	mu      sync.Mutex
	last    picture
	drawn   chan struct{}
	handled int // by the loop
	sent    int
	done    chan struct{}
}

// play opens a session of 80x24 cells, which ends with the test. Its shell is a
// recorder unless the workshop has one.
func play(t *testing.T, shop *workshop) *stage {
	t.Helper()
	s := &stage{
		t: t, shop: shop, shell: &recorder{state: terminal.AtPrompt},
		screen: tcell.NewSimulationScreen("UTF-8"), drawn: make(chan struct{}, 1), done: make(chan struct{}),
	}
	s.app = newApp(t.Context(), shop, Options{Version: "test", Workspace: "/home/me/work", Screen: s.screen})
	if shop.shell == nil {
		s.app.view.pane = newPane(s.app.theme, s.shell)
		s.app.view.pane.failed = s.app.fail
	}
	s.screen.SetSize(80, 24)
	after := s.app.ui.GetAfterDrawFunc()
	s.app.ui.SetAfterDrawFunc(func(screen tcell.Screen) { after(screen); s.photograph(screen) })
	s.app.ui.SetInputCapture(func(event *tcell.EventKey) *tcell.EventKey {
		s.handled++
		return s.app.keys(event)
	})
	detach := shop.broker.Attach()
	go func() {
		defer close(s.done)
		if err := s.app.run(); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		s.app.cancel()
		<-s.done
		detach()
	})
	s.sees("Toolcrib test")
	return s
}

func (s *stage) photograph(screen tcell.Screen) {
	text := screenText(screen)
	s.mu.Lock()
	s.last = picture{text, s.handled}
	s.mu.Unlock()
	select {
	case s.drawn <- struct{}{}:
	default:
	}
}

func screenText(screen tcell.Screen) string {
	width, height := screen.Size()
	var b strings.Builder
	for y := range height {
		var row strings.Builder
		for x := 0; x < width; {
			text, _, w := screen.Get(x, y)
			row.WriteString(text)
			x += max(w, 1)
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return b.String()
}

// until waits for a picture that fits.
func (s *stage) until(what string, fits func(picture) bool) string {
	s.t.Helper()
	timeout := time.After(deadline)
	for {
		s.mu.Lock()
		last := s.last
		s.mu.Unlock()
		if fits(last) {
			return last.text
		}
		select {
		case <-s.drawn:
		case <-timeout:
			s.t.Fatalf("never saw %s; the screen is\n%s", what, last.text)
		}
	}
}

// sees waits until the window shows text.
func (s *stage) sees(text string) string {
	s.t.Helper()
	return s.until(text, func(p picture) bool { return strings.Contains(p.text, text) })
}

// loses waits until the window shows text no more.
func (s *stage) loses(text string) string {
	s.t.Helper()
	return s.until("no "+text, func(p picture) bool { return !strings.Contains(p.text, text) })
}

// press sends keys and returns the window after all were handled.
func (s *stage) press(keys ...tcell.Key) string {
	s.t.Helper()
	for _, key := range keys {
		s.screen.InjectKey(key, 0, tcell.ModNone)
	}
	return s.handledAll(len(keys))
}

// types sends characters and returns the window after all were handled.
func (s *stage) types(text string) string {
	s.t.Helper()
	for _, r := range text {
		s.screen.InjectKey(tcell.KeyRune, r, tcell.ModNone)
	}
	return s.handledAll(len([]rune(text)))
}

// paste pastes text as a terminal with bracketed paste does.
func (s *stage) paste(text string) {
	_ = s.screen.PostEvent(tcell.NewEventPaste(true))
	for _, r := range text {
		key := tcell.KeyRune
		if r == '\n' {
			key = tcell.KeyEnter
		}
		s.screen.InjectKey(key, r, tcell.ModNone)
	}
	_ = s.screen.PostEvent(tcell.NewEventPaste(false))
}

func (s *stage) handledAll(more int) string {
	s.t.Helper()
	s.sent += more
	return s.until("the keys handled", func(p picture) bool { return p.keys >= s.sent })
}

// submit types a line on the input line.
func (s *stage) submit(text string) string {
	s.t.Helper()
	s.types(text)
	return s.press(tcell.KeyEnter)
}

// decision waits for an answer.
func (s *stage) decision(answer <-chan approval.Decision) approval.Decision {
	s.t.Helper()
	select {
	case d := <-answer:
		return d
	case <-time.After(deadline):
		s.t.Fatal("the request was never decided")
		return approval.Decision{}
	}
}

// undecided fails when a request was answered. Keys are handled in order, so
// what they would have decided has been decided by now.
func (s *stage) undecided(want int) {
	s.t.Helper()
	if got := len(s.shop.broker.Pending()); got != want {
		s.t.Errorf("%d requests wait, want %d: %+v", got, want, s.shop.journal.Records())
	}
}
