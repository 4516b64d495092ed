package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/toolcrib/toolcrib/host/policy"
)

// claudeSettings is the part of a settings.json of Claude Code that is about
// permissions.
type claudeSettings struct {
	Permissions struct {
		Allow, Ask, Deny      []string
		DefaultMode           string
		AdditionalDirectories []string
	}
	Hooks map[string]json.RawMessage
}

// Claude reads a settings.json of Claude Code. Its rules are written as ours are.
func Claude(text []byte) (*Rules, error) {
	var settings claudeSettings
	if err := json.Unmarshal(text, &settings); err != nil {
		return nil, fmt.Errorf("read Claude Code settings: %w", err)
	}
	r := &Rules{}
	p := settings.Permissions
	for _, list := range []struct {
		effect policy.Outcome
		rules  []string
	}{{policy.Deny, p.Deny}, {policy.Ask, p.Ask}, {policy.Allow, p.Allow}} {
		for _, rule := range list.rules {
			r.add(Rule{Effect: list.effect, Text: rule, foreign: rule})
		}
	}
	for _, dir := range p.AdditionalDirectories {
		r.unequal("additionalDirectories %s: write allow rules such as Read(/%s/**)", dir, dir)
	}
	switch p.DefaultMode {
	case "":
	case "acceptEdits":
		r.unequal("defaultMode acceptEdits: write the allow rule Edit(/**)")
	case "bypassPermissions":
		r.unequal("defaultMode bypassPermissions: choose mode trust for a session, with /mode approval trust confirm")
	default:
		r.unequal("defaultMode %s: set approval_mode to recommend or auto", p.DefaultMode)
	}
	for _, event := range slices.Sorted(maps.Keys(settings.Hooks)) {
		r.unequal("hooks of %s: declare them as hook blocks; the scripts themselves can stay", event)
	}
	return r, nil
}
