package pipeline

import (
	"context"
	"fmt"

	"github.com/toolcrib/toolcrib/host/pool"
)

// resolve finds the tool, or says which name or which step would.
func (p *Pipeline) resolve(_ context.Context, c *call) error {
	current := p.Pool()
	entry, ok := current.Lookup(c.Tool)
	if !ok {
		hint := "list the tools with `toolcrib tools`"
		if near := current.Near(c.Tool); len(near) > 0 {
			hint = "did you mean " + orList(near) + "?"
		}
		return &Refusal{Code: UnknownTool, Reason: fmt.Sprintf("there is no tool %q", c.Tool), Hint: hint}
	}
	switch entry.State {
	case pool.Visible:
		c.tool = entry.Tool
		return nil
	case pool.Deferred:
		return &Refusal{
			Code:   ToolDeferred,
			Reason: fmt.Sprintf("%s is not loaded; its input schema is %s", c.Tool, entry.Tool.InputSchema),
			Hint:   "call ToolSearch with the query select:" + c.Tool + ", then call it again",
		}
	case pool.Denied:
		return &Refusal{Code: ToolDenied, Reason: entry.Reason, Hint: "use another tool; a person can change the policy in config.hcl"}
	default:
		return &Refusal{Code: ToolHidden, Reason: entry.Reason, Hint: "use another tool; `toolcrib tools --explain` lists why each is or is not there"}
	}
}
