package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/pool"
)

func newCall(global *globalFlags) *cobra.Command {
	var asJSON, yes bool
	cmd := &cobra.Command{
		Use:   "call TOOL [JSON]",
		Short: "Call one tool and print its result",
		Long: `Call one tool and print its result. JSON is the tool's input, an object; "-"
reads it from standard input.

A call that needs approval asks on the terminal. Where there is none it fails,
unless --yes agrees beforehand. What policy denies, --yes does not allow.

Each call is a session of its own, unless --session names one: a deferred tool
that one call has loaded can then be called by the next.`,
		Example: `  toolcrib call Read '{"path":"README.md","limit":20}'
  toolcrib call Bash '{"command":"go version"}' --yes
  echo '{"path":"README.md"}' | toolcrib call words__count - --json
  toolcrib call ToolSearch '{"query":"count words"}' --session work`,
		Args:              usageArgs(cobra.RangeArgs(1, 2)),
		ValidArgsFunction: completeTools(global),
		RunE: func(cmd *cobra.Command, args []string) error {
			input, err := inputArgument(cmd, args)
			if err != nil {
				return err
			}
			h, err := global.open(cmd)
			if err != nil {
				return err
			}
			defer h.Close()
			stop := answerApprovals(cmd, h.Approvals(), yes)
			defer stop()
			hideProgress := showProgress(cmd, h.Events())
			outcome, err := h.Invoke(cmd.Context(), pipeline.Invocation{Tool: args[0], Input: input})
			hideProgress()
			loadFirst(err)
			if asJSON {
				return printOutcomeJSON(cmd.OutOrStdout(), outcome, err)
			}
			if err != nil {
				return err
			}
			return printOutcome(cmd.OutOrStdout(), outcome)
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "approve this call without asking")
	return cmd
}

// loadFirst tells how to load a deferred tool from the command line, where
// searching for it alone would load it in a session that has ended.
func loadFirst(err error) {
	var refusal *pipeline.Refusal
	if errors.As(err, &refusal) && refusal.Code == pipeline.ToolDeferred {
		refusal.Hint = fmt.Sprintf(`load it first in a session that you name, with toolcrib call ToolSearch '{"query":"select:%s"}' --session work, then call it with --session work`, refusal.Tool)
	}
}

// inputArgument reads the tool's input and checks that it is an object.
func inputArgument(cmd *cobra.Command, args []string) (json.RawMessage, error) {
	text := "{}"
	if len(args) > 1 {
		text = args[1]
	}
	if text == "-" {
		data, err := io.ReadAll(cmd.InOrStdin())
		if err != nil {
			return nil, fmt.Errorf("read the input: %w", err)
		}
		text = string(data)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, &usageError{err: fmt.Errorf("the input is not a JSON object: %w", err), command: cmd.CommandPath()}
	}
	return json.RawMessage(text), nil
}

// printOutcome writes what a model would see.
func printOutcome(w io.Writer, outcome *pipeline.Outcome) error {
	text := outcome.Text
	if isTerminal(w) {
		text = plaintext.Block(text)
	}
	if _, err := fmt.Fprintln(w, strings.TrimSuffix(text, "\n")); err != nil {
		return err
	}
	if outcome.IsError {
		return errToolFailed
	}
	return nil
}

// callDocument is the shape of `toolcrib call --json`: an outcome or an error.
type callDocument struct {
	*pipeline.Outcome
	DurationMS float64        `json:"duration_ms,omitempty"`
	Error      *errorDocument `json:"error,omitempty"`
}

type errorDocument struct {
	Code   pipeline.Code  `json:"code,omitempty"`
	Stage  pipeline.Stage `json:"stage,omitempty"`
	Reason string         `json:"reason"`
	Hint   string         `json:"hint,omitempty"`
}

func printOutcomeJSON(w io.Writer, outcome *pipeline.Outcome, err error) error {
	document := callDocument{Outcome: outcome}
	if outcome != nil {
		document.DurationMS = float64(outcome.Duration) / float64(time.Millisecond)
	}
	if err != nil {
		document.Error = describeError(err)
	}
	if printErr := printJSON(w, document); printErr != nil {
		return printErr
	}
	if err == nil && outcome.IsError {
		return errToolFailed
	}
	return silent(err)
}

// completeTools completes the name of a tool. It starts the workspace's
// providers, as `toolcrib tools` does.
func completeTools(global *globalFlags) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if cmd.Name() == "call" && len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		options, err := global.options()
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		options.NoSession = true
		h, err := host.Open(cmd.Context(), options)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		defer h.Close()
		var names []string
		for _, entry := range h.Pool().Entries() {
			if entry.State == pool.Visible {
				names = append(names, cobra.CompletionWithDesc(entry.Tool.Name, firstSentence(entry.Tool.Description)))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
