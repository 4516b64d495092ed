package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/policy/foreign"
)

// maxImport is the largest file that is imported, in bytes.
const maxImport = 4 << 20

func newPolicyImport() *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE",
		Short: "Turn the rules of another agent into a policy block",
		Long: `Turn the rules in a settings.json of Claude Code, or in a .rules file of Codex,
into a policy block for config.hcl, and list what has no equal. Nothing is
changed: the block goes to stdout.`,
		Example: `  toolcrib policy import .claude/settings.json
  toolcrib policy import ~/.codex/rules/default.rules`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := importRules(args[0])
			if err != nil {
				return &usageError{err: err, command: cmd.CommandPath()}
			}
			if len(rules.Unequal) > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "toolcrib: %d parts have no equal; they are listed below the block\n", len(rules.Unequal))
			}
			return rules.WriteHCL(cmd.OutOrStdout())
		},
	}
}

// importRules reads a file by what it is: JSON is Claude Code's.
func importRules(name string) (*foreign.Rules, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxImport {
		return nil, fmt.Errorf("%s is larger than %d MiB", name, maxImport>>20)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(name) == ".rules" || !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return foreign.Codex(text)
	}
	return foreign.Claude(text)
}
