package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/toolcrib/toolcrib/host/policy"
)

// Run asks all hooks about a call and blocks until each has answered.
//
// They are asked at once. When some rewrite the input, the rewrites are made in
// the order of hooks: each later one is asked again with the input so far. At
// last every hook that has not seen the final input is asked about it, and only
// its decision counts then, so that what a guard let pass is what runs.
//
// A deny ends it at once. The error is only ever the context's.
func Run(ctx context.Context, hooks []Hook, call Call) (Merged, error) {
	answers := askAll(ctx, hooks, call)
	if err := ctx.Err(); err != nil {
		return Merged{}, fmt.Errorf("ask hooks about %s: %w", call.Tool, err)
	}
	merged := merge(hooks, answers)
	if merged.Outcome == policy.Deny || merged.Input == nil {
		return merged, nil
	}
	rewritten, author, rounds := rewrite(ctx, hooks, call, answers)
	check := call
	check.Input = rewritten
	rounds = append(rounds, askAllBut(ctx, author, hooks, check))
	if err := ctx.Err(); err != nil {
		return Merged{}, fmt.Errorf("ask hooks about the rewritten input of %s: %w", call.Tool, err)
	}
	for _, round := range rounds {
		merged = merged.with(merge(hooks, round))
	}
	merged.Input = rewritten
	return merged, nil
}

// rewrite makes the rewrites one after the other. rounds are the further
// answers that this took; author made the last rewrite.
func rewrite(ctx context.Context, hooks []Hook, call Call, first []Answer) (input json.RawMessage, author int, rounds [][]Answer) {
	for i, answer := range first {
		if answer.Input == nil {
			continue
		}
		if input != nil {
			next := call
			next.Input = input
			round := make([]Answer, len(hooks))
			round[i] = ask(ctx, hooks[i], next)
			rounds = append(rounds, round)
			if answer = round[i]; answer.Input == nil {
				continue
			}
		}
		input, author = answer.Input, i
	}
	return input, author, rounds
}

func askAll(ctx context.Context, hooks []Hook, call Call) []Answer {
	return askAllBut(ctx, -1, hooks, call)
}

func askAllBut(ctx context.Context, skip int, hooks []Hook, call Call) []Answer {
	answers := make([]Answer, len(hooks))
	var group sync.WaitGroup
	for i, hook := range hooks {
		if i == skip {
			continue
		}
		group.Go(func() { answers[i] = ask(ctx, hook, call) })
	}
	group.Wait()
	return answers
}

// ask gets one answer; a failure becomes the answer that the hook's OnError
// asks for.
func ask(ctx context.Context, hook Hook, call Call) Answer {
	call.Input = bytes.Clone(call.Input)
	answer, err := before(ctx, hook, call)
	if err == nil {
		err = answer.check()
	}
	if err == nil {
		return answer
	}
	failure := fmt.Sprintf("the hook failed: %v", err)
	if tolerant, ok := hook.(Tolerant); ok && tolerant.OnError() == Warn {
		return Answer{Warnings: []string{failure}}
	}
	return Answer{Outcome: policy.Deny, Reason: failure + "; repair the hook, or let it only warn with on_error"}
}

// before calls the hook. A panic is an error of the hook, not the end of the host.
func before(ctx context.Context, hook Hook, call Call) (answer Answer, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	return hook.BeforeTool(ctx, call)
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
