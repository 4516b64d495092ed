package plugin

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shortGrace is for providers that do not use theirs.
const shortGrace = 50 * time.Millisecond

func TestProviderThatDoesNotComeUpIsExplained(t *testing.T) {
	for role, want := range map[string]string{
		"panics":              "panic: no such luck",
		"panics in Describe":  "had to describe itself: panic: who am I",
		"panics in Configure": "had to configure itself: panic: too many settings",
		"says it exits":       "exited with status 0\nits last output was:\n  stdout: hello, I am no plugin",
		"speaks version 7":    `it speaks version 7 of the plugin protocol and this toolcrib speaks version 1; install a version of plugin "test"`,
		"dies with a child that holds its output": "exited with status 3\nits last output was:\n  child ",
	} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			s := newTest(t, testSpec(role), Options{})
			err := s.Start(t.Context())
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"test"`) {
				t.Errorf("error is %.500v, want %q and the name of the provider", err, want)
			}
			if s.Status().PID != 0 {
				t.Errorf("its process %d is kept", s.Status().PID)
			}
		})
	}
}

func TestStartThatIsGivenUpTellsWhatItWaitedFor(t *testing.T) {
	for role, want := range map[string]string{
		"never answers Describe":    "had to describe itself: it takes too long\nits last output was:\n  I have to think about it",
		"never answers Configure":   "had to configure itself: it takes too long",
		"never tells its tools":     "had to list its tools: it takes too long",
		"prints a line without end": "handshake: it takes too long; the last line of its output was: stdout: xxxx",
	} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			s := newTest(t, Spec{Name: "test"}, Options{})
			ctx, giveUp := context.WithCancelCause(t.Context())
			failed := make(chan error, 1)
			go func() {
				_, err := s.Prepare(ctx, testSpec(role))
				failed <- err
			}()
			file := filepath.Join(os.TempDir(), hangingFile)
			for os.Remove(file) != nil && t.Context().Err() == nil {
				time.Sleep(time.Millisecond) // a file cannot be waited for
			}
			giveUp(errors.New("it takes too long"))
			if err := <-failed; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %.500v, want %q", err, want)
			}
		})
	}
}

func TestProviderThatIsOnlyOddServes(t *testing.T) {
	for _, role := range []string{
		"starts slowly", "reads its input first", "prints", "floods its standard error",
	} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			s, l := startTest(t, role, Options{})
			if got := callText(t, l, "echo", "fine"); got != "fine" {
				t.Errorf("call answers %q", got)
			}
			if lines := s.Status().StderrTail; len(lines) > tailLines {
				t.Errorf("%d lines are kept", len(lines))
			}
		})
	}
}

func TestCallOfAProviderThatMisbehavesIsExplained(t *testing.T) {
	for role, want := range map[string]string{
		"panics in a call": `had to run tool "tool": panic: not again`,
		"answers 64 MiB":   "a message of the plugin protocol may have 16 MiB",
	} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			_, l := startTest(t, role, Options{StopGrace: shortGrace})
			_, err := l.Call(t.Context(), request("tool", ""), quietHandler{})
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"test"`) {
				t.Errorf("error is %v, want %q and the name of the provider", err, want)
			}
		})
	}
}

func TestLineWithoutEndDoesNotBlockACall(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "prints a line without end later", Options{StopGrace: shortGrace})
	for range 3 {
		if _, err := l.Call(t.Context(), request("tool", ""), quietHandler{}); err != nil {
			t.Fatal(err)
		}
	}
	if s.Status().Crashes != 0 {
		t.Error("it crashed")
	}
}

func TestTenThousandToolsAreTaken(t *testing.T) {
	leaveNothing(t)
	s, _ := startTest(t, "has 10,000 tools", Options{StopGrace: shortGrace})
	if got := s.Status().Tools; got != 10_000 {
		t.Errorf("there are %d tools", got)
	}
}

func TestProviderThatIgnoresStopIsKilled(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "ignores Stop", Options{StopGrace: shortGrace})
	l.Release()
	pid := s.Status().PID
	s.Stop(context.Background())
	if alive(pid) {
		t.Errorf("process %d is still there", pid)
	}
}

func TestProviderThatWasStoppedBySignalIsProbedAndReplaced(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "provider", Options{CancelGrace: shortGrace, PlanTimeout: shortGrace, ProbeTimeout: shortGrace, StopGrace: shortGrace})
	pid := s.Status().PID
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var err error
	for err == nil { // some threads may run on for a moment
		ctx, cancel := context.WithTimeout(t.Context(), shortGrace)
		_, err = l.Call(ctx, request("echo", ""), quietHandler{})
		cancel()
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the call fails by %v, want the end of its time", err)
	}
	if _, err := l.Plan(t.Context(), PlanRequest{Tool: "planned", Input: []byte("{}")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the plan fails by %v, want the end of its time", err)
	}
	<-l.generation.process.exited
	l.Release()
	if got := callText(t, lease(t, s), "echo", "again"); got != "again" {
		t.Errorf("the next call answers %q", got)
	}
	if crash := s.Status().LastCrash; crash == nil || !strings.Contains(crash.Reason, "2 calls in a row ran out of time, and it did not answer") {
		t.Errorf("the crash is told as %+v", crash)
	}
}

func TestProviderWithASlowToolIsLeftAlone(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "provider", Options{CancelGrace: shortGrace, StopGrace: shortGrace})
	for range 2 * silentCalls {
		ctx, cancel := context.WithTimeout(t.Context(), shortGrace)
		_, _ = l.Call(ctx, request("hang", ""), quietHandler{})
		cancel()
	}
	if got := callText(t, l, "echo", "still there"); got != "still there" {
		t.Errorf("the next call answers %q", got)
	}
	if status := s.Status(); status.Crashes != 0 {
		t.Errorf("it was replaced: %s", status.LastCrash.Reason)
	}
}
