package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/plugin"
)

func newPlugins(global *globalFlags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "plugins",
		Short: "List the providers, their state and their last crashes",
		Long: `Start the workspace's providers and list what each runs, its state, and the
crashes that were recorded in this workspace, by this or an earlier session.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := global.open(cmd)
			if err != nil {
				return err
			}
			defer h.Close()
			crashes, err := h.Crashes()
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), pluginsDocument{Providers: h.Providers(), Crashes: crashes})
			}
			return printPlugins(cmd.OutOrStdout(), h.Providers(), crashes)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

type pluginsDocument struct {
	Providers []plugin.Status `json:"providers"`
	Crashes   []plugin.Crash  `json:"crashes"`
}

func printPlugins(w io.Writer, providers []plugin.Status, crashes []plugin.Crash) error {
	rows := make([][]string, len(providers))
	for i, p := range providers {
		rows[i] = []string{p.Name, string(p.State), plaintext.Line(p.Version), fmt.Sprint(p.Tools), short(p.SHA256), plaintext.Line(p.Reason)}
	}
	if err := printTable(w, []string{"PROVIDER", "STATE", "VERSION", "TOOLS", "SHA256", "REASON"}, rows); err != nil {
		return err
	}
	if len(crashes) == 0 {
		return nil
	}
	fmt.Fprintln(w, "\nCrashes in this workspace, the last one first:")
	for _, crash := range crashes {
		fmt.Fprintf(w, "  %s  %s (pid %d): %s\n", crash.Time.Local().Format(time.DateTime), crash.Provider, crash.PID, plaintext.Line(crash.Reason))
		for _, line := range crash.StderrTail {
			fmt.Fprintf(w, "      %s\n", plaintext.Line(line))
		}
	}
	return nil
}

// short is enough of a checksum to compare two by eye.
func short(sum string) string {
	if len(sum) > 12 {
		return sum[:12]
	}
	return sum
}
