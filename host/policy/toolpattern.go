package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// toolPattern says which tools a rule is about.
type toolPattern struct {
	// name is a tool's exact name, or with stars that of several. A server
	// ("mcp__github") stands for all its tools.
	name string
}

// mcp is what the names of all tools of MCP servers start with.
const mcp = "mcp__"

// parseToolPattern reads the name in a rule. Deny and ask rules take stars
// anywhere; an allow rule takes one for all tools of one provider.
func parseToolPattern(name string, effect Outcome) (toolPattern, *patternError) {
	if name == "" {
		return toolPattern{}, &patternError{0, "the tool's name is missing", "write it before the parenthesis, as in Bash(ls *)"}
	}
	if name == "Task" {
		name = agent // what agents are called elsewhere
	}
	if strings.HasPrefix(name, mcp) && effect != Allow {
		// As the names of tools have it; a rule that forbids is not to fail over it.
		name = strings.ReplaceAll(normalName(strings.ReplaceAll(name, "*", "\x00")), "\x00", "*")
	}
	if i := strings.IndexFunc(name, notInName); i >= 0 {
		return toolPattern{}, &patternError{i, fmt.Sprintf("a tool's name has no %q", firstRune(name[i:])),
			"write the exact name, as `toolcrib tools` lists it"}
	}
	t := toolPattern{name: name}
	if strings.HasPrefix(name, mcp) && strings.HasSuffix(name, "__") {
		return t, &patternError{0, "the name of the tool is missing", fmt.Sprintf("write %s for all tools of the server", strings.TrimSuffix(name, "__"))}
	}
	if effect == Allow && strings.Contains(name, "*") && t.provider() == "" {
		return t, &patternError{strings.IndexByte(name, '*'), "an allow rule names one tool, or all of one provider",
			"write the tool's exact name, or provider__* for a plugin and mcp__server__* for a server"}
	}
	return t, nil
}

func notInName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '*')
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// isGlob tells whether the rule is about several tools by their names.
func (t toolPattern) isGlob() bool { return strings.Contains(t.name, "*") || t.server() != "" }

// server is the MCP server whose tools the rule is about; empty for another rule.
func (t toolPattern) server() string {
	name := strings.TrimSuffix(t.name, "__*")
	server, ok := strings.CutPrefix(name, mcp)
	if !ok || strings.Contains(server, "*") || name == t.name && strings.Contains(server, "__") {
		return ""
	}
	return server
}

// provider is the prefix of all names that the rule is about, where it is about
// one provider or server; empty for another rule.
func (t toolPattern) provider() string {
	if server := t.server(); server != "" {
		return mcp + server + "__"
	}
	name, ok := strings.CutSuffix(t.name, "__*")
	if !ok || name == "" || name == "mcp" || strings.Contains(name, "*") {
		return ""
	}
	return name + "__"
}

// allows tells whether an allow rule is about a tool. Where the server of the
// tool is not known, a name with two pairs of underscores may belong to another
// server: mcp__a must not allow the tools of a__b.
func (t toolPattern) allows(name string, origin pool.Origin) bool {
	prefix := t.provider()
	if prefix == "" {
		return t.name == name
	}
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok || rest == "" {
		return false
	}
	if origin.Server != "" && t.server() != "" {
		return normalName(origin.Server) == t.server()
	}
	return !strings.Contains(rest, "__")
}

// restricts tells whether a deny or ask rule is about a tool.
func (t toolPattern) restricts(name string, origin pool.Origin) bool {
	if t.name == name {
		return true
	}
	if server := t.server(); server != "" {
		return strings.HasPrefix(name, mcp+server+"__") || origin.Server != "" && normalName(origin.Server) == server
	}
	return strings.Contains(t.name, "*") && matchWildcard(starred(t.name), name)
}

// normalName is a server's name as it stands in the names of its tools.
func normalName(server string) string {
	return strings.Map(func(r rune) rune {
		if (notInName(r) || r == '*') && r != 0 {
			return '_'
		}
		return r
	}, server)
}

// The tools that read and write files by their paths. A rule with a path for one
// of them is about the file, whichever tool touches it.
var (
	readers = []string{"Read", "Grep", "Glob", "LSP", "NotebookRead", "LS"}
	writers = []string{"Edit", "Write", "NotebookEdit", "MultiEdit"}
)

// family tells whether the tool is one of the known readers and writers.
func (t toolPattern) family() bool { return capability(t.name) != "" }

// bundled are the tools that may exist without a plugin. A rule for one that this
// build does not have is no mistake.
var bundled = slices.Concat(readers, writers, strings.Fields("Agent AskUser AskUserQuestion Bash BashOutput KillShell Skill TodoWrite ToolSearch WebFetch WebSearch"))

// UnknownTool tells that no tool has the name that the rule speaks of, as far as
// that is known before any provider runs: it is neither a bundled tool nor one
// of the providers. near lists names that may be meant.
func (r Rule) UnknownTool(providers []string) (name string, near []string, unknown bool) {
	name = r.tool.name
	provider, _, named := strings.Cut(name, "__")
	switch {
	case strings.Contains(provider, "*"), strings.HasPrefix(name, mcp), strings.Contains(name, "*") && !named:
		return name, nil, false
	case named:
		return name, providers, !slices.Contains(providers, provider)
	}
	return name, bundled, !slices.Contains(bundled, name)
}

// capability is what a tool does with its paths; empty for one that is not known.
func capability(tool string) pool.Access {
	switch {
	case slices.Contains(readers, tool):
		return pool.AccessRead
	case slices.Contains(writers, tool):
		return pool.AccessWrite
	}
	return ""
}
