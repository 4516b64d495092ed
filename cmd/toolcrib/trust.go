package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

func newTrust(global *globalFlags) *cobra.Command {
	var yes, revoke, asJSON bool
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Show what this workspace starts and allows, and agree to it",
		Long: `Show what the workspace's config.hcl would start (each binary with its checksum,
arguments and environment) and what it would allow without asking, and agree to
exactly that. When any of it changes, you are asked again.`,
		Example: `  toolcrib trust           look, then agree
  toolcrib trust --yes     agree without being asked, for scripts
  toolcrib trust --revoke  take it back`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := global.open(cmd)
			if err != nil {
				return err
			}
			defer h.Close()
			if revoke {
				return h.RevokeTrust()
			}
			request := h.TrustRequest()
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"trusted": request == nil, "request": request})
			}
			if request == nil {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "nothing to agree to: this workspace is trusted, or starts and allows nothing of its own")
				return err
			}
			for _, line := range request.Describe() {
				fmt.Fprintln(cmd.OutOrStdout(), plaintext.Line(line))
			}
			if !yes {
				if !isTerminal(cmd.InOrStdin()) {
					return &usageError{err: fmt.Errorf("there is no terminal to agree on; pass --yes to agree"), command: cmd.CommandPath()}
				}
				if !confirm(cmd, "Agree to exactly this? [y/N] ") {
					return fmt.Errorf("not trusted: nothing was changed")
				}
			}
			if err := h.GrantTrust(request); err != nil {
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
