package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Result is what a hook is shown of a call that has run.
type Result struct {
	// Failed tells that the tool answered with an error, or gave no answer.
	Failed bool
	// Interrupted tells that the call failed because its caller gave up.
	Interrupted bool
	// Text is the whole of what the tool said, or why it said nothing.
	Text       string
	Structured json.RawMessage // nil for none
}

// Review is what a hook says of a result. The zero value has no opinion.
type Review struct {
	// Block tells the model to deal with Reason.
	Block  bool
	Reason string
	// Warnings are shown in the transcript.
	Warnings []string
	// Context is told to the model with the result.
	Context string
	// Text replaces the result, structured content included; nil leaves it.
	Text *string
}

// Reviewed is what all hooks together say of a result.
type Reviewed struct {
	// Text replaces the result; nil when no hook replaced it.
	Text *string
	// Withheld says why the model must not see the result; empty when it may.
	Withheld string
	// Notes are for the model, each with its hook's name.
	Notes    []string
	Warnings []string
	Reports  []Report
}

// AfterTool shows all reviewers the result of a call, at once, and blocks until
// each has answered. When several replace the result, they do so in declared
// order: each later one is asked again about the text so far. When one fails
// that does not only warn, the result is withheld: it may have had something to
// take out. The error is only ever the context's.
func (s Set) AfterTool(ctx context.Context, call Call, result Result) (Reviewed, error) {
	answers := all(s.reviewers, func(r Reviewer) reviewed { return askReviewer(ctx, r, call, result) })
	var merged Reviewed
	for i, answer := range answers {
		merged = merged.with(answer.of(s.reviewers[i].Name()))
		if answer.Text == nil {
			continue
		}
		if merged.Text != nil {
			again := result
			again.Text, again.Structured = *merged.Text, nil
			answer = askReviewer(ctx, s.reviewers[i], call, again)
			merged = merged.with(answer.of(s.reviewers[i].Name()))
		}
		if answer.Text != nil {
			merged.Text = answer.Text
		}
	}
	if err := ctx.Err(); err != nil {
		return Reviewed{}, fmt.Errorf("ask hooks about the result of %s: %w", call.Tool, err)
	}
	return merged, nil
}

// reviewed is one answer, and whether its hook failed so that the result is
// withheld.
type reviewed struct {
	Review
	withhold bool
}

func askReviewer(ctx context.Context, r Reviewer, call Call, result Result) reviewed {
	call.Input, result.Structured = bytes.Clone(call.Input), bytes.Clone(result.Structured)
	review, err := attempt(func() (Review, error) { return r.AfterTool(ctx, call, result) })
	if err == nil && review.Block && review.Reason == "" {
		err = errNoReason
	}
	if err == nil {
		return reviewed{Review: review}
	}
	text, warns := failure(r, err)
	if warns {
		return reviewed{Review: Review{Warnings: []string{text}}}
	}
	return reviewed{Review: Review{Block: true, Reason: text + repair}, withhold: true}
}

// errNoReason: the model cannot deal with what it is not told.
var errNoReason = errors.New("it blocks without a reason")

// of is the answer as that of a hook, without the text.
func (a reviewed) of(name string) Reviewed {
	one := Reviewed{Warnings: named(name, a.Warnings...)}
	report := Report{Hook: name, Reason: a.Reason, Warnings: a.Warnings, Rewrote: a.Text != nil}
	switch {
	case a.withhold:
		report.Outcome, one.Withheld = blocked, note(name, a.Reason)
	case a.Block:
		report.Outcome, one.Notes = blocked, []string{note(name, a.Reason)}
	}
	if a.Context != "" {
		one.Notes = append(one.Notes, note(name, a.Context))
	}
	if !report.empty() {
		one.Reports = []Report{report}
	}
	return one
}

// blocked is the outcome of a [Report] where there is nothing to deny.
const blocked = "block"

// with adds what later hooks say, everything but the text.
func (r Reviewed) with(later Reviewed) Reviewed {
	switch {
	case r.Withheld == "":
		r.Withheld = later.Withheld
	case later.Withheld != "" && later.Withheld != r.Withheld:
		r.Withheld += "\n" + later.Withheld
	}
	r.Notes = addNew(r.Notes, later.Notes)
	r.Warnings = addNew(r.Warnings, later.Warnings)
	r.Reports = addNew(r.Reports, later.Reports)
	return r
}

// Reviews reports whether any hook is shown results.
func (s Set) Reviews() bool { return len(s.reviewers) > 0 }
