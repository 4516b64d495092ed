package hook_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/policy"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// guard is a hook made of a function.
type guard struct {
	name   string
	before func(ctx context.Context, call hook.Call) (hook.Answer, error)
}

func (g guard) Name() string { return g.name }

func (g guard) BeforeTool(ctx context.Context, call hook.Call) (hook.Answer, error) {
	return g.before(ctx, call)
}

// lenient is a guard whose failure only warns.
type lenient struct{ guard }

func (lenient) OnError() hook.OnError { return hook.Warn }

var _ hook.Tolerant = lenient{}

// before asks hooks about a call.
func before(t *testing.T, ctx context.Context, hooks []hook.Hook, call hook.Call) (hook.Merged, error) {
	t.Helper()
	set, err := hook.NewSet(hooks...)
	if err != nil {
		t.Fatal(err)
	}
	return set.BeforeTool(ctx, call)
}

func says(name string, answer hook.Answer) hook.Hook {
	return guard{name, func(context.Context, hook.Call) (hook.Answer, error) { return answer, nil }}
}

func fails(name string, err error) guard {
	return guard{name, func(context.Context, hook.Call) (hook.Answer, error) { return hook.Answer{}, err }}
}

// adds rewrites {"words":[...]} by appending its own name.
func adds(name string) hook.Hook {
	return guard{name, func(_ context.Context, call hook.Call) (hook.Answer, error) {
		var input struct {
			Words []string `json:"words"`
		}
		if err := json.Unmarshal(call.Input, &input); err != nil {
			return hook.Answer{}, err
		}
		input.Words = append(input.Words, name)
		data, err := json.Marshal(input)
		return hook.Answer{Input: data}, err
	}}
}

// denies answers deny when the input contains a word.
func denies(name, word string) hook.Hook {
	return guard{name, func(_ context.Context, call hook.Call) (hook.Answer, error) {
		if strings.Contains(string(call.Input), word) {
			return hook.Answer{Outcome: policy.Deny, Reason: "no " + word}, nil
		}
		return hook.Answer{Outcome: policy.Allow}, nil
	}}
}

