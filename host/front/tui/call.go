package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/session"
)

// How much of a call the transcript shows. /details shows all of it.
const (
	inputChars   = 300 // of the input, and of any other text on one line
	previewLines = 10  // of a plan's preview
	outputLines  = 8   // of the output while it runs
	resultLines  = 8   // of the result
)

// call is what the events have told about one invocation. The transcript shows
// it as one entry that grows, so that calls which run at once do not interleave.
type call struct {
	id, tool, invokedBy string
	// whole has everything kept and shown, for /details; otherwise of each text
	// only what the transcript shows.
	whole bool
	input json.RawMessage
	// via is the tool of the transparent wrapper that carried the call.
	via string
	// replaced tells that the call was such a wrapper and its inner call is shown.
	replaced bool

	steps    []step
	progress *session.ToolProgress
	started  *session.ToolStarted
	output   tail
	finished *ending

	entry *entry
}

// step is one of the events that are shown in the order in which they came.
type step struct {
	body session.Body
	left string // how much of a preview is left out
}

// ending is how a call ended.
type ending struct {
	isError    bool
	duration   time.Duration
	spillPath  string
	text       excerpt // what the model saw
	structured excerpt // as JSON with one member on a line
}

// add takes one event of the call.
func (c *call) add(body session.Body) {
	switch b := body.(type) {
	case session.ToolCalled:
		c.tool, c.input, c.invokedBy = b.Tool, b.Input, b.InvokedBy
		if !c.whole {
			c.input = json.RawMessage(shorten(compact(b.Input), inputChars))
		}
	case session.ToolStarted:
		c.started = &b
	case session.ToolProgress:
		b.Message = c.short(b.Message)
		c.progress = &b
	case session.ToolOutput:
		limit := excerptBytes
		if c.whole {
			limit = 0
		}
		c.output.add(b.Text, limit)
	case session.ToolFinished:
		c.finish(b)
	default:
		c.steps = append(c.steps, c.step(body))
	}
}

// finish takes the end of the call. Its result tells what the output told.
func (c *call) finish(b session.ToolFinished) {
	if c.tool == "" {
		c.tool = b.Tool
	}
	c.finished = &ending{
		isError: b.IsError, duration: b.Duration, spillPath: b.SpillPath,
		text: c.excerpt(b.Text, resultLines),
	}
	if len(b.Structured) > 0 && (c.whole || b.Text == "") {
		c.finished.structured = c.excerpt(indented(b.Structured), resultLines)
	}
	if c.finished.text.text != "" || c.finished.structured.text != "" {
		c.output = tail{}
	}
}

// step keeps of an event what is shown of it.
func (c *call) step(body session.Body) step {
	switch b := body.(type) {
	case session.ToolPlanned:
		// A command is the input again; it is worth its room in the details only.
		if b.PreviewKind == "command" && !c.whole {
			b.Preview = ""
		}
		preview := c.excerpt(b.Preview, previewLines)
		b.Preview = preview.text
		return step{b, preview.left}
	case session.ToolJudged:
		b.Reason = c.short(b.Reason)
		return step{body: b}
	case session.HookAnswered:
		b.Reason = c.short(b.Reason)
		warnings := make([]string, len(b.Warnings))
		for i, warning := range b.Warnings {
			warnings[i] = c.short(warning)
		}
		b.Warnings = warnings
		return step{body: b}
	case session.ApprovalAsked:
		b.Subject = c.short(b.Subject)
		return step{body: b}
	case session.ApprovalDecided:
		b.Message = c.short(b.Message)
		return step{body: b}
	case session.HandoffStarted:
		b.Command = c.short(b.Command)
		return step{body: b}
	}
	return step{body: body}
}

// excerpt is the beginning of a text, or all of it.
func (c *call) excerpt(s string, lines int) excerpt {
	if c.whole {
		return excerpt{text: s}
	}
	return beginning(s, lines)
}

// short is a text for one line.
func (c *call) short(s string) string {
	if c.whole {
		return s
	}
	return shorten(s, inputChars)
}

