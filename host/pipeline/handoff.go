package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// shellTool is the tool whose rules hold for every command that runs in the
// person's shell, whichever tool hands it off.
const shellTool = "Bash"

// command is what runs in a shell, and where.
type command struct{ line, dir string }

// judgedCommands are those that the call's subjects name, in the folder that
// they name or the workspace. Of a tool other than the bundled shell tool they
// count when a person has seen them on a card: a rule that allows the tool by its
// name does not allow whatever commands it comes up with.
func (p *Pipeline) judgedCommands(c *call) []command {
	if !c.approved && !(c.tool.Name == shellTool && c.tool.Origin.Kind.Bundled()) {
		return nil
	}
	dir := p.Workspace
	for _, s := range c.subjects {
		if s.Kind == pool.SubjectPath {
			dir = s.Value
		}
	}
	var judged []command
	for _, s := range c.subjects {
		if s.Kind == pool.SubjectCommand {
			judged = append(judged, command{s.Value, dir})
		}
	}
	return judged
}

// Handoff runs a command in the person's shell. A command other than the ones
// that were judged, or one of them again, is judged now: a provider's word is not
// an approval.
func (v *conversation) Handoff(ctx context.Context, h *proto.Handoff) (*proto.HandoffResult, error) {
	v.clock.pause()
	defer v.clock.resume()
	if v.p.Terminal == nil {
		return notExecuted(h, "there is no foreground shell"), nil
	}
	handed := command{h.GetCommand(), cmp.Or(h.GetDir(), v.p.Workspace)}
	if err := v.judge(ctx, handed); err != nil {
		var refusal *Refusal
		if errors.As(err, &refusal) && ctx.Err() == nil {
			return notExecuted(h, refusal.Text()), nil
		}
		return nil, err
	}
	result, err := v.p.Terminal.Run(ctx, terminal.Handoff{
		ID: v.c.ID, Command: contained(handed.line), Dir: handed.dir, Timeout: h.GetTimeout().AsDuration(),
		Started: func() {
			v.p.Log.Append(v.c.RunID, session.HandoffStarted{CallID: v.c.ID, Command: handed.line})
		},
	})
	if err != nil {
		result = terminal.Result{Status: terminal.NotExecuted, Reason: err.Error()}
	}
	v.p.Log.Append(v.c.RunID, session.HandoffEnded{
		CallID: v.c.ID, Status: string(result.Status), ExitCode: result.ExitCode,
		Signal: result.Signal, Duration: result.Duration,
	})
	return handoffResult(h, result), nil
}

// judge lets a command pass that was judged and not used yet. All others go
// through permission, hooks and approve as a call of the shell tool.
func (v *conversation) judge(ctx context.Context, handed command) error {
	v.mu.Lock()
	i := slices.Index(v.judged, handed)
	if i >= 0 {
		v.judged = slices.Delete(v.judged, i, i+1)
	}
	v.mu.Unlock()
	if i >= 0 {
		return nil
	}
	input, err := json.Marshal(map[string]string{"command": handed.line, "dir": handed.dir})
	if err != nil {
		return err
	}
	c := &call{
		Invocation: v.c.Invocation,
		tool:       pool.Tool{Name: shellTool, Origin: v.c.tool.Origin},
		plan:       &plugin.Plan{PreviewKind: "command", Preview: handed.line},
		subjects: []policy.Subject{
			{Kind: pool.SubjectCommand, Value: handed.line},
			{Kind: pool.SubjectPath, Value: handed.dir, Access: pool.AccessRead},
		},
		warnings: []string{v.c.Tool + " hands over a command that its call did not name"},
	}
	c.Tool, c.Input = shellTool, input
	if err := v.p.permission(ctx, c); err != nil {
		return err
	}
	if err := v.p.hooks(ctx, c); errors.Is(err, errRewritten) {
		return &Refusal{
			Code: PolicyDenied, Reason: "a hook rewrites this command, and a handed-over command cannot be rewritten",
			Hint: "call Bash with the command instead",
		}
	} else if err != nil {
		return err
	}
	return v.p.approve(ctx, c)
}

func notExecuted(h *proto.Handoff, reason string) *proto.HandoffResult {
	return &proto.HandoffResult{Id: h.GetId(), Status: string(terminal.NotExecuted), Reason: reason}
}

func handoffResult(h *proto.Handoff, r terminal.Result) *proto.HandoffResult {
	answer := &proto.HandoffResult{
		Id: h.GetId(), Status: string(r.Status), Signal: r.Signal,
		StartDir: r.StartDir, EndDir: r.EndDir, Duration: durationpb.New(r.Duration),
		Output: r.Output, OutputBytes: uint64(r.OutputBytes), Truncated: r.Truncated, Reason: r.Reason,
	}
	if r.ExitCode != nil {
		code := int32(*r.ExitCode)
		answer.ExitCode = &code
	}
	return answer
}
