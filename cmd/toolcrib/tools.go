package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/pool"
)

func newTools(global *globalFlags) *cobra.Command {
	var asJSON, explain bool
	cmd := &cobra.Command{
		Use:   "tools [NAME...]",
		Short: "List the tools of this workspace",
		Example: `  toolcrib tools
  toolcrib tools --explain words__count
  toolcrib tools --json | jq -r '.tools[].name'`,
		ValidArgsFunction: completeTools(global),
		RunE: func(cmd *cobra.Command, names []string) error {
			h, err := global.open(cmd)
			if err != nil {
				return err
			}
			defer h.Close()
			entries, err := selectEntries(h.Pool(), names, explain)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), toolsDocument{Revision: h.Pool().Revision, Digest: h.Pool().Digest(), Tools: entries})
			}
			return printTools(cmd.OutOrStdout(), entries, explain)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&explain, "explain", false, "also list tools that are not available, and say why each is or is not")
	return cmd
}

type toolsDocument struct {
	Revision uint64       `json:"revision"`
	Digest   string       `json:"digest"`
	Tools    []pool.Entry `json:"tools"`
}

// selectEntries picks by name; without names, what can be called, and all of
// them when each is to be explained.
func selectEntries(p *pool.Pool, names []string, explain bool) ([]pool.Entry, error) {
	if len(names) == 0 {
		var entries []pool.Entry
		for _, entry := range p.Entries() {
			if explain || entry.State == pool.Visible || entry.State == pool.Deferred {
				entries = append(entries, entry)
			}
		}
		return entries, nil
	}
	var entries []pool.Entry
	for _, name := range names {
		entry, ok := p.Lookup(name)
		if !ok {
			return nil, unknownTool(p, name)
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

func unknownTool(p *pool.Pool, name string) error {
	err := fmt.Errorf("there is no tool %q", name)
	if near := p.Near(name); len(near) > 0 {
		err = fmt.Errorf("%w: did you mean %s?", err, strings.Join(near, ", "))
	}
	return &usageError{err: err, command: "toolcrib tools"}
}

func printTools(w io.Writer, entries []pool.Entry, explain bool) error {
	header := []string{"TOOL", "FROM", "STATE", "DESCRIPTION"}
	if explain {
		header[3] = "WHY"
	}
	rows := make([][]string, len(entries))
	for i, entry := range entries {
		last := firstSentence(entry.Tool.Description)
		if explain {
			last = entry.Reason
		}
		rows[i] = []string{entry.Tool.Name, fromText(entry.Tool.Origin), string(entry.State), plaintext.Line(last)}
	}
	return printTable(w, header, rows)
}

func fromText(origin pool.Origin) string {
	if origin.Server != "" {
		return origin.Provider + "/" + origin.Server
	}
	return origin.Provider
}

// firstSentence keeps a list readable: descriptions are written for models.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i+1]
	}
	return text
}
