package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/sdk/conformance"
)

// errNotConformant is a report with failures, which has been printed.
var errNotConformant = silent(errors.New("the plugin does not keep the contract"))

func newPluginCheck() *cobra.Command {
	var config string
	var inputs, longInputs []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check PROGRAM [ARG...]",
		Short: "Check that a program is a well-behaved plugin",
		Long: `Start a program as a host does, in a workspace of its own, and check that it
keeps the contract of a plugin, whatever language it is written in.

A tool is called only if it says that it is read-only and does not reach beyond
this machine, or if you give an input that is safe. What was not called is listed
as skipped.`,
		Example: `  toolcrib plugin check ./words
  toolcrib plugin check ./words --input 'count={"path":"sample.txt"}'
  toolcrib plugin check --long-input 'run={"command":"sleep 60"}' -- ./runner --verbose`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			options := conformance.Options{Config: json.RawMessage(config)}
			for _, flag := range []struct {
				name   string
				values []string
				target *map[string]json.RawMessage
			}{{"input", inputs, &options.Inputs}, {"long-input", longInputs, &options.LongInputs}} {
				parsed, err := parseInputs(flag.values)
				if err != nil {
					return &usageError{err: fmt.Errorf("--%s: %w", flag.name, err), command: cmd.CommandPath()}
				}
				*flag.target = parsed
			}
			report, err := conformance.Check(cmd.Context(), args, options)
			if err != nil {
				return err
			}
			return printReport(cmd.OutOrStdout(), report, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&config, "config", "", "the plugin's config block, as a `JSON` object")
	flags.StringArrayVar(&inputs, "input", nil, "call a tool with this input; `TOOL=JSON`, repeatable")
	flags.StringArrayVar(&longInputs, "long-input", nil, "cancel a call with this input, which has to last; `TOOL=JSON`, repeatable")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// parseInputs reads TOOL=JSON.
func parseInputs(values []string) (map[string]json.RawMessage, error) {
	inputs := make(map[string]json.RawMessage, len(values))
	for _, value := range values {
		tool, input, found := strings.Cut(value, "=")
		if !found || !json.Valid([]byte(input)) {
			return nil, fmt.Errorf(`%q is not TOOL=JSON, as in count={"path":"sample.txt"}`, value)
		}
		inputs[tool] = json.RawMessage(input)
	}
	return inputs, nil
}

// reportDocument is a report in the shape of docs/cli.md.
type reportDocument struct {
	Conformant bool `json:"conformant"`
	*conformance.Report
}

func printReport(w io.Writer, report *conformance.Report, asJSON bool) error {
	failures := report.Count(conformance.Fail)
	if asJSON {
		if err := printJSON(w, reportDocument{failures == 0, report}); err != nil {
			return err
		}
	} else {
		printFindings(w, report)
	}
	if failures > 0 {
		return errNotConformant
	}
	return nil
}

// printFindings writes a line for each finding, and below it what explains one
// that did not pass.
func printFindings(w io.Writer, report *conformance.Report) {
	if report.Provider != "" {
		fmt.Fprintf(w, "%s %s: %s\n\n", plaintext.Line(report.Provider), plaintext.Line(report.Version),
			plaintext.Line(strings.Join(report.Tools, ", ")))
	}
	for _, f := range report.Findings {
		fmt.Fprintf(w, "%s  %s", f.Status, plaintext.Line(f.Check))
		if f.Status == conformance.Pass && f.Detail != "" {
			fmt.Fprintf(w, " (%s)", plaintext.Line(f.Detail))
		}
		fmt.Fprintln(w)
		if f.Status == conformance.Pass {
			continue
		}
		for line := range strings.Lines(plaintext.Block(f.Detail)) {
			fmt.Fprintln(w, "      "+strings.TrimRight(line, "\n"))
		}
		if f.Hint != "" {
			fmt.Fprintln(w, "      hint: "+plaintext.Line(f.Hint))
		}
	}
	fmt.Fprintf(w, "\n%d passed, %d failed, %d skipped\n",
		report.Count(conformance.Pass), report.Count(conformance.Fail), report.Count(conformance.Skip))
}
