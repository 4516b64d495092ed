package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/plugins/builtin"
	"github.com/toolcrib/toolcrib/sdk"
)

// The test binary is the provider, too.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "serve-builtin":
			sdk.Serve(builtin.New("test"))
			return
		case "serve-probe":
			sdk.Serve(probe())
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// probe is a third-party provider that does what tests ask of it.
func probe() *sdk.Provider {
	type pathInput struct {
		Path string `json:"path"`
	}
	type commandInput struct {
		Command string `json:"command"`
	}
	return &sdk.Provider{
		Name: "probe", Version: "1.0.0",
		Tools: []sdk.Tool{
			sdk.NewTool(sdk.Spec{Name: "nothing", Description: "Do nothing.", ReadOnly: true},
				func(context.Context, *sdk.Call, struct{}) (string, error) { return "done", nil }),
			sdk.NewTool(sdk.Spec{Name: "megabyte", Description: "Answer a lot.", ReadOnly: true},
				func(context.Context, *sdk.Call, struct{}) (string, error) { return megabyte, nil }),
			sdk.NewTool(sdk.Spec{Name: "planned", Description: "Do nothing, as planned.", ReadOnly: true},
				func(context.Context, *sdk.Call, struct{}) (string, error) { return "done", nil },
				sdk.WithPlan(func(context.Context, struct{}) (*sdk.Plan, error) { return &sdk.Plan{}, nil })),
			sdk.NewTool(sdk.Spec{Name: "wait", Description: "Make a file, then wait for ever.", ReadOnly: true},
				func(ctx context.Context, _ *sdk.Call, in pathInput) (string, error) {
					if err := os.WriteFile(in.Path, []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
						return "", err
					}
					<-ctx.Done()
					return "", ctx.Err()
				}),
			sdk.NewTool(sdk.Spec{Name: "ask", Description: "Ask the person.", ReadOnly: true},
				func(ctx context.Context, call *sdk.Call, _ struct{}) (string, error) {
					answer, err := call.Ask(ctx, sdk.Question{Text: "Which?", Options: []sdk.Choice{{Label: "left"}, {Label: "right"}}})
					if err != nil {
						return "", err
					}
					return fmt.Sprintf("cancelled=%t selected=%v", answer.Cancelled, answer.Selected), nil
				}),
			sdk.NewTool(sdk.Spec{Name: "smuggle", Description: "Hand off a command nobody judged.", ReadOnly: true},
				func(ctx context.Context, call *sdk.Call, in commandInput) (string, error) {
					result, err := call.Handoff(ctx, sdk.Handoff{Command: in.Command})
					if err != nil {
						return "", err
					}
					return fmt.Sprintf("%s %s %s", result.Status, result.Output, result.Reason), nil
				}),
			diesOnce("repeatable", true),
			diesOnce("unrepeatable", false),
		},
	}
}

// opened is a host in a temporary workspace.
type opened struct {
	*host.Host
	t   testing.TB
	dir string
}

func open(t testing.TB, change func(*host.Options)) *opened {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	options := host.Options{
		Dir:        dir,
		Bundled:    []host.Bundled{{Name: "builtin", Command: []string{self, "serve-builtin"}}, {Name: "probe", Command: []string{self, "serve-probe"}}},
		StateDir:   t.TempDir(),
		UserConfig: filepath.Join(t.TempDir(), "none.hcl"),
	}
	if change != nil {
		change(&options)
	}
	h, err := host.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &opened{Host: h, t: t, dir: dir}
}

func (o *opened) write(name, content string) string {
	o.t.Helper()
	path := filepath.Join(o.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		o.t.Fatal(err)
	}
	return path
}

func (o *opened) invoke(tool string, input any) (*pipeline.Outcome, error) {
	o.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		o.t.Fatal(err)
	}
	return o.Invoke(o.t.Context(), pipeline.Invocation{Tool: tool, Input: raw})
}

type fields map[string]any

