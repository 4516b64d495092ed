package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
)

func newValidate(global *globalFlags) *cobra.Command {
	var asJSON, deep bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check config.hcl, without starting anything",
		Long: `Check the configuration of this workspace without starting anything.

What stands inside a plugin's config block is up to the plugin. With --deep the
plugins are started, asked, and stopped again: each config block is checked
against the schema that its plugin reports, and by the plugin itself. A workspace
that is not trusted is refused, since that would start what it declares.`,
		Example: `  toolcrib validate
  toolcrib validate --deep
  toolcrib validate --json`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			options, err := global.options()
			if err != nil {
				return err
			}
			loaded, diagnostics := host.LoadConfig(options)
			if deep {
				if diagnostics, err = host.Verify(cmd.Context(), options); err != nil {
					return err
				}
			}
			if asJSON {
				return printValidation(cmd, diagnostics)
			}
			if diagnostics.HasErrors() {
				return &host.ConfigError{Diagnostics: diagnostics}
			}
			stderr := cmd.ErrOrStderr()
			if err := diagnostics.Render(stderr, colorful(stderr)); err != nil {
				return err
			}
			if len(loaded.Files) == 0 {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: no configuration found, so the defaults hold; `toolcrib init` writes one\n", loaded.Workspace)
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: valid\n", strings.Join(loaded.Files, ", "))
			return err
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&deep, "deep", false, "start the plugins and check their config blocks, too")
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
