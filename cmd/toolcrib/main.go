// Command toolcrib is the counter where an agent's tools are kept, signed out
// and accounted for. Without arguments it opens a full-screen session in the
// workspace of the current folder.
//
// Every command parses its arguments, calls package host and prints what it
// answers; there is one file a command. Exit codes are in exit.go and in
// docs/cli.md.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set when the binary is built; see the Makefile.
var version = "devel"

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main with everything it touches passed in. It returns the exit code.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil {
		printError(stderr, err)
	}
	return exitCode(err)
}

func newRoot() *cobra.Command {
	var flags globalFlags
	root := &cobra.Command{
		Use:   "toolcrib",
		Short: "A declarative tool-plugin host for coding agents",
		Long: `Toolcrib runs the tool providers that a workspace declares in config.hcl, each
as a process of its own, and judges every call by the workspace's policy.

Without a command it opens a full-screen session: a transcript, approval cards,
and your own shell beside it.`,
		Example: `  toolcrib                                        open a session here
  toolcrib tools --explain                        list the tools and why each is there
  toolcrib call Read '{"path":"README.md"}'       call one tool
  toolcrib trust                                  agree to what this workspace starts`,
		Args:          usageArgs(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return openSession(cmd, &flags)
		},
	}
	flags.register(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageError{err: err, command: cmd.CommandPath()}
	})
	root.AddCommand(
		newTools(&flags), newCall(&flags), newPlugins(&flags), newTrust(&flags),
		newValidate(&flags), newFmt(&flags), newInit(&flags), newConfig(&flags), newPolicy(&flags), newVersion(), newPlugin(), newPluginServe(),
	)
	completion(root)
	return root
}

// completion makes an unknown shell an error; cobra shows the help and succeeds.
func completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	must(err)
	cmd.Args = usageArgs(cobra.NoArgs)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// usageArgs makes a wrong number of arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageError{err: err, command: cmd.CommandPath()}
		}
		return nil
	}
}

// usageError is a command line that cannot be understood.
type usageError struct {
	err     error
	command string
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Hint() string  { return fmt.Sprintf("see `%s --help`", e.command) }