// answers lets a person decide every request with the same verdict. It returns
// the requests that came.
func (o *opened) answers(decision approval.Decision) func() []approval.Request {
	detach := o.Approvals().Attach()
	ctx, cancel := context.WithCancel(o.t.Context())
	var seen []approval.Request
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := o.Approvals().Changed()
			for _, request := range o.Approvals().Pending() {
				seen = append(seen, request)
				if err := o.Approvals().Decide(request.ID, decision); err != nil {
					o.t.Errorf("decide: %v", err)
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	stop := func() []approval.Request {
		cancel()
		<-done
		detach()
		return seen
	}
	return stop
}

func refusal(t *testing.T, err error) *pipeline.Refusal {
	t.Helper()
	var r *pipeline.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("err = %v, want a refusal", err)
	}
	if r.Hint == "" {
		t.Errorf("%v has no hint", r)
	}
	return r
}

func TestInvokeReadsAFileInAnotherProcess(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	h.write("a.txt", "first\nsecond\n")
	outcome, err := h.invoke("Read", fields{"path": "a.txt"})
	if err != nil {
		t.Fatal(err)
	}
	if outcome.IsError || !strings.Contains(outcome.Text, "second") {
		t.Errorf("outcome = %+v", outcome)
	}
	var types []string
	for _, event := range h.Events().Since(0) {
		if event.RunID == outcome.RunID {
			types = append(types, event.Body.Type())
		}
	}
	want := "tool_called tool_judged tool_started tool_finished"
	if got := strings.Join(types, " "); got != want {
		t.Errorf("events = %s, want %s", got, want)
	}
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	t.Parallel()
	h := open(t, func(o *host.Options) {
		o.UserConfig = filepath.Join(t.TempDir(), "config.hcl")
		os.WriteFile(o.UserConfig, []byte(`policy { deny = ["Bash(rm *)"] }`), 0o600)
	})
	tests := map[string]struct {
		tool  string
		input fields
		code  pipeline.Code
		says  string
	}{
		"an unknown tool gets near names":            {"Raed", fields{}, pipeline.UnknownTool, `"Raed"`},
		"a missing field is named":                   {"Read", fields{}, pipeline.InvalidInput, "path"},
		"an unknown field is named":                  {"Read", fields{"path": "a", "pth": 1}, pipeline.InvalidInput, "pth"},
		"a denied command names the rule":            {"Bash", fields{"command": "true; rm x"}, pipeline.PolicyDenied, "Bash(rm *)"},
		"a call that asks and nobody is there fails": {"Bash", fields{"command": "true"}, pipeline.NobodyToAsk, "approval"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := h.invoke(tt.tool, tt.input)
			r := refusal(t, err)
			if r.Code != tt.code || !strings.Contains(r.Text(), tt.says) {
				t.Errorf("refusal %s: %q, want %s with %q", r.Code, r.Text(), tt.code, tt.says)
			}
		})
	}
}

func TestApprovalDecidesWhetherACallRuns(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		verdict approval.Verdict
		code    pipeline.Code // empty: it runs
	}{
		"allow runs it":      {approval.Allow, ""},
		"deny does not":      {approval.Deny, pipeline.PersonDenied},
		"closing it neither": {approval.Cancel, pipeline.Cancelled},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			h := open(t, nil)
			stop := h.answers(approval.Decision{Verdict: tt.verdict})
			_, err := h.invoke("Bash", fields{"command": "touch made"})
			requests := stop()
			if tt.code == "" && err != nil {
				t.Fatal(err)
			}
			if tt.code != "" {
				if r := refusal(t, err); r.Code != tt.code {
					t.Errorf("code = %s, want %s", r.Code, tt.code)
				}
			}
			_, err = os.Stat(filepath.Join(h.dir, "made"))
			if ran := err == nil; ran != (tt.code == "") {
				t.Errorf("ran = %t", ran)
			}
			if len(requests) != 1 || requests[0].Kind != approval.KindShell || requests[0].Subject != "touch made" {
				t.Errorf("requests = %+v", requests)
			}
			records := h.Journal().Records()
			if len(records) != 1 || records[0].Decision.Verdict != tt.verdict || records[0].Request.RunID == "" {
				t.Errorf("journal = %+v", records)
			}
		})
	}
}

