package session

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// bodies has one value of every type of body.
var bodies = []Body{
	Input{Text: "/call Read {}"},
	Notice{Level: Warning, Text: "words: crashed"},
	ToolCalled{CallID: "c1", Tool: "Read", Input: json.RawMessage(`{"path":"a"}`), InvokedBy: "user", Wrapper: true},
	ToolPlanned{CallID: "c1", PreviewKind: "diff", Preview: "-a\n+b\n", Risk: "low"},
	ToolJudged{CallID: "c1", Outcome: "ask", Reason: "auto mode asks"},
	ApprovalAsked{CallID: "c1", ApprovalID: "a1", Subject: "echo hi", Risk: "medium"},
	ApprovalDecided{CallID: "c1", ApprovalID: "a1", Decision: "deny", Message: "no"},
	ToolStarted{CallID: "c1", Provider: "builtin"},
	ToolProgress{CallID: "c1", Message: "half", Fraction: new(0.5)},
	ToolOutput{CallID: "c1", Stream: "stderr", Text: "hi\n"},
	HandoffStarted{CallID: "c1", Command: "echo hi"},
	HandoffEnded{CallID: "c1", Status: "failed", ExitCode: new(3), Duration: time.Second},
	ToolFinished{CallID: "c1", Tool: "Read", IsError: true, Text: "x", Structured: json.RawMessage(`[1]`), SpillPath: "/s", Duration: 2},
	PoolChanged{Revision: 2, Added: []string{"Read"}},
	ProviderChanged{Provider: "words", State: "crashed", Reason: "exit 2"},
	Unknown{Name: "tool_dreamt", Raw: json.RawMessage(`{"of":["sheep"]}`)},
}

func TestEveryEventRoundTrips(t *testing.T) {
	for _, body := range bodies {
		t.Run(body.Type(), func(t *testing.T) {
			event := Event{Seq: 7, Time: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), SessionID: "s1", RunID: "r1", Body: body}
			data, err := json.Marshal(event)
			if err != nil {
				t.Fatal(err)
			}
			var got Event
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, event) {
				t.Errorf("%s became %+v", data, got)
			}
		})
	}
}

func TestTypeStandsBesideTheBody(t *testing.T) {
	event := Event{Seq: 1, Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), SessionID: "s1", Body: Input{Text: "hi"}}
	data, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":1,"time":"2026-01-02T03:04:05Z","session_id":"s1","type":"input","body":{"text":"hi"}}`
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}
}

func TestUnreadableBodiesBecomeUnknown(t *testing.T) {
	for name, tc := range map[string]struct {
		in   string
		want Unknown
	}{
		"a type of a newer program":       {`{"type":"x","body":[1,2]}`, Unknown{"x", json.RawMessage(`[1,2]`)}},
		"a body that is null":             {`{"type":"x","body":null}`, Unknown{"x", json.RawMessage(`null`)}},
		"no body":                         {`{"type":"x"}`, Unknown{"x", nil}},
		"no type":                         {`{"seq":1}`, Unknown{}},
		"a known type with another body":  {`{"type":"input","body":{"text":1}}`, Unknown{"input", json.RawMessage(`{"text":1}`)}},
		"a known type without a body":     {`{"type":"input"}`, Unknown{"input", nil}},
		"a known type whose body is null": {`{"type":"input","body":null}`, Unknown{"input", json.RawMessage(`null`)}},
	} {
		t.Run(name, func(t *testing.T) {
			var event Event
			if err := json.Unmarshal([]byte(tc.in), &event); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(event.Body, tc.want) {
				t.Errorf("got %#v, want %#v", event.Body, tc.want)
			}
			if _, err := json.Marshal(event); err != nil {
				t.Errorf("write it again: %v", err)
			}
		})
	}
}

func FuzzEventJSON(f *testing.F) {
	for _, body := range bodies {
		data, err := json.Marshal(Event{Seq: 1, Body: body})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"type":"input","body":7}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var event Event
		if json.Unmarshal(data, &event) != nil {
			return
		}
		first, err := json.Marshal(event)
		if err != nil {
			t.Skip("a time that JSON cannot hold")
		}
		var again Event
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatal(err)
		}
		second, err := json.Marshal(again)
		if err != nil {
			t.Fatal(err)
		}
		if string(first) != string(second) {
			t.Errorf("got %s, then %s", first, second)
		}
	})
}
