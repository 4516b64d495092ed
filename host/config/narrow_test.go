package config_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestAWorkspaceCannotWiden(t *testing.T) {
	tests := []struct {
		name, user, workspace string
		want                  string // of the one diagnostic; empty for none
		holds                 func(*config.Config) bool
	}{
		{"the approval mode", `policy { approval_mode = "recommend" }`, `policy { approval_mode = "auto" }`, "The approval mode is not widened",
			func(c *config.Config) bool { return c.Policy.Mode == "recommend" }},
		{"the length of the model's list", `pool { visible_tokens = 100 }`, `pool { visible_tokens = 101 }`, "The model's list is not made longer",
			func(c *config.Config) bool { return c.Pool.VisibleTokens == 100 }},
		{"but make the list shorter", `pool { visible_tokens = 100 }`, `pool { visible_tokens = 99 }`, "",
			func(c *config.Config) bool { return c.Pool.VisibleTokens == 99 }},
		{"and bound a list that had no bound", ``, `pool { visible_tokens = 99 }`, "",
			func(c *config.Config) bool { return c.Pool.VisibleTokens == 99 }},
		{"learning that is off", `pool { learn = false }`, `pool { learn = true }`, "Learning stays off",
			func(c *config.Config) bool { return c.Pool.NoLearning }},
		{"but turn learning off", `pool { learn = true }`, `pool { learn = false }`, "",
			func(c *config.Config) bool { return c.Pool.NoLearning }},
		{"a tool that is off", `plugin "builtin" { tools = { Bash = "off" } }`, `plugin "builtin" { tools = { Bash = "always" } }`, "The tool Bash stays off",
			func(c *config.Config) bool { return tools(c, "builtin")["Bash"] == pool.LoadOff }},
		{"a tool that a pattern turned off", `plugin "builtin" { tools = { "delete_*" = "off" } }`, `plugin "builtin" { tools = { delete_it = "deferred" } }`, "The tool delete_it stays off",
			func(c *config.Config) bool { return len(tools(c, "builtin")) == 1 }},
		{"tools that a wider pattern turned off", `plugin "builtin" { tools = { "d*" = "off" } }`, `plugin "builtin" { tools = { "de*" = "deferred" } }`, "The tool de* stays off",
			func(c *config.Config) bool { return len(tools(c, "builtin")) == 1 }},
		{"a tool by a longer pattern than turned it off", `plugin "builtin" { tools = { "delete_*" = "off" } }`, `plugin "builtin" { tools = { "*elete_it" = "always" } }`, "The tool *elete_it stays off",
			func(c *config.Config) bool { return len(tools(c, "builtin")) == 1 }},
		{"a tool by its server's name", `plugin "builtin" { tools = { delete = "off" } }`, `plugin "builtin" { tools = { s__delete = "always" } }`, "The tool s__delete stays off",
			func(c *config.Config) bool { return len(tools(c, "builtin")) == 1 }},
		{"but say something of the tools that are left", `plugin "builtin" { tools = { "delete_*" = "off" } }`, `plugin "builtin" { tools = { "*" = "deferred" } }`, "",
			func(c *config.Config) bool { return len(tools(c, "builtin")) == 2 }},
		{"but turn a tool off", `plugin "builtin" { tools = { Bash = "always" } }`, `plugin "builtin" { tools = { Bash = "off", Read = "deferred" } }`, "",
			func(c *config.Config) bool {
				return tools(c, "builtin")["Bash"] == pool.LoadOff && tools(c, "builtin")["Read"] == pool.LoadDeferred
			}},
		{"a hook of the person's", `hook "g" {
  event    = "stop"
  command  = ["g"]
}`, `hook "g" { on_error = "warn" }`, `Hook "g" is the person's own`,
			func(c *config.Config) bool { return len(c.Hooks) == 1 && c.Hooks[0].OnError == "" }},
		{"what providers are given", `environment { allow = ["A"] }`, `environment { allow = ["B"] }`, "A workspace cannot have the environment block",
			func(c *config.Config) bool { return slices.Equal(c.AllowEnv, []string{"A"}) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, diags := load(write(t, map[string]string{"config.hcl": "toolcrib {}\n" + test.workspace + "\n", "home/user.hcl": test.user + "\n"}), ".")
			if !test.holds(c) {
				t.Errorf("got policy %+v, pool %+v, hooks %+v, plugins %+v", c.Policy, c.Pool, c.Hooks, c.Plugins)
			}
			switch {
			case test.want == "" && len(diags) > 0:
				t.Errorf("unexpected:\n%s", text(diags))
			case test.want != "" && (len(diags) != 1 || !strings.Contains(diags[0].Summary, test.want) || diags[0].File != "config.hcl" || diags[0].Line != 2):
				t.Errorf("diagnostics, want one of line 2 with %q:\n%s", test.want, text(diags))
			}
		})
	}
}

