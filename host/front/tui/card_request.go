package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/approval"
)

// How much of a request the closed card shows; Details shows all of it.
const (
	cardInputChars   = 240
	cardPreviewLines = 40
)

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

// field is a labelled line; every card has its labels in one column.
func field(t theme, label string, value ...span) line {
	return append(line{plain(t.faint, fmt.Sprintf("%-8s", label))}, value...)
}

func requestBody(t theme, r approval.Request) []line {
	lines := requestHead(t, r)
	input := shorten(compact(r.Input), cardInputChars)
	switch {
	case r.Preview == "":
		lines = append(lines, field(t, "Input", plain(t.strong, input)))
	case r.PreviewKind == "command":
		lines = append(lines, commandLines(t, r.Preview)...)
		if !saysCommand(r.Input, r.Preview) {
			lines = append(lines, field(t, "Input", plain(t.plain, input)))
		}
	default:
		preview := previewText(t, r.PreviewKind, r.Preview)
		lines = append(lines, preview[:min(len(preview), cardPreviewLines)]...)
		// A third party's preview is a claim; what it is given is the fact.
		if r.Origin != "builtin" {
			lines = append(lines, field(t, "Input", plain(t.plain, input)))
		}
	}
	if r.Reason != "" {
		lines = append(lines, field(t, "Why", plain(t.plain, r.Reason)))
	}
	return lines
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

// commandLines draws a command, its further lines under the first.
func commandLines(t theme, command string) []line {
	lines := textLines(t.strong, command)
	for i, l := range lines {
		label := ""
		if i == 0 {
			label = "Command"
		}
		lines[i] = append(field(t, label), l...)
	}
	return lines
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
	lines := requestHead(t, r)
	if r.Reason != "" {
		lines = append(lines, field(t, "Why", plain(t.plain, r.Reason)))
	}
	if r.Subject != "" {
		lines = append(lines, field(t, "Subject", plain(t.plain, oneLine(r.Subject))))
	}
	lines = append(lines, field(t, "Id", plain(t.plain, r.ID+"  call "+r.CallID+"  run "+r.RunID)))
	if r.InvokedBy != "" {
		lines = append(lines, field(t, "Asked", plain(t.plain, "by "+r.InvokedBy)))
	}
	lines = append(lines, field(t, "Input"))
	lines = append(lines, indent("  ", t.plain, jsonLines(t.plain, r.Input))...)
	lines = append(lines, inputTexts(t, r.Input)...)
	if r.Preview != "" {
		lines = append(lines, field(t, "Preview", plain(t.plain, r.PreviewKind)))
		lines = append(lines, indent("  ", t.plain, previewText(t, r.PreviewKind, r.Preview))...)
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
		lines = append(lines, textLine(t.faint, key+" as text:"))
		lines = append(lines, indent("  ", t.plain, textLines(t.plain, text))...)
	}
	return lines
}

// questionContent is the card of a question that a running tool asks.
func questionContent(t theme, r approval.Request) content {
	body := []line{field(t, "Tool", plain(t.strong, r.Tool), plain(t.plain, " · "+r.Origin))}
	body = append(body, textLines(t.strong, r.Question.Text)...)
	return content{
		id: r.ID, title: "question of " + shorten(r.Tool, 64), body: body, details: requestDetails(t, r),
		question: r.Question,
		buttons:  []button{{"Answer", verbAnswer}, {"Decline", verbDeny}, {"Details", verbDetails}},
	}
}
