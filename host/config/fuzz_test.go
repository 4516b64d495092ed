package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/json"

	"github.com/toolcrib/toolcrib/host/config"
)

// FuzzLoad loads a workspace's file. It must not panic, and what does not take
// effect must be told.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/diagnostics/*.hcl")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, block := range config.Blocks() {
		f.Add([]byte(block.Example))
	}
	f.Add([]byte("toolcrib {}\nplugin \"words\" {\n  command = [\"./w\"]\n  config {\n    limits {\n      max = 1\n    }\n  }\n}\n"))
	f.Add([]byte("toolcrib {}\nplugin \"w\" {\n  command = [\"w\"]\n  env = { for k in [\"a\"]: k => k }\n}\n"))
	f.Add([]byte("x = <<EOF\n${a}\nEOF\n"))
	f.Add([]byte("variable \"a\" {\n  default = [for i in [1, 2]: { x = i }]\n  sensitive = true\n}\nplugin \"w\" {\n  command = [\"w\"]\n  env = merge({ A = try(var.a[5].x, \"none\") }, { B = jsonencode(var.a) })\n  config {\n    name = file(\"x\")\n  }\n}\n"))
	fuzzFile(f, "config.hcl")
}

// FuzzLoadJSON is FuzzLoad for HCL's JSON syntax.
func FuzzLoadJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[]`, `{"toolcrib": {"required_version": ">= 0.1"}}`, `{"policy": [{"deny": ["Edit"]}, {"ask": ["Bash(x)"]}]}`,
		`{"variable": {"a": {"default": "${upper(\"x\")}", "sensitive": true}}, "plugin": {"p": {"command": ["p"], "env": {"A": "${var.a}"}, "config": {"name": "${path.workspace}", "servers": [{"url": "u"}]}}}}`,
		`{"hook": {"h": [{"event": "stop", "command": ["h"], "timeout": "5s"}]}, "//": "comment", "pool": {"visible_tokens": 1.5}}`,
		`{"plugin": {"p": null, "q": [null], "r": {"config": [[{}]]}}}`, "{\"a\": \"%{for x in", `{"environment": {"allow": ["A"]}}`,
		`{"toolcrib": {}, "variable": {` + doublings() + `}}`, `{"plugin": {"w": {"command": ["w"], "config": {"${` + loops() + `}": ["${` + loops() + `}"]}}}}`,
	} {
		f.Add([]byte(seed))
	}
	fuzzFile(f, "config.hcl.json")
}

func fuzzFile(f *testing.F, name string) {
	root := write(f, map[string]string{".toolcrib/.keep": ""})
	path := filepath.Join(root, ".toolcrib", name)
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		c, diags := loadWith(root, ".", nil, nil, map[string]string{"HOME": "/h"})
		checkLoaded(t, c, diags)
		if len(diags) > 0 {
			return
		}
		if lost := withoutEffect(text, name, c); lost != "" {
			t.Errorf("%s has no effect, and nothing says so", lost)
		}
	})
}

// FuzzSet loads a setting from the command line.
func FuzzSet(f *testing.F) {
	for _, seed := range []string{
		`policy.approval_mode="recommend"`, `plugin.words.command=["./x"]`, `plugin.words.config.a.b=1`, `variable.x.default=env("HOME")`,
		`plugin["words"].load="always"`, `a.b[0]=1`, `a=`, `=`, `hook.h.event="stop"`, "pool.learn=var.x\n", `policy.deny=["${`,
		"plugin.words.config.a.b=" + loops(),
	} {
		f.Add(seed)
	}
	root := write(f, map[string]string{"config.hcl": "toolcrib {}\nplugin \"words\" {\n  command = [\"words\"]\n}\n"})
	f.Fuzz(func(t *testing.T, text string) {
		c, diags := loadWith(root, ".", []string{text}, nil, nil)
		checkLoaded(t, c, diags)
	})
}

// checkLoaded checks that what was accepted can be used, and that diagnostics can
// be shown.
func checkLoaded(t *testing.T, c *config.Config, diags config.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		if d.Severity == "" || d.Summary == "" || d.Mark != nil && d.Mark.Start >= d.Mark.End {
			t.Errorf("incomplete diagnostic: %+v", d)
		}
	}
	_ = text(diags)
	for _, plugin := range c.Plugins {
		if !plugin.Bundled && len(plugin.Command) == 0 {
			t.Errorf("plugin %q has no command", plugin.Name)
		}
		plugin.ConfigDigest()
		if got, faults := plugin.DecodeConfig([]byte(schema)); (got == nil) != faults.HasErrors() {
			t.Errorf("DecodeConfig = %s with faults:\n%s", got, text(faults))
		}
		plugin.DiagnosticAt([]string{"servers", "0", "url"}, config.Error, "s", "d")
	}
	for _, hook := range c.Hooks {
		if hook.Event == "" || len(hook.Command) == 0 {
			t.Errorf("hook = %+v, want an event and a command", hook)
		}
	}
	_ = c.Digest()
	_ = c.Values()
	if len(c.Restricted().Hooks) > 0 {
		t.Error("a workspace that is not trusted has hooks")
	}
}

// withoutEffect names an argument of a file that no value comes from.
func withoutEffect(text []byte, name string, c *config.Config) string {
	text = []byte(strings.TrimPrefix(string(text), "\ufeff"))
	parse := func() (*hcl.File, hcl.Diagnostics) { return hclsyntax.ParseConfig(text, name, hcl.InitialPos) }
	if strings.HasSuffix(name, ".json") {
		parse = func() (*hcl.File, hcl.Diagnostics) { return json.Parse(text, name) }
	}
	file, found := parse()
	if found.HasErrors() {
		return "a file that does not parse"
	}
	schema := &hcl.BodySchema{}
	for _, block := range config.Blocks() {
		header := hcl.BlockHeaderSchema{Type: block.Type}
		if block.Label != "" {
			header.LabelNames = []string{block.Label}
		}
		schema.Blocks = append(schema.Blocks, header)
	}
	content, found := file.Body.Content(schema)
	if found.HasErrors() {
		return found.Error()
	}
	for _, block := range content.Blocks {
		if block.Type == "variable" {
			continue // their values may come from elsewhere
		}
		attributes, _ := block.Body.JustAttributes()
		for _, attribute := range attributes {
			path := strings.Join(slices.Concat([]string{block.Type}, block.Labels, []string{attribute.Name}), ".")
			value, found := attribute.Expr.Value(nil)
			if found.HasErrors() || value.IsNull() || !value.IsKnown() || value.CanIterateElements() && value.LengthInt() == 0 {
				continue
			}
			if !slices.ContainsFunc(c.Values(), func(v config.Value) bool { return under(v, path) && v.Layer == config.LayerWorkspace }) {
				return fmt.Sprintf("%s = %#v", path, value)
			}
		}
	}
	return ""
}

func under(v config.Value, path string) bool {
	rest, ok := strings.CutPrefix(v.Path, path)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
