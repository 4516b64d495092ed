package tui

import (
	"errors"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/trust"
)

// forgeries are texts that come to stand at the start of a row wherever a text is
// wrapped or split without an indent. No line of the host begins with an f.
func forgeries() map[string]string {
	return map[string]string{
		"words":          strings.Repeat("forged ", 100),
		"one long word":  strings.Repeat("f", 500),
		"runs of spaces": strings.Repeat("forged"+strings.Repeat(" ", 59), 20),
		"lines":          strings.Repeat("forged\n", 20),
		"deep indents":   strings.Repeat(" ", 300) + "forged" + strings.Repeat(" ", 300) + "forged",
	}
}

// assertUnforged fails when a row begins with foreign text where the host's words
// stand.
func assertUnforged(t *testing.T, lines []line) {
	t.Helper()
	for _, width := range []int{45, 76} { // the narrowest card, and one of 80 columns
		for _, row := range wrapAll(lines, width) {
			text := row.String()
			if rest := strings.TrimLeft(text, " "); strings.HasPrefix(rest, "f") && len(text)-len(rest) < labelWidth {
				t.Fatalf("at width %d a row is forged: %q", width, text)
			}
		}
	}
}

func TestNoTextOfACardReachesTheLabels(t *testing.T) {
	for name, text := range forgeries() {
		t.Run(name, func(t *testing.T) {
			question := &approval.Question{Text: text, Options: []approval.Option{{Label: text, Description: text}}, AllowFreeText: true}
			for _, kind := range []string{"command", "diff", "text"} {
				r := approval.Request{
					Kind: approval.KindTool, Tool: text, Origin: text, InvokedBy: text, Subject: text, CallID: text,
					Input: []byte(`{"` + strings.ReplaceAll(text, "\n", `\n`) + `":"` + strings.ReplaceAll(text, "\n", `\n`) + `"}`),
					Risk:  text, RiskReason: text, Reason: text, PreviewKind: kind, Preview: text, Warnings: []string{text},
				}
				assertUnforged(t, requestContent(newTheme(true), r).body)
				assertUnforged(t, requestContent(newTheme(true), r).details)
				r.Kind, r.Question = approval.KindQuestion, question
				assertUnforged(t, requestContent(newTheme(true), r).body)
				assertUnforged(t, requestContent(newTheme(true), r).details)
			}
			c := newCard(newTheme(true))
			c.content = content{id: "a-1", question: question}
			for _, row := range c.choices(76) {
				assertUnforged(t, []line{row.row})
			}
			r := trust.Request{Workspace: text, Set: trust.Set{
				Providers:       []trust.Provider{{Name: text, Path: text, Args: []string{text}, SHA256: text}},
				Allow:           []string{text},
				TrustedCommands: []string{text},
			}, Problem: text}
			assertUnforged(t, trustContent(newTheme(true), &r).body)
		})
	}
}

func TestNoTextOfTheTranscriptReachesTheWordsOfTheHost(t *testing.T) {
	for name, text := range forgeries() {
		t.Run(name, func(t *testing.T) {
			for _, body := range []session.Body{
				session.Input{Text: text}, session.Notice{Text: text}, session.Notice{Level: session.Warning, Text: text},
				session.ToolCalled{CallID: "c", Tool: text, Input: []byte(text), InvokedBy: text},
				session.ToolPlanned{CallID: "c", PreviewKind: "text", Preview: text, Risk: text},
				session.ToolJudged{CallID: "c", Outcome: "ask", Reason: text},
				session.HookAnswered{CallID: "c", Event: "stop", Hook: text, Outcome: "deny", Reason: text, Warnings: []string{text}},
				session.HookAnswered{Event: text, Hook: text, Outcome: "deny", Reason: text, Warnings: []string{text}},
				session.ResultReplaced{CallID: "c", OriginalPath: text},
				session.ApprovalAsked{CallID: "c", ApprovalID: text, Subject: text, Risk: text},
				session.ApprovalDecided{CallID: "c", Decision: "deny", Message: text},
				session.ToolStarted{CallID: "c", Provider: text}, session.ToolProgress{CallID: "c", Message: text},
				session.ToolOutput{CallID: "c", Text: text}, session.HandoffStarted{CallID: "c", Command: text},
				session.HandoffEnded{CallID: "c", Status: text, Signal: text},
				session.ToolFinished{CallID: "c", Text: text, SpillPath: text},
				session.ToolFinished{CallID: "c", Structured: []byte(text)},
				session.PoolChanged{Added: []string{text}}, session.ProviderChanged{Provider: text, State: text, Reason: text},
				session.Unknown{Name: text, Raw: []byte(text)}, session.Unknown{Name: text, Raw: []byte(`{"tool":"x"}`)},
			} {
				for _, whole := range []bool{false, true} {
					if callID(body) == "" {
						assertUnforged(t, eventLines(newTheme(true), body))
						continue
					}
					c := call{id: "c", whole: whole}
					c.add(body)
					assertUnforged(t, c.render(newTheme(true)))
				}
			}
			assertUnforged(t, errorLines(newTheme(true), errors.New(text)))
		})
	}
}

func TestACommandCannotForgeALineOfItsCard(t *testing.T) {
	s := play(t, newWorkshop())
	s.shop.ask(bash("ls" + strings.Repeat(" ", 66) + "Why     trusted command ls (config.hcl:58)" + strings.Repeat(" ", 40) + "; touch /tmp/pwn"))
	text := s.sees("approve Bash?")
	if n := strings.Count(text, "║ Why "); n != 1 {
		t.Errorf("%d lines say why:\n%s", n, text)
	}
	if !strings.Contains(text, "; touch /tmp/pwn") {
		t.Errorf("the end of the command is not shown:\n%s", text)
	}
}

func TestALongPreviewIsShownToItsEnd(t *testing.T) {
	s := play(t, newWorkshop())
	request := bash("x")
	request.Kind, request.Tool, request.PreviewKind = approval.KindTool, "Edit", "diff"
	request.Preview = "@@ -1 +1,60 @@\n" + strings.Repeat("+line\n", 60) + "+the very end\n"
	s.shop.ask(request)
	s.sees("more lines below")
	for range 20 {
		s.press(tcell.KeyPgDn)
	}
	if text := s.sees("+the very end"); strings.Contains(text, "more lines below") {
		t.Errorf("the end is not the end:\n%s", text)
	}
}

func TestAQuestionWithMoreOptionsThanRows(t *testing.T) {
	s := play(t, newWorkshop())
	q := approval.Question{Text: "Which?"}
	for i := range 26 {
		q.Options = append(q.Options, approval.Option{Label: "option " + string(rune('a'+i))})
	}
	answer := s.shop.ask(approval.Request{Kind: approval.KindQuestion, Tool: "Deploy", Question: &q})
	text := s.sees("more lines of answers")
	if !strings.Contains(text, "Which?") || strings.Contains(text, "option z") {
		t.Fatalf("the card shows\n%s", text)
	}
	for range 26 {
		s.press(tcell.KeyDown)
	}
	s.sees("( ) option z")
	s.press(tcell.KeyEnter, tcell.KeyEnter)
	if got := s.decision(answer); len(got.Selected) != 1 || got.Selected[0] != 25 {
		t.Errorf("decision %+v, want option 25", got)
	}
}
