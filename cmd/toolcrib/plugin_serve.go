package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/plugins/builtin"
	"github.com/toolcrib/toolcrib/sdk"
)

// bundled are the providers that this binary serves itself. Each runs as a
// process of its own, just as a third-party plugin does.
func bundled() map[string]func() *sdk.Provider {
	return map[string]func() *sdk.Provider{
		"builtin": func() *sdk.Provider { return builtin.New(version) },
	}
}

func bundledNames() []string {
	var names []string
	for name := range bundled() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// bundledCommands tells the host how to start them.
func bundledCommands(self string) []host.Bundled {
	var commands []host.Bundled
	for _, name := range bundledNames() {
		commands = append(commands, host.Bundled{Name: name, Command: []string{self, "plugin-serve", name}})
	}
	return commands
}

func newPluginServe() *cobra.Command {
	return &cobra.Command{
		Use:       "plugin-serve NAME",
		Short:     "Serve a bundled provider; the host starts this, not a person",
		Hidden:    true,
		Args:      usageArgs(cobra.ExactArgs(1)),
		ValidArgs: bundledNames(),
		RunE: func(cmd *cobra.Command, args []string) error {
			provider, ok := bundled()[args[0]]
			if !ok {
				return &usageError{
					err:     fmt.Errorf("no bundled provider %q: there is %s", args[0], strings.Join(bundledNames(), ", ")),
					command: cmd.CommandPath(),
				}
			}
			sdk.Serve(provider())
			return nil
		},
	}
}