// render draws the call.
func (c *call) render(t theme) []line {
	if c.replaced {
		return nil
	}
	lines := c.header(t)
	for _, s := range c.steps {
		lines = append(lines, c.stepLines(t, s)...)
	}
	if c.finished == nil {
		return append(lines, c.running(t)...)
	}
	return append(lines, c.result(t)...)
}

func (c *call) header(t theme) []line {
	sign, style := "●", t.caution
	switch {
	case c.finished != nil && c.finished.isError:
		sign, style = "✗", t.bad
	case c.finished != nil:
		sign, style = "✓", t.good
	}
	head := line{plain(style, sign+" "), plain(t.strong, name(c.tool))}
	origin := plain(t.faint, " "+c.origin())
	if c.whole {
		return append([]line{append(head, origin)}, quoted(t, jsonLines(t.plain, c.input))...)
	}
	return []line{append(head, plain(t.plain, " "+string(c.input)), origin)}
}

// name is a tool's name, also when no event told it.
func name(tool string) string {
	if tool == "" {
		return "(unknown tool)"
	}
	return tool
}

func (c *call) origin() string {
	parts := []string{c.id}
	if c.invokedBy != "" && c.invokedBy != "user" {
		parts = append(parts, "by "+c.invokedBy)
	}
	if c.via != "" {
		parts = append(parts, "through "+c.via)
	}
	return strings.Join(parts, " ")
}

// running draws what is known while the call has no result.
func (c *call) running(t theme) []line {
	var lines []line
	if c.started != nil {
		lines = append(lines, textLine(t.faint, "  running in "+c.started.Provider))
	}
	if c.progress != nil {
		text := c.progress.Message
		if c.progress.Fraction != nil {
			text = fmt.Sprintf("%.0f%% %s", 100**c.progress.Fraction, text)
		}
		lines = append(lines, line{plain(t.faint, "  progress: "), plain(t.plain, text)})
	}
	return append(lines, c.outputLines(t)...)
}

// outputLines draws the end of the output.
func (c *call) outputLines(t theme) []line {
	output := textLines(t.plain, c.output.text)
	above := 0
	if !c.whole {
		above = max(len(output)-outputLines, 0)
	}
	var lines []line
	if hidden := c.output.lines + above; hidden > 0 {
		lines = c.more(t, fmt.Sprintf("%d more lines", hidden))
	}
	return append(lines, quoted(t, output[above:])...)
}

// result draws the end of the call.
func (c *call) result(t theme) []line {
	f := c.finished
	lines := c.quote(t, f.text)
	if f.structured.text != "" {
		if len(lines) > 0 {
			lines = append(lines, textLine(t.faint, "  structured result:"))
		}
		lines = append(lines, c.quote(t, f.structured)...)
	}
	if len(lines) == 0 {
		lines = c.outputLines(t)
	}
	if f.spillPath != "" {
		lines = append(lines, textLine(t.faint, "  the whole result is in "+f.spillPath))
	}
	word, style := "  done", t.good
	if f.isError {
		word, style = "  error", t.bad
	}
	return append(lines, line{plain(style, word), plain(t.faint, " after "+duration(f.duration))})
}

// quote draws what a tool wrote, and says how to see what is left out.
func (c *call) quote(t theme, e excerpt) []line {
	return append(quoted(t, textLines(t.plain, e.text)), c.more(t, e.left)...)
}

// more says how to see what is left out; nothing when nothing is.
func (c *call) more(t theme, left string) []line {
	if left == "" {
		return nil
	}
	return []line{textLine(t.faint, "  … "+left+": /details "+c.id)}
}

// duration rounds d to what a person reads.
func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return d.Round(time.Microsecond).String()
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	default:
		return d.Round(100 * time.Millisecond).String()
	}
}

// compact is JSON on one line; what is not JSON stays as it is.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// indented is JSON with one member on a line; what is not JSON stays as it is.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// jsonLines draws JSON with one member on a line.
func jsonLines(style tcell.Style, raw json.RawMessage) []line {
	return textLines(style, indented(raw))
}

// shorten cuts s after n characters.
func shorten(s string, n int) string {
	count := 0
	for i := range s {
		if count == n {
			return s[:i] + "…"
		}
		count++
	}
	return s
}
