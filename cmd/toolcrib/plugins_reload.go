package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/front/control"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

func newPluginsReload(global *globalFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reload [NAME]",
		Short: "Have the sessions of this workspace reload a provider, or everything",
		Long: `Ask every running session of this workspace to start a provider anew. The new
process starts beside the old one and takes its place once it is ready; calls on
the old one finish there. A provider that crashed or was disabled runs again.

Without NAME the sessions read config.hcl again and restart what has changed, as
/reload does. Neither starts anything that you have not agreed to.`,
		Example: `  toolcrib plugins reload words     after you built it anew
  toolcrib plugins reload           after you changed config.hcl`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return global.providerNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			request := control.Request{Command: control.CommandReload}
			if len(args) > 0 {
				request.Provider = args[0]
			}
			state, err := global.stateFolder()
			if err != nil {
				return err
			}
			answers, err := control.Ask(cmd.Context(), state, request)
			if errors.Is(err, control.ErrNoSession) {
				return errNoSession
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = printJSON(cmd.OutOrStdout(), map[string]any{"sessions": answers})
			} else {
				printAnswers(cmd.OutOrStdout(), answers)
			}
			return errors.Join(err, reloaded(answers))
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// hintedError is an error with what to do about it.
type hintedError struct {
	error
	hint string
}

func (e hintedError) Hint() string { return e.hint }

var errNoSession = hintedError{control.ErrNoSession, "there is nothing to reload: a session reads everything when it opens; open one with `toolcrib`"}

// reloaded is an error, already printed, when a session could not do all of it.
func reloaded(answers []control.Answer) error {
	for _, answer := range answers {
		switch {
		case len(answer.Diagnostics) > 0:
			return silent(&host.ConfigError{Diagnostics: answer.Diagnostics})
		case answer.Report == nil || answer.Report.Failed() || !answer.Report.Trusted:
			return silent(errors.New("not all was reloaded"))
		}
	}
	return nil
}

func printAnswers(w io.Writer, answers []control.Answer) {
	for _, answer := range answers {
		fmt.Fprintf(w, "session %d\n", answer.PID)
		if answer.Report == nil {
			fmt.Fprintf(w, "  %s\n", plaintext.Line(answer.Error))
			if answer.Hint != "" {
				fmt.Fprintf(w, "  hint: %s\n", plaintext.Line(answer.Hint))
			}
			answer.Diagnostics.Render(w, colorful(w))
			continue
		}
		lines := answer.Report.Changes()
		if len(lines) == 0 {
			lines = []string{"nothing has changed"}
		}
		for _, line := range lines {
			fmt.Fprintf(w, "  %s\n", plaintext.Line(line))
		}
		answer.Report.Diagnostics.Render(w, colorful(w))
	}
}

// stateFolder is where the state of the workspace is.
func (f *globalFlags) stateFolder() (string, error) {
	options, err := f.options()
	if err != nil {
		return "", err
	}
	loaded, _ := host.LoadConfig(options) // with faults it still tells the workspace
	return host.StateFolder(options, loaded.Workspace), nil
}

// providerNames are the names that the configuration declares; nil when it cannot
// be read.
func (f *globalFlags) providerNames() []string {
	options, err := f.options()
	if err != nil {
		return nil
	}
	loaded, _ := host.LoadConfig(options)
	names := make([]string, len(loaded.Plugins))
	for i, p := range loaded.Plugins {
		names[i] = p.Name
	}
	return names
}
