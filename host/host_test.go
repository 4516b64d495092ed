package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
)

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

func TestFindingsThatComeLateReachTheSession(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	h.write("a.txt", "one\n")
	stop := h.answers(approval.Decision{Verdict: approval.Allow})
	outcome, err := h.invoke("Edit", fields{"path": "a.txt", "old_string": "one", "new_string": "two"})
	stop()
	if err != nil || !strings.Contains(outcome.Text, "looking") {
		t.Fatalf("outcome = %+v, %v; want what the observer said at once", outcome, err)
	}
	for seq := uint64(0); ; {
		events, err := h.Events().Wait(t.Context(), seq)
		if err != nil {
			t.Fatal(err)
		}
		for _, event := range events {
			seq = event.Seq
			if found, ok := event.Body.(session.FindingsReported); ok {
				if found.CallID != outcome.CallID || found.Provider != "probe" || found.Text != "later: a.txt" {
					t.Errorf("findings = %+v", found)
				}
				return
			}
		}
	}
}
