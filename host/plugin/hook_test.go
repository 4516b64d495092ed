package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
)

// serveGuard is a provider with no tools and a hook that does what the name of
// the tool says.
func serveGuard() {
	guard := func(_ context.Context, event sdk.HookEvent) (*sdk.HookAnswer, error) {
		switch event.ToolName {
		case "silent":
			return nil, nil
		case "fails":
			return nil, errors.New("the list of rules is gone")
		case "panics":
			panic("what is this")
		case "exits":
			os.Exit(7)
		case "hangs":
			select {}
		}
		return &sdk.HookAnswer{Decision: sdk.HookDeny, Reason: event.ToolName + " in " + event.Cwd}, nil
	}
	sdk.Serve(&sdk.Provider{Name: "guard", Hooks: map[sdk.HookName]sdk.HookFunc{
		sdk.HookPreToolUse: guard, sdk.HookSessionEnd: guard,
	}})
}

func toolEvent(tool string) HookEvent {
	payload, err := json.Marshal(map[string]string{"tool_name": tool, "cwd": "/work"})
	if err != nil {
		panic(err)
	}
	return HookEvent{Name: "pre_tool_use", Payload: payload}
}

func TestHookAnswersAnEvent(t *testing.T) {
	leaveNothing(t)
	s, _ := startTest(t, "guards", Options{})
	if got := s.HookEvents(); !slices.Equal(got, []string{"pre_tool_use", "session_end"}) {
		t.Errorf("its events are %q", got)
	}
	answer, err := s.Hook(t.Context(), toolEvent("Bash"))
	if want := `{"decision":"deny","reason":"Bash in /work"}`; err != nil || string(answer.Output) != want {
		t.Errorf("it answers %s, %v, want %s", answer.Output, err, want)
	}
	if answer, err = s.Hook(t.Context(), toolEvent("silent")); err != nil || answer.Output != nil {
		t.Errorf("it answers %s, %v, want nothing", answer.Output, err)
	}
}

func TestHookThatFailsIsExplained(t *testing.T) {
	leaveNothing(t)
	s, _ := startTest(t, "guards", Options{})
	for tool, want := range map[string]string{
		"fails":  `provider "test" had to answer to the event "pre_tool_use": the list of rules is gone`,
		"panics": "hook for pre_tool_use panicked: what is this; this is a fault of the provider",
	} {
		if _, err := s.Hook(t.Context(), toolEvent(tool)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", tool, err, want)
		}
	}
	if _, err := s.Hook(t.Context(), HookEvent{Name: "full_moon", Payload: []byte("{}")}); err == nil || !strings.Contains(err.Error(), `no hook for "full_moon"`) {
		t.Errorf("an event that it does not want fails by %v", err)
	}
	if s.Status().Crashes != 0 {
		t.Error("a hook that fails counts as a crash")
	}
}

func TestHookThatDoesNotAnswerIsGivenUp(t *testing.T) {
	leaveNothing(t)
	s, _ := startTest(t, "guards", Options{StopGrace: shortGrace})
	ctx, cancel := context.WithTimeout(t.Context(), shortGrace)
	defer cancel()
	if _, err := s.Hook(ctx, toolEvent("hangs")); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), `"test"`) {
		t.Errorf("error is %v, want the end of its time and the name of the provider", err)
	}
	if _, err := s.Hook(t.Context(), toolEvent("silent")); err != nil {
		t.Errorf("the next event fails by %v", err)
	}
}

func TestProviderThatCrashedIsStartedAgainToBeAsked(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "guards", Options{})
	l.Release()
	var exit *ExitError
	if _, err := s.Hook(t.Context(), toolEvent("exits")); !errors.As(err, &exit) || exit.Code != 7 {
		t.Errorf("error is %v, want the exit with status 7", err)
	}
	if len(s.HookEvents()) != 2 {
		t.Error("its events are forgotten, and what it guards is not guarded")
	}
	if answer, err := s.Hook(t.Context(), toolEvent("Bash")); err != nil || answer.Output == nil {
		t.Errorf("it answers %s, %v", answer.Output, err)
	}
}

func TestProviderWithoutHooksIsNotBrokenByAnEvent(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "older", Options{StopGrace: shortGrace})
	if events := s.HookEvents(); events != nil {
		t.Errorf("its events are %q", events)
	}
	if _, err := s.Hook(t.Context(), toolEvent("Bash")); err == nil {
		t.Error("it answers")
	}
	if _, err := l.Call(t.Context(), request("tool", ""), quietHandler{}); err != nil {
		t.Errorf("the next call fails by %v", err)
	}
}

func TestHookAnswerThatIsNoObjectIsAnError(t *testing.T) {
	for _, role := range []string{"answers with an array", "answers with null", "answers with half an object"} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			s, _ := startTest(t, role, Options{StopGrace: shortGrace})
			if _, err := s.Hook(t.Context(), toolEvent("Bash")); err == nil || !strings.Contains(err.Error(), "something else than a JSON object") {
				t.Errorf("error is %v", err)
			}
		})
	}
}
