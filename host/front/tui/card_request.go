package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/approval"
)

// cardInputChars is how much of an input the closed card shows; Details shows all
// of it.
const cardInputChars = 240

// requestContent is the card of a request.
func requestContent(t theme, r approval.Request) content {
	if r.Kind == approval.KindQuestion && r.Question != nil {
		return questionContent(t, r)
	}
	return content{
		id: r.ID, title: "approve " + shorten(r.Tool, 64) + "?",
		body: requestBody(t, r), details: requestDetails(t, r),
		buttons: []button{{"Details", verbDetails}, {"Deny", verbDeny}, {"Approve", verbApprove}},
	}
}

// field is a labelled line. Every card has its labels in one column, and nothing
// else begins there: text that somebody else wrote stands right of it, see
// [line.wrap].
func field(t theme, label string, value ...span) line {
	return append(line{plain(t.faint, fmt.Sprintf("%-*s", labelWidth, label))}, value...)
}

// fieldLines is a labelled text of several lines.
func fieldLines(t theme, label string, lines []line) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = field(t, label, l...)
		label = ""
	}
	return out
}

func requestBody(t theme, r approval.Request) []line {
	lines := requestHead(t, r)
	input := shorten(compact(r.Input), cardInputChars)
	switch {
	case r.Preview == "":
		lines = append(lines, field(t, "Input", plain(t.strong, input)))
		return append(lines, reason(t, r)...)
	case r.PreviewKind == "command":
		lines = append(lines, fieldLines(t, "Command", textLines(t.strong, r.Preview))...)
		if !saysCommand(r.Input, r.Preview) {
			lines = append(lines, field(t, "Input", plain(t.plain, input)))
		}
		return append(lines, reason(t, r)...)
	}
	// The preview comes last: it may be long, and is shown to its end.
	lines = append(lines, reason(t, r)...)
	// A third party's preview is a claim; what it is given is the fact.
	if r.Origin != "builtin" {
		lines = append(lines, field(t, "Input", plain(t.plain, input)))
	}
	return append(lines, fieldLines(t, "Preview", previewText(t, r.PreviewKind, r.Preview))...)
}

// reason says why a person is asked.
func reason(t theme, r approval.Request) []line {
	if r.Reason == "" {
		return nil
	}
	return []line{field(t, "Why", plain(t.plain, r.Reason))}
}

// requestHead says who wants to run and how bad it is, warnings included.
func requestHead(t theme, r approval.Request) []line {
	origin := " · " + r.Origin
	if r.InvokedBy != "" && r.InvokedBy != "user" {
		origin += " · asked by " + r.InvokedBy
	}
	lines := []line{
		field(t, "Tool", plain(t.strong, r.Tool), plain(t.plain, origin)),
		field(t, "Risk", plain(t.risk(r.Risk), strings.ToUpper(name(r.Risk))), plain(t.plain, because(r.RiskReason))),
	}
	for _, warning := range r.Warnings {
		lines = append(lines, field(t, "Warning", plain(t.bad, oneLine(warning))))
	}
	return lines
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// saysCommand tells whether the input's command is what the preview says, and
// the input has little else.
func saysCommand(input json.RawMessage, preview string) bool {
	var fields map[string]json.RawMessage
	var command string
	if json.Unmarshal(input, &fields) != nil || json.Unmarshal(fields["command"], &command) != nil {
		return false
	}
	return len(fields) == 1 && command == preview
}

// requestDetails is everything the request holds.
func requestDetails(t theme, r approval.Request) []line {
	lines := append(requestHead(t, r), reason(t, r)...)
	if r.Subject != "" {
		lines = append(lines, field(t, "Subject", plain(t.plain, oneLine(r.Subject))))
	}
	lines = append(lines, field(t, "Id", plain(t.plain, r.ID+"  call "+r.CallID+"  run "+r.RunID)))
	if r.InvokedBy != "" {
		lines = append(lines, field(t, "Asked", plain(t.plain, "by "+r.InvokedBy)))
	}
	if r.Question != nil {
		lines = append(lines, questionLines(t, *r.Question)...)
	}
	lines = append(lines, fieldLines(t, "Input", jsonLines(t.plain, r.Input))...)
	lines = append(lines, inputTexts(t, r.Input)...)
	if r.Preview != "" {
		lines = append(lines, field(t, "Preview", plain(t.faint, "as "+r.PreviewKind)))
		lines = append(lines, fieldLines(t, "", previewText(t, r.PreviewKind, r.Preview))...)
	}
	return lines
}

// inputTexts draws the multi-line texts of an input as lines: JSON shows them
// as one line with \n, which nobody can read.
func inputTexts(t theme, input json.RawMessage) []line {
	var fields map[string]any
	if json.Unmarshal(input, &fields) != nil {
		return nil
	}
	var lines []line
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		text, ok := fields[key].(string)
		if !ok || !strings.Contains(text, "\n") {
			continue
		}
		lines = append(lines, field(t, "Text", plain(t.faint, "of "+key)))
		lines = append(lines, fieldLines(t, "", textLines(t.plain, text))...)
	}
	return lines
}

// questionLines draws a question with its options as text.
func questionLines(t theme, q approval.Question) []line {
	lines := fieldLines(t, "Asks", textLines(t.strong, q.Text))
	for _, option := range q.Options {
		lines = append(lines, field(t, "Option", plain(t.plain, joinColon(option.Label, option.Description))))
	}
	return lines
}

// questionContent is the card of a question that a running tool asks.
func questionContent(t theme, r approval.Request) content {
	body := []line{field(t, "Tool", plain(t.strong, r.Tool), plain(t.plain, " · "+r.Origin))}
	body = append(body, fieldLines(t, "Asks", textLines(t.strong, r.Question.Text))...)
	return content{
		id: r.ID, title: "question of " + shorten(r.Tool, 64), body: body, details: requestDetails(t, r),
		question: r.Question,
		buttons:  []button{{"Answer", verbAnswer}, {"Decline", verbDeny}, {"Details", verbDetails}},
	}
}