func TestEditPlanIsOnTheCardAndAChangedFileIsRefused(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	path := h.write("a.txt", "one\n")
	detach := h.Approvals().Attach()
	defer detach()
	done := make(chan error, 1)
	var outcome *pipeline.Outcome
	go func() {
		var err error
		outcome, err = h.Invoke(t.Context(), pipeline.Invocation{Tool: "Edit", Input: json.RawMessage(`{"path":"a.txt","old_string":"one","new_string":"two"}`)})
		done <- err
	}()
	changed := h.Approvals().Changed()
	for len(h.Approvals().Pending()) == 0 {
		<-changed
		changed = h.Approvals().Changed()
	}
	request := h.Approvals().Pending()[0]
	if request.PreviewKind != "diff" || !strings.Contains(request.Preview, "-one") || !strings.Contains(request.Preview, "+two") {
		t.Errorf("preview = %s %q", request.PreviewKind, request.Preview)
	}
	if err := os.WriteFile(path, []byte("one and more\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := h.Approvals().Decide(request.ID, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !outcome.IsError || !strings.Contains(outcome.Text, "changed") {
		t.Errorf("outcome = %+v, want an error that says the file changed", outcome)
	}
	if data, _ := os.ReadFile(path); string(data) != "one and more\n" {
		t.Errorf("file = %q", data)
	}
}

func TestQuestionOfARunningToolReachesThePerson(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	stop := h.answers(approval.Decision{Verdict: approval.Allow, Selected: []int{1}})
	outcome, err := h.invoke("ask", fields{})
	requests := stop()
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Text != "cancelled=false selected=[1]" {
		t.Errorf("text = %q", outcome.Text)
	}
	if len(requests) != 1 || requests[0].Question == nil || requests[0].Question.Text != "Which?" {
		t.Errorf("requests = %+v", requests)
	}

	// Where nobody is, the tool learns that, and its call is not lost.
	outcome, err = h.invoke("ask", fields{})
	if err != nil || outcome.Text != "cancelled=true selected=[]" {
		t.Errorf("without a person: %+v, %v", outcome, err)
	}
}

func TestKilledProviderFailsItsCallWithTheReasonAndTheNextCallWorks(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	mark := filepath.Join(h.dir, "pid")
	failed := make(chan error, 1)
	go func() {
		_, err := h.invoke("wait", fields{"path": mark})
		failed <- err
	}()
	pid := awaitPID(t, mark)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	r := refusal(t, <-failed)
	t.Logf("the caller knew after %v", time.Since(killed))
	if r.Code != pipeline.ProviderFailed || !strings.Contains(r.Reason, "killed") || !strings.Contains(r.Reason, "probe") {
		t.Errorf("refusal %s: %s", r.Code, r.Reason)
	}
	outcome, err := h.invoke("nothing", fields{})
	if err != nil || outcome.Text != "done" {
		t.Errorf("next call: %+v, %v", outcome, err)
	}
	crashes, err := h.Crashes()
	if err != nil || len(crashes) != 1 || crashes[0].PID != pid || crashes[0].Provider != "probe" {
		t.Errorf("crashes = %+v, %v", crashes, err)
	}
}

// awaitPID waits for a file that holds a process id.
func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for t.Context().Err() == nil {
		data, err := os.ReadFile(path)
		var pid int
		if err == nil {
			if _, err := fmt.Sscan(string(data), &pid); err == nil {
				return pid
			}
		}
		time.Sleep(time.Millisecond) // a file cannot be waited for
	}
	t.Fatal("no pid")
	return 0
}

func TestCancelledCallEndsAndSaysSo(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	mark := filepath.Join(h.dir, "pid")
	failed := make(chan error, 1)
	go func() {
		_, err := h.Invoke(ctx, pipeline.Invocation{Tool: "wait", Input: json.RawMessage(fmt.Sprintf(`{"path":%q}`, mark))})
		failed <- err
	}()
	awaitPID(t, mark)
	cancel()
	if r := refusal(t, <-failed); r.Code != pipeline.Cancelled {
		t.Errorf("code = %s: %s", r.Code, r.Reason)
	}
}

