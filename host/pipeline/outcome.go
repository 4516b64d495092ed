package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/shape"
)

// shape fits the text of the result into the tool's budget. The whole of what
// does not fit goes to a file, which the text names. What hooks have to say to the
// model comes after it, whole.
func (p *Pipeline) shape(_ context.Context, c *call) error {
	c.text = p.fit(c, plugin.Text(c.result.Content))
	for _, note := range c.notes {
		c.text += "\n\n" + note
		c.result.Content = append(c.result.Content, plugin.Content{Text: note})
	}
	return nil
}

// fit is the text within the budget; what does not fit is kept in a file.
func (p *Pipeline) fit(c *call, whole string) string {
	budget := c.tool.MaxResultBytes
	if budget == 0 {
		budget = p.ResultBytes
	}
	if len(whole) <= budget {
		return whole
	}
	path := filepath.Join(p.SpillDir, c.ID+".txt")
	if err := spill(path, whole); err != nil {
		path = ""
		c.warnings = append(c.warnings, fmt.Sprintf("the whole result could not be kept: %v", err))
	}
	c.spillPath = path
	return shape.Text(whole, budget, path).Text
}

func spill(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o600)
}

// persist writes the end of the call to the event log.
func (p *Pipeline) persist(c *call, err error) {
	finished := session.ToolFinished{
		CallID: c.ID, Tool: c.Tool, Text: c.text, SpillPath: c.spillPath, Duration: time.Since(c.started),
	}
	var refusal *Refusal
	switch {
	case errors.As(err, &refusal):
		finished.IsError, finished.Text = true, refusal.Text()
	case c.result != nil:
		finished.IsError, finished.Structured = c.result.IsError, c.result.Structured
	}
	p.Log.Append(c.RunID, finished)
}

// render makes the outcome that every front shows; nil for a refusal.
func (p *Pipeline) render(c *call, err error) *Outcome {
	if err != nil {
		return nil
	}
	return &Outcome{
		CallID: c.ID, RunID: c.RunID, Tool: c.Tool,
		IsError: c.result.IsError, Text: c.text, Structured: c.result.Structured,
		Content: c.result.Content, Files: c.result.Files, SpillPath: c.spillPath,
		Duration: time.Since(c.started),
	}
}
