package config_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/policy"
)

// The repository's own config.hcl is the sample that the documentation explains.
func TestTheSampleHasNoFaults(t *testing.T) {
	c, diags := config.Load("../..", config.Options{UserFile: filepath.Join(t.TempDir(), "none.hcl"), Version: "0.1.0"})
	if len(diags) > 0 {
		t.Fatalf("Load:\n%s", text(diags))
	}
	var names []string
	for _, plugin := range c.Plugins {
		names = append(names, plugin.Name)
	}
	if want := []string{"builtin", "words"}; !slices.Equal(names, want) {
		t.Errorf("plugins = %q, want %q", names, want)
	}
	words, _ := c.Plugin("words")
	got, diags := words.DecodeConfig(json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{"limits":{"type":"object","properties":{"max_bytes":{"type":"integer"}}}}}`))
	if string(got) != `{"limits":{"max_bytes":1000000}}` {
		t.Errorf("config = %s\n%s", got, text(diags))
	}
	engine := policy.New(c.Policy.Rules, c.Policy.Mode, c.Policy.Trusted...)
	for command, want := range map[string]policy.Outcome{
		"git status -s":         policy.Allow,
		"git status; rm x":      policy.Ask,
		"git push":              policy.Ask,
		"git push --force main": policy.Deny,
		"make test":             policy.Allow,
	} {
		call := policy.Call{Tool: "Bash", Workspace: c.Workspace, Subjects: []policy.Subject{{Kind: "command", Value: command}}}
		if got := engine.Judge(call); got.Outcome != want {
			t.Errorf("%s: %s because %s, want %s", command, got.Outcome, got.Reason, want)
		}
	}
}