func TestBeforeTool(t *testing.T) {
	panics := guard{"panics", func(context.Context, hook.Call) (hook.Answer, error) { panic("nil map") }}
	tests := []struct {
		name  string
		hooks []hook.Hook
		want  hook.Merged
	}{
		{"no hooks have no opinion", nil, hook.Merged{}},
		{"a hook without an opinion changes nothing", []hook.Hook{says("a", hook.Answer{})}, hook.Merged{}},
		{"deny beats ask beats allow",
			[]hook.Hook{says("a", hook.Answer{Outcome: policy.Allow}), says("b", hook.Answer{Outcome: policy.Deny, Reason: "no"}), says("c", hook.Answer{Outcome: policy.Ask})},
			hook.Merged{Outcome: policy.Deny, Reason: "no", By: "b"}},
		{"the first of two equal answers gives the reason",
			[]hook.Hook{says("a", hook.Answer{Outcome: policy.Ask, Reason: "first"}), says("b", hook.Answer{Outcome: policy.Ask, Reason: "second"})},
			hook.Merged{Outcome: policy.Ask, Reason: "first", By: "a"}},
		{"the highest risk counts",
			[]hook.Hook{says("a", hook.Answer{Risk: policy.High, RiskReason: "drops a table"}), says("b", hook.Answer{Risk: policy.Medium})},
			hook.Merged{Risk: policy.High, RiskReason: "a: drops a table"}},
		{"warnings keep their order and their hook",
			[]hook.Hook{says("a", hook.Answer{Warnings: []string{"x", "y"}}), says("b", hook.Answer{Warnings: []string{"x"}})},
			hook.Merged{Warnings: []string{"a: x", "a: y", "b: x"}}},
		{"rewrites build on each other in declared order", []hook.Hook{adds("a"), says("-", hook.Answer{}), adds("b")},
			hook.Merged{Input: json.RawMessage(`{"words":["a","b"]}`)}},
		{"a guard sees what a later hook made of the input", []hook.Hook{denies("guard", "evil"), adds("evil")},
			hook.Merged{Outcome: policy.Deny, Reason: "no evil", By: "guard", Input: json.RawMessage(`{"words":["evil"]}`)}},
		{"an error denies", []hook.Hook{fails("a", errors.New("no such file"))},
			hook.Merged{Outcome: policy.Deny, By: "a", Reason: "the hook failed: no such file; repair it, take it out of config.hcl, or let it only warn with on_error"}},
		{"an error of a tolerant hook warns", []hook.Hook{lenient{fails("a", errors.New("no such file"))}},
			hook.Merged{Warnings: []string{"a: the hook failed: no such file"}}},
		{"a panic denies", []hook.Hook{panics},
			hook.Merged{Outcome: policy.Deny, By: "panics", Reason: "the hook failed: panic: nil map; repair it, take it out of config.hcl, or let it only warn with on_error"}},
		{"an outcome that does not exist denies", []hook.Hook{says("a", hook.Answer{Outcome: "maybe"})},
			hook.Merged{Outcome: policy.Deny, By: "a", Reason: `the hook failed: it answered the outcome "maybe", which is none of allow, ask and deny; repair it, take it out of config.hcl, or let it only warn with on_error`}},
		{"an input that is no object denies", []hook.Hook{says("a", hook.Answer{Input: json.RawMessage("null")})},
			hook.Merged{Outcome: policy.Deny, By: "a", Reason: "the hook failed: its rewritten input is null, not an object; repair it, take it out of config.hcl, or let it only warn with on_error"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := before(t, t.Context(), test.hooks, hook.Call{Tool: "Bash", Input: json.RawMessage(`{}`)})
			if err != nil {
				t.Fatal(err)
			}
			if got.Outcome != test.want.Outcome || got.Reason != test.want.Reason || got.By != test.want.By ||
				got.Risk != test.want.Risk || got.RiskReason != test.want.RiskReason ||
				!slices.Equal(got.Warnings, test.want.Warnings) || string(got.Input) != string(test.want.Input) {
				t.Errorf("BeforeTool = %+v\nwant         %+v", got, test.want)
			}
		})
	}
}

func TestHooksAreAskedAtOnce(t *testing.T) {
	// Each waits for the other: asked one by one, they would never answer.
	here, there := make(chan struct{}), make(chan struct{})
	meet := func(name string, mine, other chan struct{}) hook.Hook {
		return guard{name, func(ctx context.Context, _ hook.Call) (hook.Answer, error) {
			close(mine)
			select {
			case <-other:
				return hook.Answer{Outcome: policy.Allow}, nil
			case <-ctx.Done():
				return hook.Answer{}, ctx.Err()
			}
		}}
	}
	got, err := before(t, t.Context(), []hook.Hook{meet("a", here, there), meet("b", there, here)}, hook.Call{})
	if err != nil || got.Outcome != policy.Allow {
		t.Errorf("BeforeTool = %+v, %v", got, err)
	}
}

func TestBeforeToolEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	waits := guard{"waits", func(ctx context.Context, _ hook.Call) (hook.Answer, error) {
		cancel()
		<-ctx.Done()
		return hook.Answer{}, ctx.Err()
	}}
	if _, err := before(t, ctx, []hook.Hook{waits}, hook.Call{Tool: "Bash"}); !errors.Is(err, context.Canceled) {
		t.Errorf("BeforeTool = %v, want context.Canceled", err)
	}
}

func TestAHookCannotChangeTheInputOfAnother(t *testing.T) {
	input := json.RawMessage(`{"a":1}`)
	scribbles := guard{"scribbles", func(_ context.Context, call hook.Call) (hook.Answer, error) {
		call.Input[1] = 'X'
		return hook.Answer{}, nil
	}}
	if _, err := before(t, t.Context(), []hook.Hook{scribbles}, hook.Call{Input: input}); err != nil {
		t.Fatal(err)
	}
	if string(input) != `{"a":1}` {
		t.Errorf("input = %s, want it untouched", input)
	}
}
