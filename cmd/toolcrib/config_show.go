package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

func newConfig(global *globalFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show what the configuration says, and what it may say",
		Args:  usageArgs(cobra.NoArgs),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newConfigShow(global), newConfigSchema())
	return cmd
}

func newConfigShow(global *globalFlags) *cobra.Command {
	var origin, asJSON bool
	cmd := &cobra.Command{
		Use:   "show [PATH...]",
		Short: "List every value that holds, and where it comes from",
		Long: `List every value that holds of all the files and flags together, and the defaults
of the rest. A PATH is the beginning of what is listed, as in plugin.words or
policy.deny. Nothing is started, and sensitive values are not shown.

In a workspace that is not trusted it is what would hold once you agreed.`,
		Example: `  toolcrib config show
  toolcrib config show --origin policy
  toolcrib config show --json plugin.words.env`,
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := global.options()
			if err != nil {
				return err
			}
			loaded, diagnostics := host.LoadConfig(options)
			if diagnostics.HasErrors() {
				return &host.ConfigError{Diagnostics: diagnostics}
			}
			values, err := selectValues(loaded.Values(), args)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(cmd.OutOrStdout(), map[string]any{"workspace": loaded.Workspace, "values": values})
			}
			return printValues(cmd.OutOrStdout(), values, origin)
		},
	}
	cmd.Flags().BoolVar(&origin, "origin", false, "show the file and line, or the layer, that each value comes from")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// selectValues keeps the values that paths begin; without paths all.
func selectValues(values []config.Value, paths []string) ([]config.Value, error) {
	selected := []config.Value{} // a list in JSON, too
	for _, path := range paths {
		found := false
		for _, value := range values {
			found = found || begins(path, value.Path)
		}
		if !found {
			return nil, &usageError{err: fmt.Errorf("nothing holds at %q", path), command: "toolcrib config show"}
		}
	}
	for _, value := range values {
		keep := len(paths) == 0
		for _, path := range paths {
			keep = keep || begins(path, value.Path)
		}
		if keep {
			selected = append(selected, value)
		}
	}
	return selected, nil
}

// begins reports whether path is a whole part of the other one: policy.ask begins
// policy.ask[0], and not policy.asked.
func begins(path, of string) bool {
	rest, ok := strings.CutPrefix(of, path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func printValues(w io.Writer, values []config.Value, origin bool) error {
	rows := make([][]string, len(values))
	for i, value := range values {
		rows[i] = []string{plaintext.Line(value.Path), shown(value)}
		if origin {
			rows[i] = append(rows[i], cameFrom(value))
		}
	}
	header := []string{"PATH", "VALUE"}
	if origin {
		header = append(header, "FROM")
	}
	return printTable(w, header, rows)
}

// shown is a value as JSON, unless nobody is to see it.
func shown(value config.Value) string {
	if value.Sensitive {
		return "(sensitive)"
	}
	var plain any
	if err := json.Unmarshal(value.Value, &plain); err != nil {
		return plaintext.Line(string(value.Value))
	}
	text := &strings.Builder{}
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false) // a rule such as Bash(a && b) is to be read
	if err := encoder.Encode(plain); err != nil {
		return plaintext.Line(string(value.Value))
	}
	return plaintext.Line(strings.TrimSuffix(text.String(), "\n"))
}

// cameFrom is the file and line of a value, with its layer.
func cameFrom(value config.Value) string {
	if value.File == "" {
		return string(value.Layer)
	}
	place := value.File
	if value.Line > 0 { // not for --var and the environment
		place = fmt.Sprintf("%s:%d", place, value.Line)
	}
	return plaintext.Line(fmt.Sprintf("%s (%s)", place, value.Layer))
}
