// Package command runs hooks that are programs: the event as JSON on standard
// input, the answer as JSON on standard output.
//
// A program is started for each event and is gone when [Command.Ask] returns,
// with everything it has started. What runs is the file that the person agreed
// to; see package executable.
package command

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"os"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk/environ"
)

const (
	// maxOutputBytes bounds an answer. A hook that prints more has failed.
	maxOutputBytes = 1 << 20
	// markVariable tells the processes of one run from all others.
	markVariable = "TOOLCRIB_HOOK_RUN"
)

// projectVariables have the path of the workspace. Scripts that were written for
// other agents read the second.
var projectVariables = []string{"TOOLCRIB_PROJECT_DIR", "CLAUDE_PROJECT_DIR"}

// Command is a program that answers events. It may be used from several
// goroutines.
type Command struct {
	// Program is what to start. When it is not what was agreed to any more, the
	// hook fails.
	Program trust.Program
	// Workspace is its working directory, an absolute path.
	Workspace string
	// Checksums may be shared by all programs of a host; nil is not shared.
	Checksums *executable.Checksums
}

var _ hook.Asker = Command{}

// Ask runs the program on one event. Exit status 2 is a [*hook.BlockedError], any
// other but 0 is an error that ends with what the program printed on standard
// error. When ctx ends, the program is killed.
func (c Command) Ask(ctx context.Context, _ hook.Event, payload json.RawMessage) ([]byte, error) {
	checksums := c.Checksums
	if checksums == nil {
		checksums = &executable.Checksums{}
	}
	program, err := executable.Open(c.Program, checksums)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	return c.run(ctx, program, payload)
}

// run blocks until the program, and everything that it has started, is gone.
func (c Command) run(ctx context.Context, program *executable.File, input []byte) ([]byte, error) {
	var printed output
	overflow := make(chan struct{})
	running, err := program.Start(executable.Run{
		Args:   c.Program.Command(),
		Dir:    c.Workspace,
		Env:    environ.Of(os.Environ(), c.variables()),
		Mark:   markVariable + "=" + rand.Text(),
		Input:  input,
		Stdout: func(stream io.Reader) { printed.stdout.fill(stream, overflow) },
		Stderr: func(stream io.Reader) { _, _ = io.Copy(&printed.stderr, stream) },
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-running.Ended():
	case <-ctx.Done():
		_ = running.Kill() // what it cannot find is found at the end
	case <-overflow:
		_ = running.Kill()
	}
	<-running.Ended()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return printed.answer(running.State())
}

func (c Command) variables() map[string]string {
	variables := make(map[string]string)
	for _, name := range projectVariables {
		variables[name] = c.Workspace
	}
	return variables
}
