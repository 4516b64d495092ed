package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/session"
)

// rendered applies events and returns the lines of the transcript.
func rendered(bodies ...session.Body) []string {
	tr := newTranscript(newTheme(true))
	h := newHistory(tr)
	for i, body := range bodies {
		h.apply(session.Event{Seq: uint64(i + 1), RunID: "run_1", Body: body})
	}
	var lines []string
	for _, e := range tr.entries {
		lines = append(lines, texts(e.lines(tr.theme, 100))...)
	}
	return lines
}

func number[T any](n T) *T { return &n }

func TestEveryEventIsShown(t *testing.T) {
	called := session.ToolCalled{CallID: "call_1", Tool: "Bash", Input: []byte(`{ "command": "ls" }`), InvokedBy: "user"}
	cases := map[string]struct {
		bodies []session.Body
		want   []string
	}{
		"what was typed": {[]session.Body{session.Input{Text: "/call X\n{}"}}, []string{"> /call X", "  │ {}"}},
		"a notice":       {[]session.Body{session.Notice{Level: session.Warning, Text: "slow\ndisk"}}, []string{"warning: slow", "  │ disk"}},
		"a call":         {[]session.Body{called}, []string{`● Bash {"command":"ls"} call_1`}},
		"a call of somebody else": {
			[]session.Body{session.ToolCalled{CallID: "call_1", Tool: "Bash", Input: []byte(`{}`), InvokedBy: "mcp"}},
			[]string{"● Bash {} call_1 by mcp"},
		},
		"a plan with a diff": {
			[]session.Body{called, session.ToolPlanned{CallID: "call_1", Risk: "low", PreviewKind: "diff", Preview: "-a\n+b\n"}},
			[]string{`● Bash {"command":"ls"} call_1`, "  plan: risk low", "  │ -a", "  │ +b"},
		},
		"a judgement": {
			[]session.Body{called, session.ToolJudged{CallID: "call_1", Outcome: "deny", Reason: "rule Bash"}},
			[]string{`● Bash {"command":"ls"} call_1`, "  policy: deny: rule Bash"},
		},
		"what a hook says of a call": {
			[]session.Body{called, session.HookAnswered{
				CallID: "call_1", Event: "pre_tool_use", Hook: "guard", Outcome: "deny", Reason: "not\nnow", Warnings: []string{"look"}, Rewrote: true,
			}},
			[]string{`● Bash {"command":"ls"} call_1`, "  hook guard: deny: not⏎ now", "  hook guard: look", "  hook guard: rewrote the input"},
		},
		"what a hook says of the session": {
			[]session.Body{session.HookAnswered{Event: "session_start", Hook: "hello", Warnings: []string{"the disk is full"}}},
			[]string{"hook hello at session_start: the disk is full"},
		},
		"a result that a hook replaced": {
			[]session.Body{
				called, session.HookAnswered{CallID: "call_1", Event: "post_tool_use", Hook: "redact", Rewrote: true},
				session.ResultReplaced{CallID: "call_1", OriginalPath: "/tmp/x"},
			},
			[]string{`● Bash {"command":"ls"} call_1`, "  hook redact: replaced the result", "  what the tool said is in /tmp/x"},
		},
		"a question that waits": {
			[]session.Body{called, session.ApprovalAsked{CallID: "call_1", ApprovalID: "a-1", Subject: "ls", Risk: "low"}},
			[]string{`● Bash {"command":"ls"} call_1`, "  waiting for a decision on ls, risk low a-1"},
		},
		"a decision takes the place of its question": {
			[]session.Body{
				called, session.ApprovalAsked{CallID: "call_1", ApprovalID: "a-1", Subject: "ls", Risk: "low"},
				session.ApprovalDecided{CallID: "call_1", ApprovalID: "a-1", Decision: "deny", Message: "not now"},
			},
			[]string{`● Bash {"command":"ls"} call_1`, "  denied: not now a-1"},
		},
		"progress and output of a call that runs": {
			[]session.Body{
				called, session.ToolStarted{CallID: "call_1", Provider: "builtin"},
				session.ToolProgress{CallID: "call_1", Message: "one"},
				session.ToolProgress{CallID: "call_1", Message: "two", Fraction: number(0.5)},
				session.ToolOutput{CallID: "call_1", Text: "li"}, session.ToolOutput{CallID: "call_1", Text: "ne\n"},
			},
			[]string{`● Bash {"command":"ls"} call_1`, "  running in builtin", "  progress: 50% two", "  │ line"},
		},
		"a handed-off command": {
			[]session.Body{
				called, session.HandoffStarted{CallID: "call_1", Command: "ls"},
				session.HandoffEnded{CallID: "call_1", Status: "failed", ExitCode: number(3), Duration: 1200 * time.Millisecond},
			},
			[]string{`● Bash {"command":"ls"} call_1`, "  in the shell: ls", "  exit 3 failed after 1.2s"},
		},
		"an unknown exit is not success": {
			[]session.Body{called, session.HandoffEnded{CallID: "call_1", Status: "completed_untracked"}},
			[]string{`● Bash {"command":"ls"} call_1`, "  exit unknown completed_untracked after 0s"},
		},
		"death by a signal": {
			[]session.Body{called, session.HandoffEnded{CallID: "call_1", Status: "interrupted", Signal: "SIGINT", ExitCode: number(130)}},
			[]string{`● Bash {"command":"ls"} call_1`, "  ended by SIGINT, exit 130 interrupted after 0s"},
		},
		"a result": {
			[]session.Body{called, session.ToolFinished{CallID: "call_1", Tool: "Bash", Text: "a\nb\n", Duration: 3 * time.Millisecond, SpillPath: "/tmp/x"}},
			[]string{`✓ Bash {"command":"ls"} call_1`, "  │ a", "  │ b", "  the whole result is in /tmp/x", "  done after 3ms"},
		},
		"a structured result without text": {
			[]session.Body{called, session.ToolFinished{CallID: "call_1", Structured: []byte(`{"n":1}`)}},
			[]string{`✓ Bash {"command":"ls"} call_1`, "  │ {", `  │   "n": 1`, "  │ }", "  done after 0s"},
		},
		"an error": {
			[]session.Body{called, session.ToolFinished{CallID: "call_1", IsError: true, Text: "no such file\nhint: look"}},
			[]string{`✗ Bash {"command":"ls"} call_1`, "  │ no such file", "  │ hint: look", "  error after 0s"},
		},
		"a result whose call is forgotten": {
			[]session.Body{session.ToolFinished{CallID: "call_9", Tool: "words__count", Text: "7"}},
			[]string{"✓ words__count  call_9", "  │ 7", "  done after 0s"},
		},
		"another pool": {
			[]session.Body{session.PoolChanged{Revision: 4, Added: []string{"A", "B"}, Removed: []string{"C", "D"}, Denied: []string{"D"}, Changed: []string{"E"}}},
			[]string{"tools changed, revision 4", "  + A, B", "  ~ E (described otherwise, or loaded)", "  - C", "  - D (denied by policy)"},
		},
		"another pool with very many tools": {
			[]session.Body{session.PoolChanged{Revision: 5, Added: strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")}},
			[]string{"tools changed, revision 5", "  + A, B, C, D, E, F, G, H, I, J, K, L and 14 more; /tools lists all"},
		},
		"a provider's state": {
			[]session.Body{session.ProviderChanged{Provider: "lsp", State: "crashed", Reason: "signal 9"}},
			[]string{"provider lsp: crashed: signal 9"},
		},
		"an event of a newer program": {
			[]session.Body{session.Unknown{Name: "tool_dreamt", Raw: []byte(`{"tool":"Dream","input":{"of":"sheep"},"result":"baa"}`)}},
			[]string{"? tool_dreamt", "  tool Dream", `  input {"of":"sheep"}`, `  result "baa"`},
		},
		"an event of which nothing is known": {
			[]session.Body{session.Unknown{Name: "x", Raw: []byte(`{"y": [1, 2]}`)}},
			[]string{"? x", `  │ {"y":[1,2]}`},
		},
		"an event that is not JSON": {
			[]session.Body{session.Unknown{Name: "x", Raw: []byte("\x1b[0m")}},
			[]string{"? x", "  │ ␛[0m"},
		},
		"a wrapper shows its inner call": {
			[]session.Body{
				session.ToolCalled{CallID: "call_1", Tool: "ToolCall", Input: []byte(`{}`), Wrapper: true},
				session.ToolCalled{CallID: "call_2", Tool: "Read", Input: []byte(`{}`)},
				session.ToolFinished{CallID: "call_2", Text: "text"},
				session.ToolFinished{CallID: "call_1", Text: "text"},
			},
			[]string{"✓ Read {} call_2 through ToolCall", "  │ text", "  done after 0s"},
		},
		"a wrapper that failed before its inner call is shown itself": {
			[]session.Body{
				session.ToolCalled{CallID: "call_1", Tool: "ToolCall", Input: []byte(`{}`), Wrapper: true},
				session.ToolFinished{CallID: "call_1", IsError: true, Text: "no such tool"},
			},
			[]string{"✗ ToolCall {} call_1", "  │ no such tool", "  error after 0s"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := rendered(c.bodies...); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestLongResultsAreCutAndSayHowToSeeTheRest(t *testing.T) {
	text := strings.Repeat("line\n", 100)
	got := rendered(
		session.ToolCalled{CallID: "call_1", Tool: "Read", Input: []byte(`{"x":"` + strings.Repeat("y", 1000) + `"}`)},
		session.ToolFinished{CallID: "call_1", Text: text},
	)
	if want := "  … 92 more lines: /details call_1"; !slices.Contains(got, want) {
		t.Errorf("%q is missing in %q", want, got)
	}
	if len(got) > 25 {
		t.Errorf("%d lines are shown", len(got))
	}
}

func TestHostileTextsInTheTranscript(t *testing.T) {
	hostile := "\x1b[2J\u202e\u200b\u0007[red]\xff\r"
	for _, l := range rendered(
		session.Notice{Level: session.Level(hostile), Text: hostile},
		session.ToolCalled{CallID: hostile, Tool: hostile, Input: []byte(hostile), InvokedBy: hostile},
		session.ToolPlanned{CallID: hostile, PreviewKind: "diff", Preview: "+" + hostile, Risk: hostile},
		session.ToolJudged{CallID: hostile, Outcome: hostile, Reason: hostile},
		session.HookAnswered{CallID: hostile, Event: hostile, Hook: hostile, Outcome: hostile, Reason: hostile, Warnings: []string{hostile}},
		session.HookAnswered{Event: hostile, Hook: hostile, Outcome: hostile, Reason: hostile, Warnings: []string{hostile}},
		session.ResultReplaced{CallID: hostile, OriginalPath: hostile},
		session.ApprovalAsked{CallID: hostile, ApprovalID: hostile, Subject: hostile, Risk: hostile},
		session.ToolProgress{CallID: hostile, Message: hostile},
		session.ToolOutput{CallID: hostile, Text: hostile},
		session.HandoffStarted{CallID: hostile, Command: hostile},
		session.HandoffEnded{CallID: hostile, Status: hostile, Signal: hostile},
		session.ProviderChanged{Provider: hostile, State: hostile, Reason: hostile},
		session.PoolChanged{Added: []string{hostile}},
		session.Unknown{Name: hostile, Raw: []byte(hostile)},
	) {
		assertPlain(t, l)
	}
}

func FuzzUnknownEvent(f *testing.F) {
	f.Add("tool_dreamt", `{"tool":"Dream","input":{"of":"sheep"},"result":"baa"}`)
	f.Add("\x1b[0m", "\x1b]0;title\a\u202e")
	f.Fuzz(func(t *testing.T, name, raw string) {
		lines := rendered(session.Unknown{Name: name, Raw: []byte(raw)})
		if len(lines) == 0 {
			t.Fatal("the event is shown as nothing")
		}
		for _, l := range lines {
			assertPlain(t, l)
		}
	})
}
