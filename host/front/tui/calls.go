package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/session"
)

// errInterrupted is why a call was cancelled.
var errInterrupted = errors.New("the person pressed Ctrl-C")

// call runs a tool in a goroutine of its own, so that several can wait for the
// person at once. What happens is shown by the events.
func (a *app) call(tool string, input json.RawMessage) {
	ctx, cancel := context.WithCancelCause(a.ctx)
	a.lastCall++
	number := a.lastCall
	a.running[number] = func() { cancel(errInterrupted) }
	a.refreshStatus()
	a.work(func() {
		_, err := a.session.Invoke(ctx, pipeline.Invocation{Tool: tool, Input: input, InvokedBy: pipeline.ByUser})
		cancel(nil)
		a.mail.post(func() { a.called(number, err) })
	})
}

// called is the end of a call. A refusal is in the events already.
func (a *app) called(number int, err error) {
	delete(a.running, number)
	a.events() // its end is shown before it counts as ended
	var refusal *pipeline.Refusal
	if err != nil && !errors.As(err, &refusal) {
		a.fail(err)
	}
}

// interrupt is Ctrl-C outside the shell: it cancels what runs, else empties the
// input line, else offers to leave.
func (a *app) interrupt() {
	leave := a.leaving
	switch {
	case len(a.running) > 0:
		count := len(a.running)
		for _, cancel := range a.running {
			cancel()
		}
		a.say(noticeLines(a.theme, session.Info, fmt.Sprintf("cancelling %d of your calls; Ctrl-C again leaves once they ended", count))...)
	case a.view.input.GetText() != "":
		a.view.input.clear()
	case leave:
		a.cancel()
	default:
		a.leaving = true
		a.say(textLine(a.theme.caution, "Ctrl-C again, Ctrl-D or /quit leaves the session"))
	}
}
