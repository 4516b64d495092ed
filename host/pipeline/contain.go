package pipeline

import (
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/policy"
)

// endsShell are the builtins that end a shell, replace it, or change how it goes
// on: in the person's shell they would take it away from under them.
var endsShell = []string{"exit", "logout", "exec", "set", "trap"}

// contained is the command as the person's shell should run it. One that would
// end the shell runs in a subshell, which ends instead; all others run in the
// shell itself, so that a cd or an export stays.
func contained(command string) string {
	for _, c := range policy.Analyze(command).Commands {
		if len(c.Words) > 0 && slices.Contains(endsShell, c.Words[0].Text) {
			return subshell(command)
		}
	}
	return command
}

// subshell puts a command in parentheses: on one line where nothing in it could
// swallow the closing one.
func subshell(command string) string {
	if strings.ContainsAny(command, "\n#") || strings.HasSuffix(command, `\`) {
		return "(\n" + command + "\n)"
	}
	return "( " + command + " )"
}
