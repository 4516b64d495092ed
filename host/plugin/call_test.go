package plugin

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

func TestCallReturnsWhatTheToolAnswers(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	for claim, c := range map[string]struct {
		tool, text string
		isError    bool
		want       string
	}{
		"a result":                           {"echo", "hello", false, "hello"},
		"text that is not UTF-8":             {"binary", "", false, "\uFFFD"},
		"an error as a result":               {"fail", "do it", true, "cannot do it; try something else"},
		"a panic as a result":                {"panic", "oh no", true, `tool "panic" panicked: oh no`},
		"an unknown tool with what there is": {"nothing", "", true, `there is no tool "nothing"; the provider's tools are ask, binary`},
		"a result that is too large":         {"large", "", true, "a result may have 16777216"},
	} {
		t.Run(claim, func(t *testing.T) {
			result, err := l.Call(t.Context(), request(c.tool, c.text), quietHandler{})
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Content[0].Text; result.IsError != c.isError || !strings.Contains(got, c.want) {
				t.Errorf("result is %.200q (error %v), want %q (error %v)", got, result.IsError, c.want, c.isError)
			}
		})
	}
}

func TestCallsRunConcurrently(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() {
			want := strconv.Itoa(i)
			result, err := l.Call(t.Context(), request("echo", want), quietHandler{})
			if err != nil || result.Content[0].Text != want {
				t.Errorf("call %d: %v, %v", i, result, err)
			}
		})
	}
	calls.Wait()
}

func TestPlanTokenReachesTheCall(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	r := request("planned", "ls")
	plan, err := l.Plan(t.Context(), PlanRequest{Tool: r.Tool, Input: r.Input})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Risk != "high" || plan.Preview != "ls" || len(plan.Subjects) != 1 || plan.Subjects[0].Kind != pool.SubjectCommand {
		t.Errorf("plan is %+v", plan)
	}
	r.PlanToken = plan.Token
	result, err := l.Call(t.Context(), r, quietHandler{})
	if err != nil || result.Content[0].Text != "token of ls" {
		t.Errorf("call answers %v, %v", result, err)
	}
}

func TestCancelledCallEndsWithTheToolsResult(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	ctx, cancel := context.WithCancelCause(t.Context())
	handler := newProgressHandler()
	go func() {
		<-handler.started
		cancel(errors.New("the person pressed escape"))
	}()
	result, err := l.Call(ctx, request("wait", ""), handler)
	if err != nil || result.Content[0].Text != "stopped: the person pressed escape" {
		t.Errorf("call answers %v, %v", result, err)
	}
}

func TestToolThatIgnoresItsCancellationIsLeft(t *testing.T) {
	leaveNothing(t)
	_, l := startTest(t, "provider", Options{CancelGrace: 10 * time.Millisecond, StopGrace: time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	handler := newProgressHandler()
	go func() {
		<-handler.started
		cancel()
	}()
	if _, err := l.Call(ctx, request("hang", ""), handler); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want %v", err, context.Canceled)
	}
	if got := callText(t, l, "echo", "still there"); got != "still there" {
		t.Errorf("the next call answers %q", got)
	}
}

type answeringHandler struct{ quietHandler }

func (answeringHandler) Handoff(_ context.Context, h *proto.Handoff) (*proto.HandoffResult, error) {
	code := int32(3)
	return &proto.HandoffResult{Status: "failed", ExitCode: &code, Output: "ran " + h.GetCommand()}, nil
}

func (answeringHandler) Question(context.Context, *proto.Question) (*proto.Answer, error) {
	return &proto.Answer{Selected: []uint32{1}, Text: "because"}, nil
}

func TestProviderIsAnsweredDuringItsCall(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	for tool, want := range map[string]string{
		"handoff": `failed 3 "ran ls"`,
		"ask":     `[1] "because"`,
	} {
		result, err := l.Call(t.Context(), request(tool, "ls"), answeringHandler{})
		if err != nil || result.Content[0].Text != want {
			t.Errorf("%s answers %v, %v, want %q", tool, result, err, want)
		}
	}
}

// countingHandler counts output.
type countingHandler struct {
	quietHandler
	bytes   int
	largest int
}

func (h *countingHandler) Output(_ string, data []byte) {
	h.bytes += len(data)
	h.largest = max(h.largest, len(data))
}

func TestOutputArrivesWholeInSmallPieces(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	handler := &countingHandler{}
	if _, err := l.Call(t.Context(), request("flood", ""), handler); err != nil {
		t.Fatal(err)
	}
	if handler.bytes != floodMiB<<20 || handler.largest > 32<<10 {
		t.Errorf("%d bytes arrived, in pieces of up to %d", handler.bytes, handler.largest)
	}
}

// slowHandler does not take its first output before it is released.
type slowHandler struct {
	countingHandler
	reached, release chan struct{}
	first            sync.Once
}

func (h *slowHandler) Output(stream string, data []byte) {
	h.first.Do(func() {
		close(h.reached)
		<-h.release
	})
	h.countingHandler.Output(stream, data)
}

func TestOutputThatIsNotTakenHoldsUpItsOwnCallOnly(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	handler := &slowHandler{reached: make(chan struct{}), release: make(chan struct{})}
	var flood sync.WaitGroup
	flood.Go(func() {
		if _, err := l.Call(t.Context(), request("flood", ""), handler); err != nil {
			t.Error(err)
		}
	})
	<-handler.reached
	for range 10 {
		if got := callText(t, l, "echo", "meanwhile"); got != "meanwhile" {
			t.Errorf("another call answers %q", got)
		}
	}
	close(handler.release)
	flood.Wait()
	if handler.bytes != floodMiB<<20 {
		t.Errorf("%d bytes arrived", handler.bytes)
	}
}
