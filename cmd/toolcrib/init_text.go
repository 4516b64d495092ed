package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/toolcrib/toolcrib/host/policy"
)

// starter is what a new configuration shall say.
type starter struct {
	found                                  *surroundings
	readOnly, commands, rules, ignoreLocal bool
}

// secrets are files that no agent needs to see.
var secrets = []string{"Read(.env)", "Read(.env.local)", "Read(secrets/**)", "Read(**/*.pem)"}

// hcl is the configuration, laid out as `toolcrib fmt` does.
func (s starter) hcl() []byte {
	var out strings.Builder
	out.WriteString(`# What Toolcrib does in this folder. Check it with ` + "`toolcrib validate`" + `; all that may
# stand here is in docs/configuration.md.

# Tells this file from another program's config.hcl.
toolcrib {}

`)
	if len(s.found.servers) > 0 {
		fmt.Fprintf(&out, "# %s has servers that this version of Toolcrib cannot connect: %s.\n\n", mcpServers, oneLine(strings.Join(s.found.servers, ", ")))
	}
	out.WriteString(`# A plugin is a program that offers tools. The bundled one, with Read, Edit and
# Bash, needs no block. One of your own looks like this:
#
#   plugin "words" {
#     command = ["./bin/words"]
#   }

policy {
# recommend: every call asks. auto: shell commands, and tools that say they are
# destructive, ask.
approval_mode = "auto"

`)
	if s.readOnly {
		out.WriteString("# Commands that are proven to read only run without asking, inside this folder.\nread_only_commands = \"allow\"\n\n")
	}
	if s.commands {
		out.WriteString("# These run without asking, with any further arguments. They run code of this\n# folder, so they are as safe as that is.\ntrusted_commands = [\n")
		for _, command := range s.found.commands {
			out.WriteString(literal(command) + ",\n")
		}
		out.WriteString("]\n\n")
	}
	out.WriteString("# Deny beats ask beats allow, whatever their order.\n")
	s.list(&out, policy.Deny, secrets...)
	s.list(&out, policy.Ask, "Bash(git push *)")
	s.list(&out, policy.Allow)
	out.WriteString("}\n")
	if s.rules && len(s.found.rules.Unequal) > 0 {
		fmt.Fprintf(&out, "\n# These parts of %s have no equal, and are left out:\n", claudeSettings)
		for _, note := range s.found.rules.Unequal {
			fmt.Fprintf(&out, "#   %s\n", oneLine(note))
		}
	}
	return hclwrite.Format([]byte(out.String()))
}

// list writes the rules of one effect: our own, and those that are taken over.
func (s starter) list(out *strings.Builder, effect policy.Outcome, own ...string) {
	var taken []string
	if s.rules {
		for _, rule := range s.found.rules.Rules {
			if rule.Effect == effect {
				taken = append(taken, rule.Text)
			}
		}
	}
	if len(own)+len(taken) == 0 {
		return
	}
	fmt.Fprintf(out, "%s = [\n", effect)
	for _, rule := range own {
		out.WriteString(literal(rule) + ",\n")
	}
	if len(taken) > 0 {
		fmt.Fprintf(out, "# Taken over from %s.\n", claudeSettings)
	}
	for _, rule := range taken {
		out.WriteString(literal(rule) + ",\n")
	}
	out.WriteString("]\n")
}

func literal(text string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(text)).Bytes())
}

// oneLine keeps foreign text inside its comment.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
