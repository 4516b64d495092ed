package main

import (
	"fmt"
	"io"
	"strings"
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
		Long: `Start the workspace's providers and list what each runs and what it is
configured to run, its state, its last lines on standard error, and the crashes
that were recorded in this workspace, by this or an earlier session. What runs
differs from what is configured when that would not start.`,
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
			document := pluginsDocument{Providers: pluginRows(h.Providers()), Crashes: crashes}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), document)
			}
			return document.print(cmd.OutOrStdout(), time.Now())
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.AddCommand(newPluginsReload(global))
	return cmd
}

type pluginsDocument struct {
	Providers []pluginRow    `json:"providers"`
	Crashes   []plugin.Crash `json:"crashes"`
}

type pluginRow struct {
	plugin.Status
	MemoryBytes int64 `json:"memory_bytes,omitempty"`
}

func pluginRows(statuses []plugin.Status) []pluginRow {
	rows := make([]pluginRow, len(statuses))
	for i, status := range statuses {
		rows[i].Status = status
		if status.PID != 0 {
			// It is 0, for unknown, of a process that ended meanwhile.
			rows[i].MemoryBytes, _ = plugin.ResidentBytes(status.PID)
		}
	}
	return rows
}

func (d pluginsDocument) print(w io.Writer, now time.Time) error {
	rows := make([][]string, len(d.Providers))
	for i, p := range d.Providers {
		rows[i] = append([]string{
			p.Name, string(p.State), program(p.Version, p.SHA256), program(p.Configured.Version, p.Configured.SHA256), fmt.Sprint(p.Tools),
		}, p.process(now)...)
	}
	header := []string{"PROVIDER", "STATE", "RUNS", "CONFIGURED", "TOOLS", "PID", "UPTIME", "MEMORY", "CALLS", "CRASHES"}
	if err := printTable(w, header, rows); err != nil {
		return err
	}
	for _, p := range d.Providers {
		p.printLines(w)
	}
	printCrashes(w, d.Crashes)
	return nil
}

// process is what is known of a provider's process, in the order of the table.
func (p pluginRow) process(now time.Time) []string {
	pid, uptime, memory := "-", "-", "-"
	if p.PID != 0 {
		pid, uptime = fmt.Sprint(p.PID), now.Sub(p.Started).Round(time.Second).String()
	}
	if p.MemoryBytes != 0 {
		memory = fmt.Sprintf("%.1f MiB", float64(p.MemoryBytes)/(1<<20))
	}
	return []string{pid, uptime, memory, fmt.Sprint(p.Calls), fmt.Sprint(p.Crashes)}
}

// stderrLines is how much of its standard error is shown of each provider.
const stderrLines = 5

// printLines prints what does not fit into a row.
func (p pluginRow) printLines(w io.Writer) {
	tail := p.StderrTail[max(0, len(p.StderrTail)-stderrLines):]
	if p.Reason == "" && len(p.Upstreams)+len(p.Warnings)+len(tail)+len(p.DroppedEnv) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.Name)
	for _, line := range strings.Split(strings.TrimSpace(p.Reason), "\n") {
		if line != "" {
			fmt.Fprintf(w, "  %s: %s\n", p.State, plaintext.Line(line))
		}
	}
	for _, u := range p.Upstreams {
		fmt.Fprintf(w, "  upstream %s: %s\n", plaintext.Line(u.Name), plaintext.Line(strings.TrimSuffix(u.State+": "+u.Reason, ": ")))
	}
	if len(p.DroppedEnv) > 0 {
		fmt.Fprintf(w, "  not given, since you do not allow it in your own environment { allow = [...] }: %s\n", plaintext.Line(strings.Join(p.DroppedEnv, ", ")))
	}
	for _, line := range p.Warnings {
		fmt.Fprintf(w, "  printed on standard output: %s\n", plaintext.Line(line))
	}
	for _, line := range tail {
		fmt.Fprintf(w, "  stderr: %s\n", plaintext.Line(line))
	}
}

func printCrashes(w io.Writer, crashes []plugin.Crash) {
	if len(crashes) == 0 {
		return
	}
	fmt.Fprintln(w, "\nCrashes in this workspace, the last one first:")
	for _, crash := range crashes {
		fmt.Fprintf(w, "  %s  %s (pid %d): %s\n", crash.Time.Local().Format(time.DateTime), crash.Provider, crash.PID, plaintext.Line(crash.Reason))
		for _, line := range crash.StderrTail {
			fmt.Fprintf(w, "      %s\n", plaintext.Line(line))
		}
	}
}

// program tells which build of a provider it is; a dash for none.
func program(version, sum string) string {
	text := strings.TrimSpace(plaintext.Line(version) + " " + short(sum))
	if text == "" {
		return "-"
	}
	return text
}

// short is enough of a checksum to compare two by eye.
func short(sum string) string {
	if len(sum) > 12 {
		return sum[:12]
	}
	return sum
}
