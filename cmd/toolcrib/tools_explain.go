package main

import (
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"

	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/pool"
)

// explainPool says of each tool why it is as it is, and what the list costs.
func explainPool(w io.Writer, entries []pool.Entry) error {
	rows := make([][]string, len(entries))
	count, tokens := make(map[pool.State]int), make(map[pool.State]int)
	for i, entry := range entries {
		rows[i] = []string{
			entry.Tool.Name, fromText(entry.Tool.Origin), string(entry.State), strconv.Itoa(entry.Tokens), plaintext.Line(entry.Reason),
		}
		count[entry.State]++
		tokens[entry.State] += entry.Tokens
	}
	if err := printTable(w, []string{"TOOL", "FROM", "STATE", "TOKENS", "WHY"}, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d visible, about %d tokens with each request; %d deferred, which would be %d more\n",
		count[pool.Visible], tokens[pool.Visible], count[pool.Deferred], tokens[pool.Deferred])
	return err
}

// explainTools says all that was decided about some tools, and by what.
func explainTools(w io.Writer, entries []pool.Entry) error {
	for i, entry := range entries {
		if i > 0 {
			fmt.Fprintln(w)
		}
		tool := entry.Tool
		fmt.Fprintln(w, tool.Name)
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		row := func(what, value string) {
			if value != "" {
				fmt.Fprintf(table, "  %s\t%s\n", what, plaintext.Line(value))
			}
		}
		row("state", string(entry.State))
		row("why", entry.Reason)
		row("setting", entry.Setting)
		row("origin", tool.Origin.String())
		if tool.ProviderName != tool.Name {
			row("its own name", tool.ProviderName)
		}
		row("load", string(tool.Load))
		row("for files", tool.ActivationScope)
		row("schema", fmt.Sprintf("version %s, %d bytes", tool.SchemaVersion, len(tool.InputSchema)))
		row("tokens", fmt.Sprintf("about %d in the list", entry.Tokens))
		row("description", firstSentence(tool.Description))
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}
