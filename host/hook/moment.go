package hook

import (
	"context"
	"fmt"
)

// Moment is a point in a session that is about no tool.
type Moment struct {
	// Event is SessionStart, SessionEnd, UserPrompt or Stop.
	Event     Event
	SessionID string
	RunID     string // of the prompt or the turn; empty for the session's own
	Workspace string // absolute
	// Prompt is what the person sent, at UserPrompt.
	Prompt string
	// Resumed tells, at SessionStart, that it goes on with an earlier session.
	Resumed bool
	// Again tells, at Stop, that the turn went on before because a hook wanted
	// it to.
	Again bool
}

// Reply is what a hook says to a moment. The zero value has no opinion.
type Reply struct {
	// Block refuses the prompt at UserPrompt, and keeps a turn going at Stop.
	// Nothing else can be blocked.
	Block  bool
	Reason string
	// Warnings are shown to the person.
	Warnings []string
	// Context is told to the model.
	Context string
}

// Replied is what all hooks together say to a moment.
type Replied struct {
	// Blocked tells that one blocks: By, because of Reason.
	Blocked bool
	By      string
	Reason  string
	// Warnings are for the person and Notes for the model, each with its hook's
	// name, in declared order.
	Warnings []string
	Notes    []string
	Reports  []Report
}

// AtMoment tells all followers of a moment, at once, and blocks until each has
// answered. A hook that fails refuses a prompt, unless it only warns; at other
// moments it can only warn, since there is nothing to refuse, and a turn must end
// some time. The error is only ever the context's.
func (s Set) AtMoment(ctx context.Context, moment Moment) (Replied, error) {
	replies := all(s.followers, func(f Follower) Reply { return tell(ctx, f, moment) })
	if err := ctx.Err(); err != nil {
		return Replied{}, fmt.Errorf("run hooks at %s: %w", moment.Event, err)
	}
	var merged Replied
	for i, reply := range replies {
		name := s.followers[i].Name()
		report := Report{Hook: name, Reason: reply.Reason, Warnings: reply.Warnings}
		if reply.Block {
			report.Outcome = blocked
			if !merged.Blocked {
				merged.Blocked, merged.By, merged.Reason = true, name, reply.Reason
			}
		}
		merged.Warnings = append(merged.Warnings, named(name, reply.Warnings...)...)
		if reply.Context != "" {
			merged.Notes = append(merged.Notes, note(name, reply.Context))
		}
		if !report.empty() {
			merged.Reports = append(merged.Reports, report)
		}
	}
	return merged, nil
}

func tell(ctx context.Context, f Follower, moment Moment) Reply {
	reply, err := attempt(func() (Reply, error) { return f.AtMoment(ctx, moment) })
	if err == nil {
		return reply
	}
	text, warns := failure(f, err)
	if moment.Event != UserPrompt || warns {
		return Reply{Warnings: []string{text}}
	}
	return Reply{Block: true, Reason: text + repair}
}
