package plugin

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

func TestProviderThatDiesInACallIsExplainedAndStartedAgain(t *testing.T) {
	for claim, c := range map[string]struct {
		tool string
		kill bool
		want []string
	}{
		"killed from outside": {"hang", true, []string{`had to run tool "hang"`, "killed by signal 9 (killed)"}},
		"exited by itself":    {"exit", false, []string{`had to run tool "exit"`, "exited with status 7", "these are my last words"}},
	} {
		t.Run(claim, func(t *testing.T) {
			leaveNothing(t)
			var crashes []Crash
			s, l := startTest(t, "provider", Options{OnCrash: func(c Crash) { crashes = append(crashes, c) }})
			handler := newProgressHandler()
			if c.kill {
				go func() {
					<-handler.started
					_ = syscall.Kill(s.Status().PID, syscall.SIGKILL)
				}()
			}
			_, err := l.Call(t.Context(), request(c.tool, ""), handler)
			var exit *ExitError
			if !errors.As(err, &exit) {
				t.Fatalf("error is %v, want an ExitError", err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error does not tell %q:\n%v", want, err)
				}
			}
			if got := callText(t, lease(t, s), "echo", "again"); got != "again" {
				t.Errorf("the next call answers %q", got)
			}
			if len(crashes) != 1 || crashes[0].PID != exit.PID || s.Status().Crashes != 1 {
				t.Errorf("crashes are %+v", crashes)
			}
		})
	}
}

func TestProviderThatKeepsDyingIsDisabledUntilReset(t *testing.T) {
	s := newTest(t, testSpec("panics"), Options{Jitter: func() float64 { return -0.5 }})
	for range crashLimit {
		err := s.Start(t.Context())
		var exit *ExitError
		if !errors.As(err, &exit) || exit.Panic != "panic: no such luck" {
			t.Fatalf("error is %v", err)
		}
	}
	var disabled *DisabledError
	if err := s.Start(t.Context()); !errors.As(err, &disabled) || s.Status().State != Disabled {
		t.Fatalf("error is %v in state %s", err, s.Status().State)
	}
	s.Reset()
	if err := s.Start(t.Context()); errors.As(err, &disabled) {
		t.Errorf("it is still disabled: %v", err)
	}
}

func TestConfigurationIsCheckedByTheProvider(t *testing.T) {
	spec := testSpec("configured")
	spec.Workspace = t.TempDir()
	config := func(max int) func(json.RawMessage) (json.RawMessage, error) {
		return func(schema json.RawMessage) (json.RawMessage, error) {
			if !strings.Contains(string(schema), `"max_bytes"`) {
				return nil, fmt.Errorf("schema is %s", schema)
			}
			return json.RawMessage(fmt.Sprintf(`{"limits":{"max_bytes":%d}}`, max)), nil
		}
	}
	spec.Config = config(0)
	s := newTest(t, spec, Options{})
	err := s.Start(t.Context())
	var fault *ConfigError
	if !errors.As(err, &fault) || len(fault.Diagnostics) != 1 || strings.Join(fault.Diagnostics[0].Path, ".") != "limits.max_bytes" {
		t.Fatalf("error is %v", err)
	}
	if s.Status().Crashes != 0 {
		t.Error("a refused configuration counts as a crash")
	}
	spec.Config = config(9)
	if _, err := s.Replace(t.Context(), spec); err != nil {
		t.Fatal(err)
	}
	if got, want := callText(t, lease(t, s), "limit", ""), "9 in "+spec.Workspace; got != want {
		t.Errorf("call answers %q, want %q", got, want)
	}
}

func TestReplacedGenerationFinishesItsCalls(t *testing.T) {
	s, old := startTest(t, "provider", Options{})
	oldPID := s.Status().PID
	if changed, err := s.Replace(t.Context(), testSpec("provider")); changed || err != nil {
		t.Fatalf("replacing by the same: %v, %v", changed, err)
	}

	broken := testSpec("panics")
	if _, err := s.Replace(t.Context(), broken); err == nil {
		t.Fatal("a provider that panics replaced one that works")
	}
	if s.Status().PID != oldPID {
		t.Fatal("the old provider was stopped for one that does not start")
	}

	spec := testSpec("provider")
	spec.Env["GENERATION"] = "2"
	if changed, err := s.Replace(t.Context(), spec); !changed || err != nil {
		t.Fatalf("replacing by another: %v, %v", changed, err)
	}
	if s.Status().PID == oldPID {
		t.Error("the old process still serves")
	}
	if got := callText(t, old, "echo", "old"); got != "old" {
		t.Errorf("the old lease answers %q", got)
	}
	old.Release()
	waitGone(t, oldPID)
	if s.Status().Crashes != 0 {
		t.Error("the end of a replaced generation counts as a crash")
	}
}

func TestToolsThatChangeAreTold(t *testing.T) {
	changes := make(chan pool.Source, 8)
	_, l := startTest(t, "provider", Options{OnTools: func(s pool.Source) { changes <- s }})
	first := <-changes
	if first.Revision != 1 || len(first.Tools) < 10 {
		t.Errorf("first there are %d tools in revision %d", len(first.Tools), first.Revision)
	}
	if _, err := l.Call(t.Context(), request("learn", "trick"), quietHandler{}); err != nil {
		t.Fatal(err)
	}
	second := <-changes
	if second.Revision != 2 || len(second.Tools) != 1 || second.Tools[0].ProviderName != "trick" {
		t.Errorf("then there is %+v", second)
	}
}
