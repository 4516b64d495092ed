package plugin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

const floodMiB = 16

// quietHandler takes everything and answers nothing.
type quietHandler struct{}

func (quietHandler) Progress(string, *float64) {}
func (quietHandler) Output(string, []byte)     {}
func (quietHandler) Handoff(context.Context, *proto.Handoff) (*proto.HandoffResult, error) {
	return nil, errors.New("nobody is there")
}
func (quietHandler) Question(context.Context, *proto.Question) (*proto.Answer, error) {
	return nil, errors.New("nobody is there")
}

// progressHandler tells of the first progress.
type progressHandler struct {
	quietHandler
	started chan struct{}
	once    sync.Once
}

func newProgressHandler() *progressHandler { return &progressHandler{started: make(chan struct{})} }

func (h *progressHandler) Progress(string, *float64) { h.once.Do(func() { close(h.started) }) }

// startTest starts a provider in a role and stops it with the test.
func startTest(t *testing.T, role string, options Options) (*Supervisor, *Lease) {
	t.Helper()
	s := newTest(t, testSpec(role), options)
	return s, lease(t, s)
}

func newTest(t *testing.T, spec Spec, options Options) *Supervisor {
	s := NewSupervisor(spec, options)
	t.Cleanup(func() { s.Stop(context.Background()) })
	return s
}

func lease(t *testing.T, s *Supervisor) *Lease {
	t.Helper()
	l, err := s.Lease(t.Context())
	if err != nil {
		t.Fatalf("lease: %v", err)
	}
	t.Cleanup(l.Release)
	return l
}

func request(tool, text string) CallRequest {
	input, err := json.Marshal(textInput{text})
	if err != nil {
		panic(err)
	}
	return CallRequest{CallID: "call", Tool: tool, Input: input, CanHandoff: true}
}

// call runs a tool and returns the text of its result.
func callText(t *testing.T, l *Lease, tool, text string) string {
	t.Helper()
	result, err := l.Call(t.Context(), request(tool, text), quietHandler{})
	if err != nil {
		t.Fatalf("call %s: %v", tool, err)
	}
	return result.Content[0].Text
}

func TestCallReturnsWhatTheToolAnswers(t *testing.T) {
	_, l := startTest(t, "provider", Options{})
	for claim, c := range map[string]struct {
		tool, text string
		isError    bool
		want       string
	}{
		"a result":                           {"echo", "hello", false, "hello"},
		"an error as a result":               {"fail", "do it", true, "cannot do it; try something else"},
		"a panic as a result":                {"panic", "oh no", true, `tool "panic" panicked: oh no`},
		"an unknown tool with what there is": {"nothing", "", true, `there is no tool "nothing"; the provider's tools are ask, echo`},
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

func TestProgramThatIsNoPluginIsExplained(t *testing.T) {
	for role, want := range map[string]string{
		"says it exits": "exited with status 0\nits last output was:\n  stdout: hello, I am no plugin",
		"never answers": "it was not ready within 200ms",
	} {
		t.Run(role, func(t *testing.T) {
			s := newTest(t, testSpec(role), Options{StartTimeout: 200 * time.Millisecond})
			if role == "says it exits" {
				s = newTest(t, testSpec(role), Options{})
			}
			if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v, want %q", err, want)
			}
		})
	}
}

func TestWhatIsPrintedOnStandardOutputIsAWarning(t *testing.T) {
	s, l := startTest(t, "prints", Options{})
	if got := callText(t, l, "echo", "fine"); got != "fine" {
		t.Errorf("call answers %q", got)
	}
	if len(s.Status().Warnings) == 0 {
		t.Error("there is no warning")
	}
}

func TestProviderHasNoInputAndACleanEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	t.Setenv("LC_TIME", "C")
	spec := testSpec("provider")
	spec.Env["DECLARED"] = "yes"
	l := lease(t, newTest(t, spec, Options{}))
	if got := callText(t, l, "stdin", ""); got != "0 bytes" {
		t.Errorf("standard input has %s", got)
	}
	got := callText(t, l, "environment", "")
	for variable, want := range map[string]bool{
		"SECRET_TOKEN=": false, "TOOLCRIB_PLUGIN=": false, "PLUGIN_CLIENT_CERT=": false,
		"LC_TIME=C": true, "DECLARED=yes": true, "PATH=": true,
	} {
		if strings.Contains("\n"+got, "\n"+variable) != want {
			t.Errorf("environment has %s: %v, want %v:\n%s", variable, !want, want, got)
		}
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

func TestChecksumIsThatOfWhatRuns(t *testing.T) {
	s, _ := startTest(t, "provider", Options{})
	spec := testSpec("provider")
	spec.SHA256 = strings.ToUpper(s.Status().SHA256)
	if err := newTest(t, spec, Options{}).Start(t.Context()); err != nil {
		t.Errorf("with the right checksum: %v", err)
	}
	spec.SHA256 = strings.Repeat("0", 64)
	var mismatch *ChecksumError
	if err := newTest(t, spec, Options{}).Start(t.Context()); !errors.As(err, &mismatch) {
		t.Errorf("with a wrong checksum: %v", err)
	}
}

func TestNothingIsLeftOfAProvider(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for claim, end := range map[string]func(*Supervisor){
		"that was stopped": func(s *Supervisor) { s.Stop(context.Background()) },
		"that died":        func(s *Supervisor) { _ = syscall.Kill(s.Status().PID, syscall.SIGKILL) },
	} {
		t.Run(claim, func(t *testing.T) {
			s, l := startTest(t, "provider", Options{})
			pids := []int{s.Status().PID}
			groups := []string{""}
			if claim == "that was stopped" {
				// A process whose parent died in a group of its own cannot be found.
				groups = append(groups, "own group")
			}
			for _, group := range groups {
				pid, err := strconv.Atoi(callText(t, l, "spawn", group))
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
			end(s)
			for _, pid := range pids {
				waitGone(t, pid)
			}
			s.Stop(context.Background())
			if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "toolcrib-*")); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
		})
	}
}

func TestNoChildOutlivesAKilledHost(t *testing.T) {
	spec := testSpec("host")
	host := exec.Command(spec.Command[0])
	host.Env = append(os.Environ(), roleEnv+"=host")
	stdout, err := host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	host.Stderr = os.Stderr
	if err := host.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = host.Wait()
	for _, field := range strings.Fields(line) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		waitGone(t, pid)
	}
}

// waitGone waits until a process has ended. One that is not our child may stay a
// zombie where nobody reaps it.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for alive(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(time.Millisecond)
	}
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
