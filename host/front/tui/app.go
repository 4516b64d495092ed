package tui

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// grace is how long Run waits at its end for calls that were cancelled.
const grace = 5 * time.Second

// frameTime is the shortest time between two redraws that nobody waits for, so
// that a command which prints without end leaves time for the keys.
const frameTime = time.Second / 60

// app is one running session. The loop of tview owns its fields; other
// goroutines reach them through the mailbox only.
type app struct {
	session Session
	options Options
	theme   theme
	ctx     context.Context
	cancel  context.CancelFunc

	ui    *tview.Application
	view  *view
	focus *focus
	mail  *mailbox

	history *history
	seq     uint64 // of the last event that was applied

	queue     queue
	decided   string         // id of the card that the person answered last
	postponed string         // id of the trust card that was put off
	asked     *trust.Request // the last one that was looked at
	trusting  bool           // the person agreed and the plugins are being started

	status   status
	counted  *pool.Pool                 // the pool that status tells of
	running  map[int]context.CancelFunc // calls of the person
	lastCall int
	leaving  bool // Ctrl-C was pressed with nothing to cancel

	watchers sync.WaitGroup // goroutines that end with ctx
	workers  sync.WaitGroup // calls, reloads: they end when the host says so
	// drawing is closed once the loop runs and has drawn.
	drawing   chan struct{}
	firstDraw sync.Once
	// crash is the first panic of another goroutine, with its stack.
	crash atomic.Pointer[string]
}

// Run shows the session until the person leaves or ctx ends, and gives the
// terminal back as it was, also when it panics. Calls that the person started
// are cancelled at the end. The session stays open.
func Run(ctx context.Context, s Session, options Options) error {
	a := newApp(ctx, s, options)
	detach := s.Approvals().Attach()
	defer detach()
	return a.run()
}

func newApp(ctx context.Context, s Session, options Options) *app {
	ctx, cancel := context.WithCancel(ctx)
	t := newTheme(options.NoColor)
	a := &app{
		session: s, options: options, theme: t, ctx: ctx, cancel: cancel,
		ui: tview.NewApplication(), view: newView(t), mail: newMailbox(),
		running: map[int]context.CancelFunc{}, drawing: make(chan struct{}),
	}
	a.history = newHistory(a.view.transcript)
	a.focus = &focus{view: a.view, set: func(p tview.Primitive) { a.ui.SetFocus(p) }, handoffs: map[string]bool{}}
	a.view.moved = a.focus.person
	a.view.pasting = func(text string) { a.focus.typed(isCommand(strings.TrimSpace(text))) }
	a.view.status = a.statusLine
	a.view.card.act = a.act
	a.view.card.page = a.pageCards
	a.view.input.submit = a.submit
	a.view.input.complete = a.words().complete
	a.view.input.choices = a.showChoices
	if shell := s.Terminal(); shell != nil {
		a.view.pane = newPane(t, shell)
		a.view.pane.failed = a.fail
		a.view.pane.restart = a.restartShell
	}
	if options.Screen != nil {
		a.ui.SetScreen(options.Screen)
	}
	a.ui.EnableMouse(true).EnablePaste(true).SetInputCapture(a.keys).SetRoot(a.view, true)
	a.ui.SetAfterDrawFunc(func(tcell.Screen) { a.firstDraw.Do(func() { close(a.drawing) }) })
	return a
}

// run draws until the context ends.
func (a *app) run() error {
	a.greet()
	a.events()
	a.cards()
	a.watch(a.followEvents)
	a.watch(a.followCards)
	if shell := a.session.Terminal(); shell != nil {
		a.watch(func() { a.followShell(shell.Changed) })
	}
	a.watchers.Go(a.deliver)
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		a.stop(ended)
	}()
	err := a.ui.Run()
	close(ended)
	a.cancel()
	<-stopped
	a.settle()
	if crash := a.crash.Load(); crash != nil {
		panic(*crash)
	}
	if err != nil {
		return fmt.Errorf("draw the session: %w", err)
	}
	return nil
}

// stop ends the loop once the context has ended and nobody waits for the loop
// any more. A loop that has not begun to draw cannot be stopped.
func (a *app) stop(ended <-chan struct{}) {
	<-a.ctx.Done()
	a.watchers.Wait()
	select {
	case <-a.drawing:
		a.ui.Stop()
	case <-ended:
	}
}

// settle waits for the person's calls, which were cancelled, but not for ever.
func (a *app) settle() {
	done := make(chan struct{})
	go func() {
		a.workers.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(grace):
	}
}

// deliver has the loop do what is in the mailbox. It is the only goroutine that
// waits for the loop, which tview makes it do for ever once the loop is gone.
func (a *app) deliver() {
	select {
	case <-a.ctx.Done():
		return
	case <-a.drawing:
	}
	for {
		select {
		case <-a.ctx.Done():
			return
		case <-a.mail.full:
			a.ui.QueueUpdateDraw(a.mail.run)
		}
		select {
		case <-a.ctx.Done():
			return
		case <-time.After(frameTime):
		}
	}
}

