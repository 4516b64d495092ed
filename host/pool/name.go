package pool

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"strings"
)

const (
	// maxNameLength bounds a tool's name, as the model providers do.
	maxNameLength = 64
	// separator stands between the parts of a name.
	separator = "__"
	// hashLength is that of the suffix of a name that is not the tool's own.
	hashLength = 8
)

// PublicName returns what models and rules call a tool: Read of a bundled
// provider, words__count of a plugin, mcp__github__search of an MCP server.
//
// A name that is not made of [A-Za-z0-9_-], is too long, or could be read as
// that of another origin is altered and gets a suffix: a hash of origin and
// tool. So it depends on nothing but the tool itself, and no tool is renamed
// because another one appeared.
func PublicName(origin Origin, tool string) string {
	var parts []string
	switch {
	case origin.Kind.Bundled():
	case origin.Kind == OriginMCP:
		parts = []string{"mcp", cleanPart(firstOf(origin.Server, origin.Provider))}
	default:
		parts = []string{cleanPart(origin.Provider)}
		if parts[0] == "mcp" {
			// Rules for mcp__... must not match, or be met by, a plugin.
			parts[0] = "mcp-"
		}
		if origin.Server != "" {
			parts = append(parts, cleanPart(origin.Server))
		}
	}
	name := strings.Join(append(parts, cleanTool(tool)), separator)
	if name == plainName(origin, tool) && len(name) <= maxNameLength {
		return name
	}
	name = name[:min(len(name), maxNameLength-hashLength-1)]
	return name + "_" + identityHash(origin, tool)
}

// plainName joins the parts of a name as they are.
func plainName(origin Origin, tool string) string {
	switch {
	case origin.Kind.Bundled():
		return tool
	case origin.Kind == OriginMCP:
		return "mcp" + separator + firstOf(origin.Server, origin.Provider) + separator + tool
	case origin.Server != "":
		return origin.Provider + separator + origin.Server + separator + tool
	}
	return origin.Provider + separator + tool
}

// cleanTool replaces what a name may not have.
func cleanTool(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
}

// cleanPart makes a part that the separator can follow: a part that contains or
// touches it would let one origin speak for another.
func cleanPart(s string) string {
	s = strings.Trim(cleanTool(s), "_")
	for strings.Contains(s, separator) {
		s = strings.ReplaceAll(s, separator, "_")
	}
	return firstOf(s, "x")
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func identityHash(origin Origin, tool string) string {
	// JSON keeps the fields apart, so no two identities have one text.
	identity, err := json.Marshal([]string{string(origin.Kind), origin.Provider, origin.Server, tool})
	if err != nil {
		panic(err) // strings always marshal
	}
	sum := sha256.Sum256(identity)
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:]))[:hashLength]
}
