package config_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

// loadWith is load with flags and an environment.
func loadWith(root, dir string, set []string, vars, env map[string]string) (*config.Config, config.Diagnostics) {
	return config.Load(filepath.Join(root, dir), config.Options{
		UserFile: filepath.Join(root, "home", "user.hcl"), Version: "0.3.0-dev", Set: set, Vars: vars,
		LookupEnv: func(name string) (string, bool) {
			value, ok := env[name]
			return value, ok
		},
	})
}

func TestTheLocalFileNarrowsTheWorkspace(t *testing.T) {
	root := write(t, map[string]string{
		".toolcrib/config.hcl": `
plugin "words" {
  command = ["./words"]
  env     = { A = "1", B = "1" }
}
pool { visible_tokens = 100 }
`,
		".toolcrib/config.local.hcl": `
plugin "words" { env = { B = "2" } }
plugin "mine" { command = ["./mine"] }
pool { visible_tokens = 200 }
policy {
  allow         = ["Bash(make *)"]
  approval_mode = "trust"
}
`,
	})
	c, diags := load(root, ".")
	if len(diags) != 2 || diags[0].Line != 4 || diags[1].Line != 7 || diags[0].File != ".toolcrib/config.local.hcl" {
		t.Errorf("diagnostics, want that the list stays short and that nobody trusts itself:\n%s", text(diags))
	}
	words, _ := c.Plugin("words")
	if words.Env["A"] != "1" || words.Env["B"] != "2" || words.Layer != config.LayerLocal || !words.Layer.Foreign() {
		t.Errorf("words = %+v", words)
	}
	if mine, _ := c.Plugin("mine"); !slices.Equal(mine.Command, []string{root + "/mine"}) {
		t.Errorf("command = %q, want it relative to the workspace", mine.Command)
	}
	if len(c.Policy.Grants.Allow) != 1 || c.Pool.VisibleTokens != 100 {
		t.Errorf("grants = %+v, pool = %+v", c.Policy.Grants, c.Pool)
	}
	if restricted := c.Restricted(); len(restricted.Plugins) != 1 || len(restricted.Policy.Rules) != 0 {
		t.Errorf("restricted = %+v, want nothing of the local file", restricted)
	}
	if want := []string{root + "/.toolcrib/config.hcl", root + "/.toolcrib/config.local.hcl"}; !slices.Equal(c.Files, want) {
		t.Errorf("files = %q, want %q", c.Files, want)
	}
}

func TestALocalFileAloneIsNoWorkspace(t *testing.T) {
	c := mustLoad(t, write(t, map[string]string{"config.local.hcl": "toolcrib {}\n", "a/x": ""}), "a")
	if len(c.Files) != 0 || filepath.Base(c.Workspace) != "a" {
		t.Errorf("workspace = %s with %q, want the folder itself", c.Workspace, c.Files)
	}
}

func TestFlagsHoldAgainstAllFiles(t *testing.T) {
	root := write(t, map[string]string{
		"config.hcl": `
toolcrib {}
variable "lang" { default = "en" }
plugin "words" {
  command = ["./words"]
  config {
    lang = "en"
    limits {
      max   = 1
      depth = 2
    }
  }
}
policy { approval_mode = "recommend" }
pool { visible_tokens = 100 }
`,
		"home/user.hcl": "variable \"own\" { default = \"o\" }\nplugin \"builtin\" { tools = { Bash = \"off\" } }\n",
	})
	c, diags := loadWith(root, ".", []string{
		`policy.approval_mode="auto"`, `policy.deny=["Edit"]`, `pool.visible_tokens = 200`, `environment.allow=["A"]`,
		`plugin.words.config.limits.max=5`, `plugin.words.load="deferred"`, `plugin.words.load="always"`,
		`plugin.words.tools={"a_*"="off"}`, `plugin.builtin.tools={Bash="always"}`, `plugin.mine.command=["./mine", var.own]`,
	}, nil, nil)
	if len(diags) > 0 {
		t.Fatalf("Load:\n%s", text(diags))
	}
	if c.Policy.Mode != policy.Auto || len(c.Policy.Rules) != 1 || c.Pool.VisibleTokens != 200 || !slices.Equal(c.AllowEnv, []string{"A"}) {
		t.Errorf("policy = %+v, pool = %+v, environment = %q", c.Policy, c.Pool, c.AllowEnv)
	}
	words, _ := c.Plugin("words")
	if words.Tools.Load != pool.LoadAlways || words.Tools.ByName["a_*"] != pool.LoadOff {
		t.Errorf("words = %+v, want the later of two flags", words)
	}
	if !words.Layer.Foreign() {
		t.Errorf("layer of words = %s: a flag takes the need for an agreement away", words.Layer)
	}
	if mine, _ := c.Plugin("mine"); !slices.Equal(mine.Command, []string{root + "/mine", "o"}) || mine.Layer != config.LayerFlags {
		t.Errorf("mine = %+v, want it relative to where the person is", mine)
	}
	if tools(c, "builtin")["Bash"] != pool.LoadAlways {
		t.Errorf("a flag of the person's turns nothing on")
	}
	got, diags := words.DecodeConfig([]byte(`{"type":"object","properties":{"lang":{"type":"string"},"limits":{"type":"object","properties":{"max":{"type":"integer"},"depth":{"type":"integer"}}}}}`))
	if string(got) != `{"lang":"en","limits":{"depth":2,"max":5}}` {
		t.Errorf("config = %s, want it merged argument by argument\n%s", got, text(diags))
	}
	if restricted := c.Restricted(); restricted.Policy.Mode != policy.Auto || len(restricted.Plugins) != 2 {
		t.Errorf("restricted = %+v", restricted)
	}
}

