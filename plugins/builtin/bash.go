package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/toolcrib/toolcrib/sdk"
)

type bashInput struct {
	Command     string `json:"command" jsonschema:"the command line, for bash"`
	Description string `json:"description,omitempty" jsonschema:"in a few words, what the command is for"`
	TimeoutMS   int64  `json:"timeout_ms,omitempty" jsonschema:"how long the command may run, in milliseconds"`
	Dir         string `json:"dir,omitempty" jsonschema:"the folder to run it in, relative to the workspace or absolute"`
}

// bashOutput is the structured result of Bash.
type bashOutput struct {
	// ExitCode is null when it is not known.
	ExitCode    *int   `json:"exit_code"`
	Signal      string `json:"signal,omitempty"`
	Status      status `json:"status"`
	DurationMS  int64  `json:"duration_ms"`
	OutputBytes int64  `json:"output_bytes"`
	Truncated   bool   `json:"truncated"`
	// Dir is where the command ended, in the foreground shell, or else ran.
	Dir string `json:"cwd,omitempty"`
}

// status says how a command ended. The words are those of [sdk.HandoffStatus],
// and one more.
type status string

const (
	completed   = status(sdk.HandoffCompleted)
	failed      = status(sdk.HandoffFailed)
	interrupted = status(sdk.HandoffInterrupted)
	timedOut    = status(sdk.HandoffTimedOut)
	notExecuted = status(sdk.HandoffNotExecuted)
	untracked   = status(sdk.HandoffUntracked)
	cancelled   = status("cancelled")
)

// basher is the Bash tool.
type basher struct {
	files  folder
	limits limits
}

func newBash(files folder, l limits) sdk.Tool {
	b := &basher{files: files, limits: l}
	// The host must give a command its whole time, and some to end.
	const margin = 30 * time.Second
	return sdk.NewTool(sdk.Spec{
		Name:  "Bash",
		Title: "Run a command",
		Description: fmt.Sprintf("Run a command line with bash, in the workspace unless dir says otherwise. Standard input is empty, "+
			"unless a person's shell runs it. The result ends with a line that tells the exit code. "+
			"A command may run for %s, or for timeout_ms, up to %s; what it leaves in the background is stopped when it ends.", l.timeout, l.maxTimeout),
		OpenWorld: true,
		Load:      sdk.LoadAlways,
		Subjects: []sdk.SubjectField{
			{Field: "command", Kind: sdk.SubjectCommand},
			{Field: "dir", Kind: sdk.SubjectPath, Access: sdk.AccessRead},
		},
		Timeout:     l.maxTimeout + margin,
		SearchHints: []string{"shell", "terminal", "execute", "run", "command", "git", "make"},
	}, b.call, sdk.WithPlan(b.plan))
}

func (b *basher) plan(_ context.Context, in bashInput) (*sdk.Plan, error) {
	if _, err := b.prepare(in); err != nil {
		var fault *fieldError
		if errors.As(err, &fault) {
			return &sdk.Plan{Errors: []sdk.InputError{{Path: "/" + fault.field, Message: fault.Error()}}}, nil
		}
		return nil, err
	}
	return &sdk.Plan{Preview: sdk.Preview{Kind: sdk.PreviewCommand, Text: in.Command}}, nil
}

// prepare checks the input. Without a dir the command runs in the workspace, in
// the person's shell, too: that is where it was judged.
func (b *basher) prepare(in bashInput) (command, error) {
	c := command{line: in.Command, timeout: b.limits.timeout}
	switch {
	case strings.TrimSpace(in.Command) == "":
		return c, fault("command", "command is empty; give a command line")
	case strings.ContainsRune(in.Command, 0):
		return c, fault("command", "command contains a zero byte, which no command line can; leave it out")
	case in.TimeoutMS < 0 || in.TimeoutMS > b.limits.maxTimeout.Milliseconds():
		return c, fault("timeout_ms", "timeout_ms is %d and may be from 1 to %d", in.TimeoutMS, b.limits.maxTimeout.Milliseconds())
	case in.TimeoutMS > 0:
		c.timeout = time.Duration(in.TimeoutMS) * time.Millisecond
	}
	if in.Dir == "" {
		c.dir = b.files.root
		return c, nil
	}
	dir, err := b.files.resolve(in.Dir)
	if err != nil {
		return c, fault("dir", "%w", err)
	}
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return c, fault("dir", "%w", b.files.explainMissing(dir))
	case !info.IsDir():
		return c, fault("dir", "%s is not a folder; name one", b.files.display(dir))
	}
	c.dir = dir
	return c, nil
}

