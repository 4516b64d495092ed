package pool

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

// Overrides are what the configuration says of the tools of one provider. The
// zero value leaves each tool what its provider says.
type Overrides struct {
	// Load is that of tools that ByName says nothing of; empty leaves each its own.
	Load Load
	// ByName are overrides by the provider's own name of a tool, or a pattern of
	// it in which * stands for any characters. Tools of a provider with several
	// servers are also met as server__tool. An exact name beats a pattern, a
	// longer one a shorter, and of two alike the first by text.
	ByName map[string]Load
}

// sorted are the names and patterns, those that count more first.
func (o Overrides) sorted() []string {
	names := make([]string, 0, len(o.ByName))
	for name := range o.ByName {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(
			cmp.Compare(strings.Count(a, "*"), 0)-cmp.Compare(strings.Count(b, "*"), 0),
			cmp.Compare(len(b), len(a)),
			cmp.Compare(a, b),
		)
	})
	return names
}

// of returns what is said of a tool, and the setting that says it as it stands in
// config.hcl; both are empty when nothing is. sorted is that of the overrides.
func (o Overrides) of(provider string, tool Tool, sorted []string) (load Load, setting string) {
	for _, name := range sorted {
		if meets(name, tool) {
			return o.ByName[name], fmt.Sprintf("plugin %q { tools = { %q = %q } }", provider, name, o.ByName[name])
		}
	}
	if o.Load != "" {
		setting = fmt.Sprintf("plugin %q { load = %q }", provider, o.Load)
	}
	return o.Load, setting
}

// meets reports whether a name or pattern of an override is about a tool.
func meets(name string, tool Tool) bool {
	if matches(name, tool.ProviderName) {
		return true
	}
	return tool.Origin.Server != "" && matches(name, tool.Origin.Server+separator+tool.ProviderName)
}

// matches reports whether a pattern, in which * stands for any characters, is
// that of a text.
func matches(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	first, last := parts[0], parts[len(parts)-1]
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}

// Unmet is an override that no tool of its provider is met by.
type Unmet struct {
	// Name is the name or pattern as it was written.
	Name string
	// Near is the tool that may have been meant; empty when none is near.
	Near string
}

// Unmet returns the overrides that are about no tool of the source, sorted. It
// means nothing before the provider has sent its tools.
func (s Source) Unmet() []Unmet {
	var unmet []Unmet
	for name := range s.Overrides.ByName {
		about := func(tool Tool) bool { return meets(name, tool) }
		if !slices.ContainsFunc(s.Tools, about) {
			unmet = append(unmet, Unmet{Name: name, Near: s.nearest(name)})
		}
	}
	slices.SortFunc(unmet, func(a, b Unmet) int { return cmp.Compare(a.Name, b.Name) })
	return unmet
}

// nearest is the provider's name of a tool that is nearest to a misspelt one.
func (s Source) nearest(name string) string {
	best, limit := "", slip(name)
	for _, tool := range s.Tools {
		distance := levenshtein.Distance(strings.ToLower(name), strings.ToLower(tool.ProviderName), nil)
		if distance < limit || distance == limit && (best == "" || tool.ProviderName < best) {
			best, limit = tool.ProviderName, distance
		}
	}
	return best
}