// watch runs f in a goroutine that ends with the context.
func (a *app) watch(f func()) { a.watchers.Go(a.guarded(f)) }

// work runs f in a goroutine that may end later.
func (a *app) work(f func()) { a.workers.Go(a.guarded(f)) }

// guarded ends the session when f panics, and has Run go on with the panic once
// the terminal is restored. Left alone it would leave the terminal raw.
func (a *app) guarded(f func()) func() {
	return func() {
		defer func() {
			if p := recover(); p != nil {
				crash := fmt.Sprintf("%v\n\n%s", p, debug.Stack())
				a.crash.CompareAndSwap(nil, &crash)
				a.cancel()
			}
		}()
		f()
	}
}

// followEvents wakes the loop for every event; the loop reads them itself, so
// that many at once cost one redraw.
func (a *app) followEvents() {
	seq := uint64(0)
	for {
		events, err := a.session.Events().Wait(a.ctx, seq)
		if err != nil {
			return
		}
		seq = events[len(events)-1].Seq
		a.mail.post(a.events)
	}
}

func (a *app) followCards() {
	broker := a.session.Approvals()
	for {
		changed := broker.Changed()
		a.mail.post(a.cards)
		select {
		case <-changed:
		case <-a.ctx.Done():
			return
		}
	}
}

// followShell redraws when the shell's screen is another one.
func (a *app) followShell(changed func() <-chan struct{}) {
	for {
		next := changed()
		a.mail.post(func() {})
		select {
		case <-next:
		case <-a.ctx.Done():
			return
		}
	}
}

// restartShell starts another shell in place of the one that exited.
func (a *app) restartShell() {
	a.background(func() error {
		if err := a.session.Terminal().Restart(a.ctx); err != nil {
			return fmt.Errorf("restart the shell: %w", err)
		}
		return nil
	}, nil)
}

// events applies what happened since the last time.
func (a *app) events() {
	for _, event := range a.session.Events().Since(a.seq) {
		a.seq = event.Seq
		a.history.apply(event)
		switch b := event.Body.(type) {
		case session.HandoffStarted:
			a.focus.handoffStarted(b.CallID)
		case session.HandoffEnded:
			a.focus.handoffEnded(b.CallID)
		}
	}
	if request := a.session.TrustRequest(); request != a.asked {
		a.asked = request
		a.cards() // a changed configuration asks for trust without being read here
	}
	a.refreshStatus()
}

// say puts lines into the transcript that are no event: the answer to a command
// of this window concerns nobody else.
func (a *app) say(lines ...line) {
	a.events() // what happened before comes before
	a.view.transcript.addLines(lines...)
}

// fail shows an error of this window.
func (a *app) fail(err error) {
	a.say(errorLines(a.theme, err)...)
}

func (a *app) greet() {
	a.say(
		line{plain(a.theme.strong, "Toolcrib "+a.options.Version), plain(a.theme.faint, "  "+a.options.Workspace)},
		textLine(a.theme.faint, "/help lists the commands, F6 moves between the parts, Ctrl-D leaves."),
	)
}

// cards shows what waits for the person.
func (a *app) cards() {
	waiting := a.trustCards()
	for _, request := range a.session.Approvals().Pending() {
		waiting = append(waiting, requestContent(a.theme, request))
	}
	hadFocus := a.view.card.HasFocus()
	before := a.queue.shown
	changed := a.queue.update(waiting)
	current, ok := a.queue.current()
	switch {
	case !ok && before != "":
		a.view.card.hide()
		a.focus.cardsWent(hadFocus)
	case changed && before == "":
		a.view.card.show(current, a.view.input.GetText() != "", a.focus.inShell())
		a.focus.cardCame()
	case changed:
		// Keys that were on their way to a card that went by itself must not
		// answer its successor.
		a.view.card.show(current, a.decided != before, false)
	}
	a.numberCard()
	a.refreshStatus()
}

func (a *app) numberCard() {
	a.view.card.position, a.view.card.total = a.queue.index()+1, len(a.queue.cards)
}

func (a *app) pageCards(delta int) {
	if !a.queue.page(delta) {
		return
	}
	current, _ := a.queue.current()
	a.view.card.show(current, false, false)
	a.numberCard()
}

// act does what the person chose on a card.
func (a *app) act(c content, v verb, decision approval.Decision) {
	a.decided = c.id
	if isTrustCard(c) {
		a.actTrust(c, v)
		return
	}
	if err := a.session.Approvals().Decide(c.id, decision); err != nil {
		a.fail(err)
	}
	a.cards()
}