func TestFaultyFlags(t *testing.T) {
	tests := []struct{ flag, token, want string }{
		{`policy.approval_mode`, `policy.approval_mode`, "A setting has a value"},
		{`policy.aproval_mode="auto"`, `aproval_mode`, `Did you mean "approval_mode"?`},
		{`polcy.deny=["Edit"]`, `polcy`, `Did you mean "policy"?`},
		{`policy="x"`, `policy="x"`, "must name a block and an argument"},
		{`policy.approval_mode=recommend`, `recommend`, `Text is written in quotes: "recommend".`},
		{`policy.approval_mode="recomend"`, `"recomend"`, `Did you mean "recommend"?`},
		{`plugin.wrods.load="deferred"`, `plugin`, `Did you mean "words"?`},
		{`plugin.words.load=`, ``, "Missing expression"},
		{`plugin.words.load="deferred`, ``, "Unterminated template string"},
		{`plugin.words.env={A=var.lang}`, `var.lang`, `No variable is called "lang"`},
		{`=1`, `=1`, "Invalid path of a setting"},
		{`plugin.words.config.x=` + strings.Repeat("(", 5000), ``, "nest deeper"},
	}
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\nvariable \"lang\" { default = \"en\" }\nplugin \"words\" { command = [\"words\"] }\n"})
	for _, test := range tests {
		t.Run(test.flag[:min(len(test.flag), 40)], func(t *testing.T) {
			_, diags := loadWith(root, ".", []string{test.flag}, nil, nil)
			if len(diags) != 1 || diags[0].File != "--set" {
				t.Fatalf("want one fault of the flag:\n%s", text(diags))
			}
			d := diags[0]
			marked := string([]rune(d.Snippet + " ")[d.Mark.Start:d.Mark.End])
			if !strings.HasPrefix(marked, test.token) || !strings.Contains(d.Summary+" "+d.Detail, test.want) {
				t.Errorf("marked %q, want %q and %q:\n%s", marked, test.token, test.want, text(diags))
			}
		})
	}
}