func (b *basher) call(ctx context.Context, call *sdk.Call, in bashInput) (*sdk.Result, error) {
	c, err := b.prepare(in)
	if err != nil {
		return nil, err
	}
	if call.CanHandoff {
		if in.TimeoutMS == 0 {
			// A person may be asked something by the command: give them time.
			c.timeout = b.limits.maxTimeout
		}
		result, err := call.Handoff(ctx, sdk.Handoff{Command: c.line, Dir: c.dir, Timeout: c.timeout})
		if err != nil {
			return nil, err
		}
		return b.result(ofHandoff(result, c.timeout))
	}
	return b.result(c.run(ctx, func(data []byte) error { return call.Output(sdk.Stdout, data) }))
}

// outcome is how a command ended, wherever it ran.
type outcome struct {
	status   status
	exitCode *int
	signal   string
	// reason says why it was not executed or was cancelled.
	reason      string
	timeout     time.Duration
	duration    time.Duration
	output      string
	outputBytes int64
	truncated   bool
	dir         string
	notes       []string
}

func ofHandoff(r *sdk.HandoffResult, timeout time.Duration) outcome {
	o := outcome{
		status:      status(r.Status),
		exitCode:    r.ExitCode,
		signal:      r.Signal,
		reason:      r.Reason,
		timeout:     timeout,
		duration:    r.Duration,
		output:      r.Output,
		outputBytes: r.OutputBytes,
		truncated:   r.Truncated,
		dir:         r.EndDir,
	}
	if r.StartDir != "" && r.EndDir != "" && r.StartDir != r.EndDir {
		o.notes = append(o.notes, "the shell is now in "+r.EndDir)
	}
	return o
}

// ending is the last line of the result, by which a model knows how it went.
func (o outcome) ending(maxTimeout time.Duration) string {
	switch {
	case o.status == timedOut:
		return fmt.Sprintf("timed out after %s; timeout_ms may be up to %d", o.timeout, maxTimeout.Milliseconds())
	case o.status == cancelled:
		return "cancelled: " + o.reason
	case o.status == notExecuted:
		return "not executed: " + o.reason
	case o.signal != "":
		return "killed by " + o.signal
	case o.exitCode == nil && o.status == interrupted:
		return "interrupted"
	case o.exitCode == nil:
		return "exit status unknown"
	case o.status == interrupted:
		return fmt.Sprintf("interrupted, exit %d", *o.exitCode)
	}
	return fmt.Sprintf("exit %d", *o.exitCode)
}

// result counts every end but exit 0 as an error, also an unknown one: a model
// must not take it for success.
func (b *basher) result(o outcome) (*sdk.Result, error) {
	structured, err := json.Marshal(bashOutput{
		ExitCode:    o.exitCode,
		Signal:      o.signal,
		Status:      o.status,
		DurationMS:  o.duration.Milliseconds(),
		OutputBytes: o.outputBytes,
		Truncated:   o.truncated,
		Dir:         o.dir,
	})
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	text.WriteString(strings.ToValidUTF8(o.output, "\ufffd"))
	if o.output != "" && !strings.HasSuffix(o.output, "\n") {
		text.WriteByte('\n')
	}
	for _, note := range o.notes {
		text.WriteString("[" + note + "]\n")
	}
	text.WriteString(o.ending(b.limits.maxTimeout))
	return &sdk.Result{
		IsError:    o.status != completed || o.exitCode == nil || *o.exitCode != 0,
		Content:    []sdk.Content{sdk.Text(text.String())},
		Structured: structured,
	}, nil
}
