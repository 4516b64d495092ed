package tui

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/session"
)

// stepLines draws one step of a call.
func (c *call) stepLines(t theme, s step) []line {
	switch b := s.body.(type) {
	case session.ToolPlanned:
		return c.planned(t, b, s.left)
	case session.ToolJudged:
		style := t.faint
		if b.Outcome == "deny" {
			style = t.bad
		}
		return []line{textLine(style, "  policy: "+joinColon(b.Outcome, b.Reason))}
	case session.ResultReplaced:
		return []line{replacedLine(t, b)}
	case session.ApprovalAsked:
		if c.decided(b.ApprovalID) {
			return nil
		}
		return []line{{
			plain(t.caution, "  waiting for a decision"),
			plain(t.plain, " on "+b.Subject+", risk "),
			plain(t.risk(b.Risk), b.Risk),
			plain(t.faint, " "+b.ApprovalID),
		}}
	case session.ApprovalDecided:
		return []line{decidedLine(t, b)}
	case session.HandoffStarted:
		return []line{{plain(t.faint, "  in the shell: "), plain(t.plain, oneLine(b.Command))}}
	case session.HandoffEnded:
		return []line{handoffLine(t, b)}
	}
	return eventLines(t, s.body)
}

func (c *call) planned(t theme, b session.ToolPlanned, left string) []line {
	var lines []line
	if b.Risk != "" {
		lines = append(lines, line{plain(t.faint, "  plan: risk "), plain(t.risk(b.Risk), b.Risk)})
	}
	lines = append(lines, quoted(t, previewText(t, b.PreviewKind, b.Preview))...)
	return append(lines, c.more(t, left)...)
}

// decided tells whether the request has its decision.
func (c *call) decided(approvalID string) bool {
	for _, s := range c.steps {
		if b, ok := s.body.(session.ApprovalDecided); ok && b.ApprovalID == approvalID {
			return true
		}
	}
	return false
}

func decidedLine(t theme, b session.ApprovalDecided) line {
	word, style := b.Decision, t.bad
	switch approval.Verdict(b.Decision) {
	case approval.Allow:
		word, style = "approved", t.good
	case approval.Deny:
		word = "denied"
	case approval.Cancel:
		word = "cancelled"
	}
	return line{plain(style, "  "+joinColon(word, b.Message)), plain(t.faint, " "+b.ApprovalID)}
}

func handoffLine(t theme, b session.HandoffEnded) line {
	// An exit that nobody saw must never look like success.
	text, style := "exit unknown", t.bad
	switch {
	case b.Signal != "":
		text = "ended by " + b.Signal
		if b.ExitCode != nil {
			text += fmt.Sprintf(", exit %d", *b.ExitCode)
		}
	case b.ExitCode != nil && *b.ExitCode == 0:
		text, style = "exit 0", t.good
	case b.ExitCode != nil:
		text = fmt.Sprintf("exit %d", *b.ExitCode)
	}
	return line{plain(style, "  "+text), plain(t.faint, " "+b.Status+" after "+duration(b.Duration))}
}

// previewText draws a plan's preview; the lines of a diff have their colours.
func previewText(t theme, kind, preview string) []line {
	if kind != "diff" {
		return textLines(t.plain, preview)
	}
	lines := textLines(t.plain, preview)
	for i, l := range lines {
		style := t.plain
		switch text := l.String(); {
		case strings.HasPrefix(text, "+++"), strings.HasPrefix(text, "---"):
			style = t.strong
		case strings.HasPrefix(text, "+"):
			style = t.added
		case strings.HasPrefix(text, "-"):
			style = t.removed
		case strings.HasPrefix(text, "@@"):
			style = t.hunk
		}
		lines[i] = line{{text: l.String(), style: style}}
	}
	return lines
}

// eventLines draws an event that belongs to no call.
func eventLines(t theme, body session.Body) []line {
	switch b := body.(type) {
	case session.Input:
		return headed(t, plain(t.focused, "> "), textLines(t.strong, b.Text))
	case session.Notice:
		return noticeLines(t, b.Level, b.Text)
	case session.HookAnswered:
		return hookLines(t, b)
	case session.FindingsReported:
		head := line{plain(t.faint, "provider "), plain(t.plain, b.Provider), plain(t.faint, " found in the files of "), plain(t.plain, b.CallID+":")}
		return append([]line{head}, quoted(t, textLines(t.plain, b.Text))...)
	case session.PoolChanged:
		return poolLines(t, b)
	case session.ProviderChanged:
		return []line{{
			plain(t.faint, "provider "), plain(t.plain, b.Provider+": "),
			plain(stateStyle(t, b.State), joinColon(b.State, b.Reason)),
		}}
	case session.Unknown:
		return unknownLines(t, b.Name, b.Raw)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		raw = nil
	}
	return unknownLines(t, body.Type(), raw)
}

// headed begins a text with a word of the host; its further lines are quoted.
func headed(t theme, head span, lines []line) []line {
	if len(lines) == 0 {
		return nil
	}
	return append([]line{append(line{head}, lines[0]...)}, quoted(t, lines[1:])...)
}

// noticeLines draws what the host tells. It may tell what a plugin said.
func noticeLines(t theme, level session.Level, text string) []line {
	head := plain(t.faint, "note: ")
	switch level {
	case session.Warning:
		head = plain(t.caution, "warning: ")
	case session.Error:
		head = plain(t.bad, "error: ")
	}
	return headed(t, head, textLines(t.plain, text))
}

// stateStyle grades the state of a provider.
func stateStyle(t theme, state string) tcell.Style {
	switch state {
	case "ready":
		return t.good
	case "crashed", "disabled", "failed":
		return t.bad
	case "backoff":
		return t.caution
	}
	return t.plain
}

// stub is what is looked for in an event that this program does not know. It may
// come from a newer program: the name, the input and the result are shown.
type stub struct {
	Tool   string          `json:"tool"`
	Name   string          `json:"name"`
	Input  json.RawMessage `json:"input"`
	Text   string          `json:"text"`
	Result json.RawMessage `json:"result"`
	Output json.RawMessage `json:"output"`
}

func unknownLines(t theme, event string, raw json.RawMessage) []line {
	lines := []line{{plain(t.caution, "? "), plain(t.strong, name(event))}}
	var s stub
	if json.Unmarshal(raw, &s) != nil {
		return append(lines, quoted(t, textLines(t.plain, shorten(string(raw), inputChars)))...)
	}
	if s.Tool == "" {
		s.Tool = s.Name
	}
	fields := []struct{ label, text string }{
		{"tool", s.Tool}, {"input", compact(s.Input)}, {"result", s.Text},
		{"result", compact(s.Result)}, {"output", compact(s.Output)},
	}
	found := false
	for _, f := range fields {
		if f.text != "" {
			found = true
			lines = append(lines, line{plain(t.faint, "  "+f.label+" "), plain(t.plain, shorten(oneLine(f.text), inputChars))})
		}
	}
	if !found {
		lines = append(lines, quoted(t, textLines(t.plain, shorten(compact(raw), inputChars)))...)
	}
	return lines
}

// joinColon is "a: b", or a alone when there is no b.
func joinColon(a, b string) string {
	if b == "" {
		return a
	}
	return a + ": " + b
}

// oneLine shows line ends as a sign, so that a text keeps to one line.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "⏎ ")
}
