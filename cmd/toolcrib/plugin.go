package main

import "github.com/spf13/cobra"

// newPlugin groups the commands for authors of plugins.
func newPlugin() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plugin",
		Short: "For authors of plugins: check one",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPluginCheck())
	return cmd
}
