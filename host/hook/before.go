package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/toolcrib/toolcrib/host/policy"
)

// BeforeTool asks all guards about a call and blocks until each has answered.
//
// They are asked at once. When some rewrite the input, the rewrites are made in
// declared order: each later one is asked again with the input so far. At last
// every guard that has not seen the final input is asked about it, and its
// decision counts too, so that what a guard let pass is what runs.
//
// A deny ends it at once. The error is only ever the context's.
func (s Set) BeforeTool(ctx context.Context, call Call) (Merged, error) {
	guards := s.guards
	answers := all(guards, func(g Guard) Answer { return askGuard(ctx, g, call) })
	if err := ctx.Err(); err != nil {
		return Merged{}, fmt.Errorf("ask hooks about %s: %w", call.Tool, err)
	}
	merged := merge(guards, answers)
	if merged.Outcome == policy.Deny || merged.Input == nil {
		return merged, nil
	}
	rewritten, author, rounds := rewrite(ctx, guards, call, answers)
	check := call
	check.Input = rewritten
	rounds = append(rounds, allBut(author, guards, func(g Guard) Answer { return askGuard(ctx, g, check) }))
	if err := ctx.Err(); err != nil {
		return Merged{}, fmt.Errorf("ask hooks about the rewritten input of %s: %w", call.Tool, err)
	}
	for _, round := range rounds {
		merged = merged.with(merge(guards, round))
	}
	merged.Input = rewritten
	return merged, nil
}

// rewrite makes the rewrites one after the other. rounds are the further
// answers that this took; author made the last rewrite.
func rewrite(ctx context.Context, guards []Guard, call Call, first []Answer) (input json.RawMessage, author int, rounds [][]Answer) {
	for i, answer := range first {
		if answer.Input == nil {
			continue
		}
		if input != nil {
			next := call
			next.Input = input
			round := make([]Answer, len(guards))
			round[i] = askGuard(ctx, guards[i], next)
			rounds = append(rounds, round)
			if answer = round[i]; answer.Input == nil {
				continue
			}
		}
		input, author = answer.Input, i
	}
	return input, author, rounds
}

// askGuard gets one answer; a failure becomes the answer that the hook's OnError
// asks for.
func askGuard(ctx context.Context, g Guard, call Call) Answer {
	call.Input = bytes.Clone(call.Input)
	answer, err := attempt(func() (Answer, error) { return g.BeforeTool(ctx, call) })
	if err == nil {
		err = answer.check()
	}
	return answer.or(g, err)
}

// or is the answer, or what stands for it when the hook failed.
func (a Answer) or(h Hook, err error) Answer {
	if err == nil {
		return a
	}
	text, warns := failure(h, err)
	if warns {
		return Answer{Warnings: []string{text}}
	}
	return Answer{Outcome: policy.Deny, Reason: text + repair}
}

func (a Answer) check() error {
	switch a.Outcome {
	case "", policy.Allow, policy.Ask, policy.Deny:
	default:
		return fmt.Errorf("it answered the outcome %q, which is none of allow, ask and deny", a.Outcome)
	}
	if a.Input == nil {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(a.Input, &object); err != nil {
		return fmt.Errorf("read its rewritten input: %w", err)
	}
	if object == nil {
		return errors.New("its rewritten input is null, not an object")
	}
	return nil
}
