package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
)

func newValidate(global *globalFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check config.hcl, without starting anything",
		Long: `Check the configuration of this workspace without starting anything. What
stands inside a plugin's config block is checked against the schema that the
plugin reports, so that part is checked when it starts.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := global.options()
			if err != nil {
				return err
			}
			loaded, diagnostics := host.LoadConfig(options)
			if asJSON {
				return printValidation(cmd, diagnostics)
			}
			if diagnostics.HasErrors() {
				return &host.ConfigError{Diagnostics: diagnostics}
			}
			stderr := cmd.ErrOrStderr()
			diagnostics.Render(stderr, colorful(stderr))
			if len(loaded.Files) == 0 {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: no configuration found, so the defaults hold; a config.hcl needs a toolcrib {} block\n", loaded.Workspace)
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: valid\n", strings.Join(loaded.Files, ", "))
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type validationDocument struct {
	Valid       bool               `json:"valid"`
	Diagnostics config.Diagnostics `json:"diagnostics"`
}

func printValidation(cmd *cobra.Command, diagnostics config.Diagnostics) error {
	if diagnostics == nil {
		diagnostics = config.Diagnostics{}
	}
	invalid := diagnostics.HasErrors()
	err := printJSON(cmd.OutOrStdout(), validationDocument{Valid: !invalid, Diagnostics: diagnostics})
	if err == nil && invalid {
		return silent(&host.ConfigError{Diagnostics: diagnostics})
	}
	return err
}
