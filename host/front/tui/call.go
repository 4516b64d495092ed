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
	inputChars   = 300     // of the input
	previewLines = 10      // of a plan's preview
	outputLines  = 8       // of the output while it runs
	resultLines  = 8       // of the result
	outputBytes  = 1 << 16 // of the output that is remembered
)

// call is what the events have told about one invocation. The transcript shows
// it as one entry that grows, so that calls which run at once do not interleave.
type call struct {
	id, tool, invokedBy string
	input               json.RawMessage
	// via is the tool of the transparent wrapper that carried the call.
	via string
	// replaced tells that the call was such a wrapper and its inner call is shown.
	replaced bool

	// steps are the bodies that are shown in the order they came.
	steps    []session.Body
	progress *session.ToolProgress
	started  *session.ToolStarted
	output   string
	finished *session.ToolFinished

	entry *entry
}

// add takes one event of the call.
func (c *call) add(body session.Body) {
	switch b := body.(type) {
	case session.ToolCalled:
		c.tool, c.input, c.invokedBy = b.Tool, b.Input, b.InvokedBy
	case session.ToolStarted:
		c.started = &b
	case session.ToolProgress:
		c.progress = &b
	case session.ToolOutput:
		c.output += b.Text
		if excess := len(c.output) - outputBytes; excess > 0 {
			// The oldest lines go, as whole lines.
			_, c.output, _ = strings.Cut(c.output[excess:], "\n")
		}
	case session.ToolFinished:
		c.finished = &b
		if c.tool == "" {
			c.tool = b.Tool
		}
	default:
		c.steps = append(c.steps, body)
	}
}

// render draws the call for the transcript, all draws it for /details.
func (c *call) render(t theme) []line { return c.lines(t, false) }
func (c *call) all(t theme) []line    { return c.lines(t, true) }

func (c *call) lines(t theme, whole bool) []line {
	if c.replaced && !whole {
		return nil
	}
	lines := c.header(t, whole)
	for _, step := range c.steps {
		lines = append(lines, indent("  ", t.plain, c.step(t, step, whole))...)
	}
	if c.finished == nil {
		return append(lines, indent("  ", t.plain, c.running(t, whole))...)
	}
	return append(lines, indent("  ", t.plain, c.result(t, whole))...)
}

func (c *call) header(t theme, whole bool) []line {
	sign, style := "●", t.caution
	switch {
	case c.finished != nil && c.finished.IsError:
		sign, style = "✗", t.bad
	case c.finished != nil:
		sign, style = "✓", t.good
	}
	head := line{plain(style, sign+" "), plain(t.strong, name(c.tool))}
	origin := plain(t.faint, " "+c.origin())
	if whole {
		return append([]line{append(head, origin)}, indent("  ", t.plain, jsonLines(t.plain, c.input))...)
	}
	return []line{append(head, plain(t.plain, " "+shorten(compact(c.input), inputChars)), origin)}
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
func (c *call) running(t theme, whole bool) []line {
	var lines []line
	if c.started != nil {
		lines = append(lines, textLine(t.faint, "running in "+c.started.Provider))
	}
	if c.progress != nil {
		text := c.progress.Message
		if c.progress.Fraction != nil {
			text = fmt.Sprintf("%3.0f%% %s", 100**c.progress.Fraction, text)
		}
		lines = append(lines, textLine(t.plain, text))
	}
	output := textLines(t.plain, c.output)
	if hidden := len(output) - outputLines; hidden > 0 && !whole {
		output = append([]line{c.more(t, hidden)}, output[hidden:]...)
	}
	return append(lines, output...)
}

// result draws the end of the call.
func (c *call) result(t theme, whole bool) []line {
	f := c.finished
	lines := textLines(t.plain, f.Text)
	switch {
	case len(lines) > 0:
	case len(f.Structured) > 0:
		lines = jsonLines(t.plain, f.Structured)
	default:
		lines = textLines(t.plain, c.output)
	}
	if !whole {
		lines = c.limit(t, lines, resultLines)
	} else if len(f.Text) > 0 && len(f.Structured) > 0 {
		lines = append(lines, textLine(t.faint, "structured result:"))
		lines = append(lines, jsonLines(t.plain, f.Structured)...)
	}
	if f.SpillPath != "" {
		lines = append(lines, textLine(t.faint, "the whole result is in "+f.SpillPath))
	}
	word, style := "done", t.good
	if f.IsError {
		word, style = "error", t.bad
	}
	return append(lines, line{plain(style, word), plain(t.faint, " after "+duration(f.Duration))})
}

// limit keeps the first n lines and says how to see the rest.
func (c *call) limit(t theme, lines []line, n int) []line {
	if hidden := len(lines) - n; hidden > 1 {
		return append(lines[:n:n], c.more(t, hidden))
	}
	return lines
}

func (c *call) more(t theme, hidden int) line {
	return textLine(t.faint, fmt.Sprintf("… %d more lines: /details %s", hidden, c.id))
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

// jsonLines is JSON with one member on a line.
func jsonLines(style tcell.Style, raw json.RawMessage) []line {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return textLines(style, string(raw))
	}
	return textLines(style, b.String())
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
