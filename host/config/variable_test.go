package config_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

// one loads a workspace with a plugin whose environment has V = expr, and
// returns its value.
func one(t *testing.T, declarations, expr string, vars, env map[string]string) (string, config.Diagnostics) {
	t.Helper()
	root := write(t, map[string]string{
		"config.hcl":    fmt.Sprintf("toolcrib {}\n%s\nplugin \"p\" {\n  command = [\"p\"]\n  env = { V = %s }\n}\n", declarations, expr),
		"notes/a.txt":   "text\n",
		"home/user.hcl": "environment {\n  allow = [\"MY_*\"]\n}\n",
	})
	c, diags := loadWith(root, ".", nil, vars, env)
	p, _ := c.Plugin("p")
	return strings.ReplaceAll(p.Env["V"], root, "ROOT"), diags
}

func TestVariables(t *testing.T) {
	const lang = "variable \"lang\" {\n  default = \"en\"\n}"
	tests := []struct {
		name, declarations, expr string
		vars, env                map[string]string
		want                     string
	}{
		{"the default", lang, "var.lang", nil, nil, "en"},
		{"the environment holds against the default", lang, "var.lang", nil, map[string]string{"TOOLCRIB_VAR_lang": "de"}, "de"},
		{"the command line holds against both", lang, "var.lang", map[string]string{"lang": "fr"}, map[string]string{"TOOLCRIB_VAR_lang": "de"}, "fr"},
		{"without a default it must be given", "variable \"lang\" {}", "var.lang", map[string]string{"lang": "fr"}, nil, "fr"},
		{"text is not read as HCL", lang, "var.lang", map[string]string{"lang": "${1"}, nil, "${1"},
		{"a default that is a list wants a list", "variable \"l\" {\n  default = [\"a\"]\n}", "join(\",\", var.l)", map[string]string{"l": `["x", "y"]`}, nil, "x,y"},
		{"a default that is a number wants a number", "variable \"n\" {\n  default = 1\n}", `"n${var.n + 1}"`, map[string]string{"n": "41"}, nil, "n42"},
		{"a default made of another", lang + "\nvariable \"up\" {\n  default = upper(var.lang)\n}", "var.up", nil, nil, "EN"},
		{"env in a default", "variable \"h\" {\n  default = env(\"HOME\")\n}", "var.h", nil, map[string]string{"HOME": "/h"}, "/h"},
		{"env of what the person allows", "variable \"h\" {\n  default = env(\"MY_KEY\")\n}", "var.h", nil, map[string]string{"MY_KEY": "k"}, "k"},
		{"a value that is given instead of one that env may not read", "variable \"h\" {\n  default = env(\"GITHUB_TOKEN\")\n}", "var.h", map[string]string{"h": "x"}, nil, "x"},
		{"env of nothing is empty", "variable \"h\" {\n  default = env(\"MY_KEY\")\n}", `"<${var.h}>"`, nil, nil, "<>"},
		{"the workspace", "", "path.workspace", nil, nil, "ROOT"},
		{"the file's folder", "", "path.config", nil, nil, "ROOT"},
		{"a file", "", `trimspace(file("notes/a.txt"))`, nil, nil, "text"},
		{"a file by its whole path", "", `trimspace(file("${path.workspace}/notes/a.txt"))`, nil, nil, "text"},
		{"the person's home", "", `pathexpand("~/x")`, nil, map[string]string{"HOME": "/h"}, "/h/x"},
		{"try", "", `try(jsondecode("{"), "none")`, nil, nil, "none"},
		{"can", "", `can(jsondecode("{")) ? "yes" : "no"`, nil, nil, "no"},
		{"coalesce", "", `coalesce("", null, "a")`, nil, nil, ""},
		{"JSON", "", `jsondecode("{\"a\":[\"b\"]}").a[0]`, nil, nil, "b"},
		{"other functions", "", `format("%s-%s", basename(dirname("/a/b/c")), replace(lower("AxA"), "x", join("", split(",", "1,2"))))`, nil, nil, "b-a12a"},
		{"merge and concat", "", `jsonencode(merge({ a = concat([1], [2]) }, { b = 3 }))`, nil, nil, `{"a":[1,2],"b":3}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, diags := one(t, test.declarations, test.expr, test.vars, test.env)
			if got != test.want || len(diags) > 0 {
				t.Errorf("value = %q, want %q\n%s", got, test.want, text(diags))
			}
		})
	}
}

func TestFaultsOfVariables(t *testing.T) {
	tests := []struct {
		name, declarations, expr string
		vars, env                map[string]string
		want                     string
	}{
		{"env of a token", "variable \"h\" {\n  default = env(\"GITHUB_TOKEN\")\n}", "var.h", nil, map[string]string{"GITHUB_TOKEN": "s3cret"}, `environment { allow = ["GITHUB_TOKEN"] }`},
		{"env of a token that is never shown", "variable \"h\" {\n  sensitive = true\n  default = env(\"GITHUB_TOKEN\")\n}", "var.h", nil, map[string]string{"GITHUB_TOKEN": "s3cret"}, `environment { allow = ["GITHUB_TOKEN"] }`},
		{"a given value of the wrong type", "variable \"n\" {\n  default = 1\n}", "\"${var.n}\"", map[string]string{"n": "s3cret("}, nil, "--var n is no HCL"},
		{"a given value of another type", "variable \"n\" {\n  default = 1\n}", "\"${var.n}\"", nil, map[string]string{"TOOLCRIB_VAR_n": `"s3cret"`}, "TOOLCRIB_VAR_n must be a number"},
		{"a value for no variable", "variable \"lang\" {\n  default = \"\"\n}", "var.lang", map[string]string{"lnag": "s3cret"}, nil, `Did you mean "lang"?`},
		{"a file that is a folder", "", `file("notes")`, nil, nil, "not a regular file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, diags := one(t, test.declarations, test.expr, test.vars, test.env)
			if got := text(diags); len(diags) != 1 || !strings.Contains(got, test.want) || strings.Contains(got, "s3cret") {
				t.Errorf("want one fault with %q, and no value:\n%s", test.want, got)
			}
		})
	}
}

func TestWhatNeedsAFaultyVariableIsLeftOutWithoutASecondFault(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": `
toolcrib {}
variable "x" {}
plugin "p" {
  command = ["p", var.x]
  env     = { A = var.x, B = "b" }
}
plugin "q" {
  command = ["q"]
  load    = null
  tools   = null
}
policy { deny = ["Edit", "Read(${var.x})"] }
pool { visible_tokens = var.x }
`})
	c, diags := load(root, ".")
	if len(diags) != 1 || diags[0].Line != 3 {
		t.Errorf("want the one fault of the variable:\n%s", text(diags))
	}
	if p, ok := c.Plugin("p"); ok {
		t.Errorf("plugin = %+v, want none, and not half a command", p)
	}
	if _, ok := c.Plugin("q"); !ok || len(c.Policy.Rules) != 1 || c.Pool.VisibleTokens != 0 {
		t.Errorf("plugins = %+v, rules = %+v", c.Plugins, c.Policy.Rules)
	}
}

func TestAWorkspaceHasNoPartInTheVariablesOfThePerson(t *testing.T) {
	root := write(t, map[string]string{
		"home/user.hcl": "variable \"key\" {\n  default = env(\"KEY\")\n}\nplugin \"mine\" {\n  command = [\"mine\"]\n  env = { K = var.key }\n}\n",
		"w/config.hcl":  "toolcrib {}\nvariable \"key\" { default = \"theirs\" }\nplugin \"p\" {\n  command = [\"p\", var.key]\n}\n",
	})
	c, diags := loadWith(root, "w", nil, nil, map[string]string{"KEY": "k"})
	if len(diags) != 2 || diags[0].Summary != `Variable "key" is the person's own` || diags[0].Line != 2 || diags[1].Summary != `No variable is called "key"` {
		t.Errorf("want that the workspace neither declares nor reads it:\n%s", text(diags))
	}
	if mine, _ := c.Plugin("mine"); mine.Env["K"] != "k" {
		t.Errorf("environment = %v, want the person's", mine.Env)
	}
	if p, ok := c.Plugin("p"); ok {
		t.Errorf("plugin = %+v, want none", p)
	}
}

func TestSensitiveValuesAreNeverShown(t *testing.T) {
	const secret = "s3cret"
	for name, body := range map[string]string{
		"in a command":            `command = ["p", var.token]`,
		"in a command as a whole": `command = split(",", var.token)`,
		"in a rule":               "command = [\"p\"]\n}\npolicy {\n  deny = [\"Read(${var.token})\", { rule = \"Edit(x)\", match = [var.token] }]",
		"as a wrong type":         `command = var.token`,
		"as an unknown value":     "command = [\"p\"]\n  load = var.token",
		"as the load of a tool":   "command = [\"p\"]\n  tools = { a = var.token }",
		"as a name":               "command = [\"p\"]\n  env = { (var.token) = \"x\" }",
		"in a failing function":   "command = [\"p\"]\n  env = { A = jsondecode(var.token) }",
		"in a file's name":        "command = [\"p\"]\n  env = { A = file(var.token) }",
		"as a duration":           "command = [\"p\"]\n}\nhook \"h\" {\n  event = \"stop\"\n  command = [\"h\"]\n  timeout = var.token",
		"made into another":       "command = [\"p\", var.derived]",
		"in a faulty default":     "command = [\"p\"]\n}\nvariable \"x\" {\n  sensitive = true\n  default = jsondecode(\"s3cret\")",
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, map[string]string{"config.hcl": "toolcrib {}\nvariable \"token\" {\n  sensitive = true\n}\nvariable \"derived\" {\n  default = upper(var.token)\n}\nplugin \"p\" {\n  " + body + "\n}\n"})
			c, diags := loadWith(root, ".", nil, nil, map[string]string{"TOOLCRIB_VAR_token": secret})
			asJSON, err := json.Marshal([]any{diags, c.Values()})
			if err != nil {
				t.Fatal(err)
			}
			shown := strings.ToLower(text(diags) + string(asJSON))
			if !diags.HasErrors() || strings.Contains(shown, secret) {
				t.Errorf("want faults that do not tell the secret:\n%s%s", text(diags), asJSON)
			}
		})
	}
}

