package main

import (
	"github.com/spf13/cobra"
)

func newPolicy(global *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Ask what policy says about a call, or take rules over from another agent",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPolicyCheck(global), newPolicyImport())
	return cmd
}