func tools(c *config.Config, name string) map[string]pool.Load {
	p, _ := c.Plugin(name)
	return p.Tools.ByName
}

func TestHooksAndSettings(t *testing.T) {
	root := write(t, map[string]string{
		"w/config.hcl": `
toolcrib {}
plugin "words" {
  command  = ["words"]
  pass_env = ["B"]
  load     = "deferred"
  tools    = { count = "always" }
}
hook "theirs" {
  event    = "pre_tool_use"
  matcher  = "Edit|Write"
  command  = ["./guard.sh", "-x"]
  timeout  = "1.5s"
  on_error = "warn"
}
pool { visible_tokens = 10 }
`,
		"home/user.hcl": `
plugin "words" {
  command  = ["words"]
  pass_env = ["A"]
  tools    = { delete = "off" }
}
hook "mine" {
  event   = "stop"
  command = ["bell"]
}
environment { allow = ["A", "JIRA_*"] }
`,
	})
	c := mustLoad(t, root, "w")
	if len(c.Hooks) != 2 || c.Hooks[0].Name != "mine" || c.Hooks[0].Layer != config.LayerUser {
		t.Fatalf("hooks = %+v, want the person's first", c.Hooks)
	}
	theirs := c.Hooks[1]
	if theirs.Event != "pre_tool_use" || theirs.Matcher != "Edit|Write" || !slices.Equal(theirs.Command, []string{root + "/w/guard.sh", "-x"}) ||
		theirs.Timeout != 1500*time.Millisecond || theirs.OnError != "warn" || theirs.Source() != "config.hcl:9" {
		t.Errorf("hook = %+v at %s", theirs, theirs.Source())
	}
	words, _ := c.Plugin("words")
	if !slices.Equal(words.PassEnv, []string{"A", "B"}) || words.Tools.Load != pool.LoadDeferred || words.Tools.ByName["count"] != pool.LoadAlways || words.Tools.ByName["delete"] != pool.LoadOff {
		t.Errorf("words = %+v, want both layers merged", words)
	}
	if !slices.Equal(c.AllowEnv, []string{"A", "JIRA_*"}) || c.Pool.VisibleTokens != 10 {
		t.Errorf("environment = %q, pool = %+v", c.AllowEnv, c.Pool)
	}

	restricted := c.Restricted()
	if len(restricted.Hooks) != 1 || restricted.Hooks[0].Name != "mine" {
		t.Errorf("restricted hooks = %+v, want the person's", restricted.Hooks)
	}
	words, _ = restricted.Plugin("words")
	if !slices.Equal(words.PassEnv, []string{"A"}) || words.Tools.Load != "" {
		t.Errorf("restricted words = %+v, want the person's", words)
	}
	if restricted.Pool.VisibleTokens != 10 {
		t.Errorf("restricted pool = %+v, want what narrows", restricted.Pool)
	}
}

func TestDigestsTellWhatChanged(t *testing.T) {
	const before = `toolcrib {}
plugin "w" {
  command  = ["w"]
  pass_env = ["A"]
  tools    = { a = "off" }
}
hook "h" {
  event    = "stop"
  matcher  = ""
  command  = ["h"]
  timeout  = "5s"
  on_error = "block"
}
pool { visible_tokens = 10 }
`
	digest := func(text string) string {
		return mustLoad(t, write(t, map[string]string{"config.hcl": text}), ".").Hooks[0].Digest()
	}
	first := digest(before)
	for _, change := range [][2]string{{`"stop"`, `"session_end"`}, {`matcher  = ""`, `matcher  = "x"`}, {`["h"]`, `["h", "x"]`}, {"5s", "6s"}, {`"block"`, `"warn"`}} {
		if digest(strings.Replace(before, change[0], change[1], 1)) == first {
			t.Errorf("the hook's digest does not change with %s", change[1])
		}
	}
	root := write(t, map[string]string{"config.hcl": before})
	whole := mustLoad(t, root, ".").Digest()
	for _, change := range [][2]string{{`["A"]`, `["B"]`}, {`a = "off"`, `a = "always"`}, {"10", "11"}, {"5s", "6s"}} {
		must(t, writeFile(root, "config.hcl", strings.Replace(before, change[0], change[1], 1)))
		if mustLoad(t, root, ".").Digest() == whole {
			t.Errorf("the digest does not change with %s", change[1])
		}
	}
}