func TestSensitiveValuesReachPlugins(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": `
toolcrib {}
variable "token" {
  sensitive = true
}
plugin "p" {
  command = ["p"]
  env     = { TOKEN = "Bearer ${var.token}" }
  config {
    name  = var.token
    level = "low"
  }
}
`})
	with := func(token string) (config.Plugin, *config.Config) {
		c, diags := loadWith(root, ".", nil, map[string]string{"token": token}, nil)
		if len(diags) > 0 {
			t.Fatalf("Load:\n%s", text(diags))
		}
		p, _ := c.Plugin("p")
		return p, c
	}
	p, c := with("s3cret")
	if p.Env["TOKEN"] != "Bearer s3cret" {
		t.Errorf("environment = %v", p.Env)
	}
	if got, diags := p.DecodeConfig([]byte(schema)); string(got) != `{"level":"low","name":"s3cret"}` {
		t.Errorf("config = %s\n%s", got, text(diags))
	}
	for _, schema := range []string{
		`{"type":"object","properties":{"name":{"type":"integer"},"level":{}}}`,
		`{"type":"object","properties":{"name":{"type":"string","enum":["a"]},"level":{}}}`,
		`{"type":"object","properties":{"name":{"type":"string","pattern":"^a"},"level":{}}}`,
		`{"type":"object","properties":{"name":{"type":"string","format":"x","const":"a"},"level":{}}}`,
	} {
		if _, diags := p.DecodeConfig([]byte(schema)); len(diags) != 1 || strings.Contains(text(diags), "s3cret") || !strings.Contains(text(diags), "var.token is (sensitive)") {
			t.Errorf("with %s, want one fault without the secret:\n%s", schema, text(diags))
		}
	}
	if d := p.DiagnosticAt([]string{"name"}, config.Error, "Bad", "s3cret is no token"); strings.Contains(d.Detail, "s3cret") {
		t.Errorf("what the plugin says is shown: %q", d.Detail)
	}
	other, changed := with("another")
	if p.ConfigDigest() == other.ConfigDigest() || c.Digest() == changed.Digest() {
		t.Error("the digests do not change with the secret")
	}
}

func TestFaultsShowTheValuesOfVariables(t *testing.T) {
	_, diags := load(write(t, map[string]string{"config.hcl": "toolcrib {}\nvariable \"lang\" {\n  default = \"en\"\n}\nplugin \"p\" {\n  command = [\"p\", jsondecode(var.lang)]\n}\n"}), ".")
	want := `Error: The function jsondecode fails

  on config.hcl line 6:
  6:   command = ["p", jsondecode(var.lang)]
                       ^^^^^^^^^^^
  var.lang is "en"

`
	if got := text(diags); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	asJSON, err := json.Marshal(diags[0].Values)
	if err != nil || string(asJSON) != `[{"name":"var.lang","value":"\"en\""}]` {
		t.Errorf("values = %s, %v", asJSON, err)
	}
}
