package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/trust"
)

func newTrust(global *globalFlags) *cobra.Command {
	var yes, revoke, asJSON bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Show what this workspace starts and allows, and agree to it",
		Long: `Show what the workspace's configuration would start: each plugin and hook with its
program, checksum, arguments, the files that they lead to, and the names of the
variables that it sets or asks you for; and what it would allow without asking.
Agree to exactly that. When any of it changes, you are asked again.

Nothing is started for it.`,
		Example: `  toolcrib trust           look, then agree
  toolcrib trust --yes     agree without being asked, for scripts
  toolcrib trust --revoke  take it back`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := global.options()
			if err != nil {
				return err
			}
			loaded, diagnostics := host.LoadConfig(options)
			if diagnostics.HasErrors() {
				return &host.ConfigError{Diagnostics: diagnostics}
			}
			store := trust.NewStore(options.StateDir)
			if revoke {
				return store.Revoke(loaded.Workspace)
			}
			request, set := store.Agree(loaded).Request(), trust.Survey(loaded)
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"trusted": request == nil, "request": request, "set": set})
			}
			if request == nil {
				return printAgreed(cmd.OutOrStdout(), set)
			}
			printLines(cmd.OutOrStdout(), request.Describe())
			if err := agree(cmd, yes); err != nil {
				return err
			}
			if err := store.Grant(loaded.Workspace, request.Set); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "trusted")
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "agree without being asked")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "take the agreement back")
	cmd.MarkFlagsMutuallyExclusive("yes", "revoke")
	return cmd
}

// printAgreed shows what needs no agreement any more.
func printAgreed(w io.Writer, set trust.Set) error {
	if set.Empty() {
		_, err := fmt.Fprintln(w, "nothing to agree to: this workspace starts and allows nothing of its own")
		return err
	}
	printLines(w, set.Describe())
	_, err := fmt.Fprintln(w, "trusted: you agreed to this; take it back with `toolcrib trust --revoke`")
	return err
}

func printLines(w io.Writer, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(w, plaintext.Line(line))
	}
}

// agree asks the person, unless they have said yes already.
func agree(cmd *cobra.Command, yes bool) error {
	if yes {
		return nil
	}
	if !isTerminal(cmd.InOrStdin()) {
		return &usageError{err: errors.New("there is no terminal to agree on; pass --yes to agree"), command: cmd.CommandPath()}
	}
	if !confirm(cmd, "Agree to exactly this? [y/N] ") {
		return errors.New("not trusted: nothing was changed")
	}
	return nil
}
