package main

import (
	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/config"
)

func newConfigSchema() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print a JSON Schema of config.hcl.json, for editors",
		Long: `Print a JSON Schema of config.hcl.json, the same configuration in HCL's JSON
syntax. An editor that is given it completes names and marks what is unknown.`,
		Example: `  toolcrib config schema > ~/.config/toolcrib/config.schema.json`,
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printJSON(cmd.OutOrStdout(), config.EditorSchema())
		},
	}
}
