package config_test

import (
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

func TestAWorkspaceOnlyNarrowsReadOnlyCommands(t *testing.T) {
	tests := []struct {
		name, user, workspace string
		allowed, granted      bool
		warning               string
	}{
		{"nobody says anything", "", "", false, false, ""},
		{"the workspace allows", "", "allow", true, true, ""},
		{"the person allows", "allow", "", true, false, ""},
		{"the person asks, and so it stays", "ask", "allow", false, false, "Read-only commands still ask"},
		{"the workspace asks although the person allows", "allow", "ask", false, false, ""},
	}
	block := func(value string) string {
		if value == "" {
			return "toolcrib {}\n"
		}
		return "toolcrib {}\npolicy {\n  read_only_commands = \"" + value + "\"\n}\n"
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, diags := load(write(t, map[string]string{"config.hcl": block(test.workspace), "home/user.hcl": block(test.user)}), ".")
			if c.Policy.ReadOnlyCommands != test.allowed || c.Policy.Grants.ReadOnlyCommands != test.granted {
				t.Errorf("allowed %v, granted %v, want %v and %v", c.Policy.ReadOnlyCommands, c.Policy.Grants.ReadOnlyCommands, test.allowed, test.granted)
			}
			if got := text(diags); !strings.Contains(got, test.warning) || (got != "") != (test.warning != "") {
				t.Errorf("diagnostics = %q, want %q", got, test.warning)
			}
			call := policy.Call{Tool: "Bash", Workspace: c.Workspace, Subjects: []policy.Subject{{Kind: "command", Value: "pwd"}}}
			if got := c.Restricted().Policy.Engine("").Judge(call); test.workspace == "allow" && got.Outcome != policy.Ask {
				t.Errorf("before the person agreed: %s because %s, want ask", got.Outcome, got.Reason)
			}
		})
	}
}

func TestARuleThatAllowsNothingIsAWarning(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\npolicy {\n  allow = [\"Bash(:*)\", \"Write(src/**)\", \"Read(/src/**)\"]\n}\n"})
	c, diags := load(root, ".")
	if diags.HasErrors() || len(diags) != 2 || len(c.Policy.Rules) != 1 {
		t.Errorf("%d rules and these findings, want one rule and two warnings:\n%s", len(c.Policy.Rules), text(diags))
	}
}

func TestPathsOfRulesAreRelativeToTheirFile(t *testing.T) {
	root := write(t, map[string]string{
		"ws/config.hcl": "toolcrib {}\npolicy {\n  deny = [\"Read(/x)\"]\n}\n",
		"home/user.hcl": "policy {\n  deny = [\"Read(/y)\", \"Read(z)\"]\n}\n",
	})
	engine := mustLoad(t, root, "ws").Policy.Engine("")
	for path, want := range map[string]policy.Outcome{
		"ws/x": policy.Deny, "home/x": policy.Allow, "home/y": policy.Deny, "ws/y": policy.Allow, "ws/sub/z": policy.Deny, "home/z": policy.Allow,
	} {
		got := engine.Judge(policy.Call{Tool: "Read", Workspace: root + "/ws", Subjects: []policy.Subject{{Kind: "path", Value: root + "/" + path, Access: "read"}}})
		if got.Outcome != want {
			t.Errorf("%s: %s because %s, want %s", path, got.Outcome, got.Reason, want)
		}
	}
}