// say is a hook that answers the same for every call.
type say struct{ answer hook.Answer }

func (say) Name() string { return "say" }
func (s say) BeforeTool(context.Context, hook.Call) (hook.Answer, error) {
	return s.answer, nil
}

func TestHooksHaveASay(t *testing.T) {
	t.Parallel()
	t.Run("a deny ends the call", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Outcome: policy.Deny, Reason: "not today"}}}
		})
		_, err := h.invoke("nothing", fields{})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || !strings.Contains(r.Reason, "not today") {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("an ask puts a card up, with the warnings and the risk", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Outcome: policy.Ask, Warnings: []string{"careful"}, Risk: policy.High}}}
		})
		stop := h.answers(approval.Decision{Verdict: approval.Allow})
		_, err := h.invoke("nothing", fields{})
		requests := stop()
		if err != nil || len(requests) != 1 {
			t.Fatalf("err = %v, requests = %+v", err, requests)
		}
		if requests[0].Risk != "high" || len(requests[0].Warnings) != 1 {
			t.Errorf("request = %+v", requests[0])
		}
	})
	t.Run("a rewritten input is validated and judged again", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Input: json.RawMessage(`{"path":1}`)}}}
		})
		h.write("a.txt", "a")
		_, err := h.invoke("Read", fields{"path": "a.txt"})
		if r := refusal(t, err); r.Code != pipeline.InvalidInput {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
}

func TestLongResultIsShortenedAndKeptWhole(t *testing.T) {
	t.Parallel()
	h := open(t, func(o *host.Options) { o.ResultBytes = 2000 })
	stop := h.answers(approval.Decision{Verdict: approval.Allow})
	outcome, err := h.invoke("Bash", fields{"command": "seq 1 2000"})
	stop()
	if err != nil {
		t.Fatal(err)
	}
	if len(outcome.Text) > 2000 || outcome.SpillPath == "" || !strings.Contains(outcome.Text, outcome.SpillPath) {
		t.Fatalf("%d bytes, spilled to %q: %s", len(outcome.Text), outcome.SpillPath, outcome.Text)
	}
	whole, err := os.ReadFile(outcome.SpillPath)
	if err != nil || !strings.Contains(string(whole), "\n1000\n") {
		t.Errorf("spilled %d bytes, %v", len(whole), err)
	}
}

func TestModeTrustNeedsConfirmation(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	if err := h.SetMode(policy.Trust, false); err == nil {
		t.Error("trust without confirm was taken")
	}
	if _, err := h.invoke("Bash", fields{"command": "true"}); err == nil {
		t.Error("mode auto ran a command without asking")
	}
	if err := h.SetMode(policy.Trust, true); err != nil {
		t.Fatal(err)
	}
	if _, err := h.invoke("Bash", fields{"command": "true"}); err != nil {
		t.Errorf("mode trust asked: %v", err)
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	errs := make(chan error, 64)
	for range cap(errs) {
		go func() {
			outcome, err := h.invoke("nothing", fields{})
			if err == nil && outcome.Text != "done" {
				err = fmt.Errorf("text = %q", outcome.Text)
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

func TestCloseDeniesWhatWaits(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	detach := h.Approvals().Attach()
	defer detach()
	failed := make(chan error, 1)
	go func() {
		_, err := h.invoke("Bash", fields{"command": "true"})
		failed <- err
	}()
	for changed := h.Approvals().Changed(); len(h.Approvals().Pending()) == 0; changed = h.Approvals().Changed() {
		<-changed
	}
	h.Close()
	refusal(t, <-failed)
	finished := false
	for _, event := range h.Events().Since(0) {
		_, ok := event.Body.(session.ToolFinished)
		finished = finished || ok
	}
	if !finished {
		t.Error("the end of the call is not in the log")
	}
}
