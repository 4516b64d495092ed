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
  toolcrib tools --explain
  toolcrib tools --explain words__count
  toolcrib tools --json | jq -r '.tools[].name'`,
		ValidArgsFunction: completeTools(global),
		RunE: func(cmd *cobra.Command, names []string) error {
			h, err := global.open(cmd)
			if err != nil {
				return err
			}
			defer h.Close()
			tools := h.Pool()
			entries, err := selectEntries(tools, names, explain)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			switch {
			case asJSON:
				return printJSON(out, toolsDocument{
					Revision: tools.Revision, Digest: tools.Digest(), VisibleTokens: tools.VisibleTokens(), Tools: entries,
				})
			case explain && len(names) > 0:
				return explainTools(out, entries)
			case explain:
				return explainPool(out, entries)
			}
			return printTools(out, entries)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&explain, "explain", false, "also list tools that are not available, and say why each is or is not; with names, say all of them")
	return cmd
}

type toolsDocument struct {
	Revision      uint64       `json:"revision"`
	Digest        string       `json:"digest"`
	VisibleTokens int          `json:"visible_tokens"`
	Tools         []pool.Entry `json:"tools"`
}

// selectEntries picks by name; without names, what can be called, and all of
// them when each is to be explained. Of a name that several tools have it picks
// the one that keeps it first, and the others when they are to be explained.
func selectEntries(p *pool.Pool, names []string, explain bool) ([]pool.Entry, error) {
	all := p.Entries()
	var entries []pool.Entry
	if len(names) == 0 {
		for _, entry := range all {
			if explain || entry.State == pool.Visible || entry.State == pool.Deferred {
				entries = append(entries, entry)
			}
		}
		return entries, nil
	}
	for _, name := range names {
		entry, ok := p.Lookup(name)
		if !ok {
			return nil, unknownTool(p, name)
		}
		entries = append(entries, entry)
		for _, other := range all {
			if explain && other.Tool.Name == name && other.State == pool.Shadowed {
				entries = append(entries, other)
			}
		}
	}
	return entries, nil
}

func unknownTool(p *pool.Pool, name string) error {
	err := fmt.Errorf("there is no tool %q", name)
	if near := p.NearAny(name); len(near) > 0 {
		err = fmt.Errorf("%w: did you mean %s?", err, strings.Join(near, ", "))
	}
	return &usageError{err: err, command: "toolcrib tools"}
}

func printTools(w io.Writer, entries []pool.Entry) error {
	rows := make([][]string, len(entries))
	for i, entry := range entries {
		rows[i] = []string{
			entry.Tool.Name, fromText(entry.Tool.Origin), string(entry.State), plaintext.Line(firstSentence(entry.Tool.Description)),
		}
	}
	return printTable(w, []string{"TOOL", "FROM", "STATE", "DESCRIPTION"}, rows)
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