func TestJSONSaysTheSame(t *testing.T) {
	native := `
toolcrib { required_version = ">= 0.1" }
variable "lang" { default = "en" }
plugin "words" {
  command = ["./words", "-l", var.lang]
  env     = { A = "1" }
  tools   = { "a_*" = "off" }
  config {
    name = upper("a")
    limits { max_bytes = 5 }
    servers { url = "u" }
    servers { url = "v" }
  }
}
hook "h" {
  event   = "stop"
  command = ["h"]
  timeout = "5s"
}
policy {
  deny = ["Edit", { rule = "Bash(rm *)", match = ["rm x"] }]
}
`
	asJSON := `{
  "//": "a comment",
  "toolcrib": {"required_version": ">= 0.1"},
  "variable": {"lang": {"default": "en"}},
  "plugin": {"words": {
    "command": ["./words", "-l", "${var.lang}"],
    "env": {"A": "1"},
    "tools": {"a_*": "off"},
    "config": {"name": "${upper(\"a\")}", "limits": {"max_bytes": 5}, "servers": [{"url": "u"}, {"url": "v"}]}
  }},
  "hook": {"h": {"event": "stop", "command": ["h"], "timeout": "5s"}},
  "policy": {"deny": ["Edit", {"rule": "Bash(rm *)", "match": ["rm x"]}]}
}`
	want := mustLoad(t, write(t, map[string]string{"config.hcl": strings.NewReplacer("{ max", "{\n max", "5 }", "5\n }").Replace(native)}), ".")
	got := mustLoad(t, write(t, map[string]string{"config.hcl.json": asJSON}), ".")
	a, _ := want.Plugin("words")
	b, _ := got.Plugin("words")
	if !slices.Equal(a.Command[1:], b.Command[1:]) || a.Env["A"] != b.Env["A"] || b.Tools.ByName["a_*"] != pool.LoadOff {
		t.Errorf("plugin = %+v, want %+v", b, a)
	}
	fromNative, _ := a.DecodeConfig(json.RawMessage(schema))
	fromJSON, diags := b.DecodeConfig(json.RawMessage(schema))
	if string(fromJSON) != string(fromNative) || fromJSON == nil {
		t.Errorf("config = %s, want %s\n%s", fromJSON, fromNative, text(diags))
	}
	if len(got.Policy.Rules) != 2 || len(got.Hooks) != 1 || got.Hooks[0].Digest() != want.Hooks[0].Digest() {
		t.Errorf("rules = %+v, hooks = %+v", got.Policy.Rules, got.Hooks)
	}
	if d := b.DiagnosticAt([]string{"servers", "1", "url"}, config.Error, "s", "d"); d.Snippet[d.Mark.Start:d.Mark.End] != `"v"` {
		t.Errorf("DiagnosticAt marks %q of %q", d.Snippet[d.Mark.Start:d.Mark.End], d.Snippet)
	}
}

func TestFaultsOfJSON(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a comma too many", `{"toolcrib": {},}`, "Trailing comma"},
		{"an unknown block", `{"toolcrib": {}, "polcy": {}}`, `Did you mean "policy"?`},
		{"an unknown argument", `{"toolcrib": {}, "policy": {"dney": []}}`, `Did you mean "deny"?`},
		{"a wrong type", `{"toolcrib": {}, "policy": {"deny": 3}}`, "It must be a list of strings"},
		{"a duplicate", `{"toolcrib": {}, "pool": [{"learn": true}, {"learn": true}]}`, "declared twice"},
		{"deep brackets", `{"toolcrib": ` + strings.Repeat("[", 100_000), "nest deeper"},
		{"deep brackets after a fault", `{"toolcrib": {} ` + strings.Repeat("[", 100_000), "nest deeper"},
		{"deep templates", `{"toolcrib": {}, "pool": {"learn": "` + strings.Repeat("${[", 5000) + `"}}`, "nest deeper"},
		{"a huge number", `{"toolcrib": {}, "pool": {"visible_tokens": 1e99999}}`, "exponent"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := load(write(t, map[string]string{"config.hcl.json": test.text}), ".")
			if len(diags) != 1 || !strings.Contains(diags[0].Summary+" "+diags[0].Detail, test.want) {
				t.Errorf("want one fault with %q:\n%s", test.want, text(diags))
			}
		})
	}
}

func TestTwoConfigurationsInOneFolder(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string // both files are named
		error bool
	}{
		{"of the workspace", []string{"config.hcl", "config.hcl.json"}, "config.hcl and config.hcl.json are the same", true},
		{"of the workspace's folder", []string{".toolcrib/config.hcl", ".toolcrib/config.hcl.json"}, ".toolcrib/config.hcl and .toolcrib/config.hcl.json", true},
		{"of the person", []string{"home/user.hcl", "home/user.hcl.json"}, "home/user.hcl and home/user.hcl.json", true},
		{"local ones", []string{"config.hcl", "config.local.hcl", "config.local.hcl.json"}, "config.local.hcl and config.local.hcl.json", true},
		{"in two places", []string{"config.hcl", ".toolcrib/config.hcl"}, ".toolcrib/config.hcl is there as well", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			files := make(map[string]string)
			for _, name := range test.files {
				files[name] = "toolcrib {}\n"
				if strings.HasSuffix(name, ".json") {
					files[name] = `{"toolcrib": {}}`
				}
			}
			_, diags := load(write(t, files), ".")
			if len(diags) != 1 || !strings.Contains(diags[0].Detail, test.want) || diags.HasErrors() != test.error {
				t.Errorf("want one diagnostic with %q:\n%s", test.want, text(diags))
			}
		})
	}
}
