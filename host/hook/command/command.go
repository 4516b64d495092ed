// Package command runs hooks that are programs: the event as JSON on standard
// input, the answer as JSON on standard output.
//
// A program is started for each event and is gone when [Command.Ask] returns,
// with everything it has started. What runs is the file that the person agreed
// to; see package executable.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/trust"
)

const (
	// MaxOutputBytes bounds an answer. A hook that prints more has failed.
	MaxOutputBytes = 1 << 20
	// maxStderrBytes is how much of the end of standard error is kept.
	maxStderrBytes = 4 << 10
	// blockStatus is the exit status of a hook that blocks, with its reason on
	// standard error.
	blockStatus = 2
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
	run := &process{
		program: program, args: c.Program.Command(), dir: c.Workspace,
		env: executable.Environment(os.Environ(), c.variables()),
	}
	if err := run.run(ctx, payload); err != nil {
		return nil, err
	}
	return run.answer()
}

func (c Command) variables() map[string]string {
	variables := make(map[string]string)
	for _, name := range projectVariables {
		variables[name] = c.Workspace
	}
	return variables
}

// answer is what the program said, judged by how it ended.
func (p *process) answer() ([]byte, error) {
	said := strings.TrimSpace(strings.ToValidUTF8(string(p.stderr.kept), "\uFFFD"))
	switch {
	case p.stdout.over:
		return nil, fmt.Errorf("it printed more than %d KiB on standard output", MaxOutputBytes>>10)
	case p.state.ExitCode() == blockStatus:
		return nil, &hook.BlockedError{Reason: said}
	case p.state.Success():
		return p.stdout.kept, nil
	case said != "":
		return nil, fmt.Errorf("%w: %s: %s", errExit, p.state, said)
	}
	return nil, fmt.Errorf("%w: %s", errExit, p.state)
}

// errExit is a program that ended without an answer.
var errExit = errors.New("it ended without an answer")
