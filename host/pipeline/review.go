package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
)

// reviewGrace is how long hooks may still look at a result when the caller has
// given up.
const reviewGrace = 5 * time.Second

// review shows the result to the hooks before the model sees it. They may replace
// it and add to it; what the tool said is kept.
func (p *Pipeline) review(ctx context.Context, c *call) error {
	set := p.Hooks()
	if !set.Reviews() {
		return nil
	}
	result := hook.Result{
		Failed: c.result.IsError, Text: plugin.Text(c.result.Content), Structured: c.result.Structured,
	}
	text, replaced, withheld := p.showHooks(ctx, c, set, result)
	if replaced {
		c.result.Content, c.result.Structured = []plugin.Content{{Text: text}}, nil
		c.result.IsError = c.result.IsError || withheld
	}
	return nil
}

// failure is the refusal of a call that has reached its provider and came to
// nothing there.
func failure(err error) (*Refusal, bool) {
	var refusal *Refusal
	if !errors.As(err, &refusal) || refusal.Stage != "run" || refusal.Code == Moved {
		return nil, false
	}
	return refusal, true
}

// reviewFailure shows the hooks a call that failed without a result.
func (p *Pipeline) reviewFailure(ctx context.Context, c *call, refusal *Refusal) {
	set := p.Hooks()
	if !set.Reviews() {
		return
	}
	text, _, _ := p.showHooks(ctx, c, set, hook.Result{
		Failed: true, Interrupted: refusal.Code == Cancelled, Text: refusal.Reason,
	})
	for _, note := range c.notes {
		text += "\n\n" + note
	}
	refusal.Reason = text
}

// showHooks returns the text that the model is to see, and whether it is another
// one than the tool's: one of a hook, or in the place of one that is withheld.
func (p *Pipeline) showHooks(ctx context.Context, c *call, set hook.Set, result hook.Result) (text string, replaced, withheld bool) {
	ctx, stop := patient(ctx)
	defer stop()
	event := hook.PostToolUse
	if result.Failed {
		event = hook.PostToolFailure
	}
	reviewed, err := set.AfterTool(ctx, p.told(c), result)
	if err != nil {
		reviewed = hook.Reviewed{Withheld: "the caller gave up before the hooks had seen it"}
	}
	p.record(c, event, reviewed.Reports)
	c.hear(reviewed.Warnings, reviewed.Notes)
	switch {
	case reviewed.Withheld != "":
		text = fmt.Sprintf("%s has run, and its result is withheld: %s", c.Tool, reviewed.Withheld)
		withheld = true
	case reviewed.Text != nil:
		text = *reviewed.Text
	default:
		return result.Text, false, false
	}
	p.keepOriginal(c, result.Text)
	return text, true, withheld
}

// keepOriginal writes what the tool said to a file, for the person. The model is
// not told of it.
func (p *Pipeline) keepOriginal(c *call, text string) {
	path := filepath.Join(p.SpillDir, c.ID+".original.txt")
	if err := spill(path, text); err != nil {
		p.Log.Append(c.RunID, session.Notice{Level: session.Warning, Text: fmt.Sprintf(
			"what %s said before a hook replaced it could not be kept: %v", c.Tool, err)})
		path = ""
	}
	p.Log.Append(c.RunID, session.ResultReplaced{CallID: c.ID, OriginalPath: path})
}

// patient is a context that ends reviewGrace after ctx does: what a tool has done
// is done, and hooks that keep a record of it are to see it.
func patient(ctx context.Context) (_ context.Context, stop func()) {
	longer, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	over := make(chan struct{})
	leave := context.AfterFunc(ctx, func() {
		timer := time.NewTimer(reviewGrace)
		defer timer.Stop()
		select {
		case <-timer.C:
			cancel(context.Cause(ctx))
		case <-over:
		}
	})
	return longer, func() {
		leave()
		close(over)
		cancel(nil)
	}
}
