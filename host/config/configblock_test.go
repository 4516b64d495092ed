package config_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

const schema = `{
  "type": "object",
  "additionalProperties": false,
  "required": ["name"],
  "properties": {
    "name":    {"type": "string", "description": "what it is called"},
    "timeout": {"type": "string"},
    "level":   {"type": "string", "enum": ["low", "high"]},
    "count":   {"type": "integer", "minimum": 1},
    "ratio":   {"type": ["null", "number"]},
    "on":      {"type": "boolean"},
    "tags":    {"type": ["null", "array"], "items": {"type": "string"}},
    "vars":    {"type": "object", "additionalProperties": {"type": "string"}},
    "any":     {},
    "limits":  {"$ref": "#/$defs/limits"},
    "servers": {"type": "array", "items": {"type": "object", "required": ["url"], "additionalProperties": false,
                "properties": {"url": {"type": "string"}, "limits": {"$ref": "#/$defs/limits"}}}}
  },
  "$defs": {"limits": {"type": "object", "additionalProperties": false, "properties": {"max_bytes": {"type": "integer", "maximum": 10}}}}
}`

// plugin loads a workspace with one plugin that has the config block.
func plugin(t testing.TB, block string) config.Plugin {
	t.Helper()
	indented := strings.ReplaceAll(strings.TrimSpace(block), "\n", "\n    ")
	c := mustLoad(t, write(t, map[string]string{"config.hcl": fmt.Sprintf(
		"toolcrib {}\nplugin \"words\" {\n  command = [\"./words\"]\n  config {\n    %s\n  }\n}\n", indented)}), ".")
	plugin, ok := c.Plugin("words")
	if !ok {
		t.Fatal("no plugin")
	}
	return plugin
}

func TestDecodeConfig(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"scalars", "name = \"a\"\ntimeout = \"2m\"\nlevel = \"low\"\ncount = 3\nratio = 0.5\non = true", `{"count":3,"level":"low","name":"a","on":true,"ratio":0.5,"timeout":"2m"}`},
		{"a list and an object of strings", "name = \"a\"\ntags = [\"x\", \"y\"]\nvars = { a = \"b\", \"c d\" = \"e\" }", `{"name":"a","tags":["x","y"],"vars":{"a":"b","c d":"e"}}`},
		{"a nested block", "name = \"a\"\nlimits {\n  max_bytes = 5\n}", `{"limits":{"max_bytes":5},"name":"a"}`},
		{"the same as an argument", "name = \"a\"\nlimits = { max_bytes = 5 }", `{"limits":{"max_bytes":5},"name":"a"}`},
		{"repeated blocks", "name = \"a\"\nservers {\n  url = \"u\"\n}\nservers {\n  url = \"v\"\n  limits {\n    max_bytes = 1\n  }\n}", `{"name":"a","servers":[{"url":"u"},{"limits":{"max_bytes":1},"url":"v"}]}`},
		{"the same as a list", "name = \"a\"\nservers = [{ url = \"u\" }]", `{"name":"a","servers":[{"url":"u"}]}`},
		{"any value", "name = \"a\"\nany = { a = [1, \"b\", { c = true }] }", `{"any":{"a":[1,"b",{"c":true}]},"name":"a"}`},
		{"null is not written", "name = \"a\"\ncount = null", `{"name":"a"}`},
		{"an expression", "name = \"a${1 + 1}\"\ntags = [for i in [1, 2] : \"t${i}\"]", `{"name":"a2","tags":["t1","t2"]}`},
		{"big numbers keep their digits", "name = \"a\"\nany = 12345678901234567890", `{"any":12345678901234567890,"name":"a"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, diags := plugin(t, test.block).DecodeConfig(json.RawMessage(schema))
			if len(diags) > 0 || string(got) != test.want {
				t.Errorf("DecodeConfig = %s\nwant %s\n%s", got, test.want, text(diags))
			}
		})
	}
}

func TestDecodeConfigRefuses(t *testing.T) {
	tests := []struct {
		name, block string
		line        int
		token, want string
	}{
		{"an unknown argument", "name = \"a\"\ntimout = \"2m\"", 6, "timout", `Did you mean "timeout"?`},
		{"an unknown argument of a nested block", "name = \"a\"\nlimits {\n  max_byts = 5\n}", 7, "max_byts", `Did you mean "max_bytes"?`},
		{"an unknown key of a written object", "name = \"a\"\nservers = [{ url = \"u\", limits = { max_byts = 5 } }]", 6, "max_byts", `Did you mean "max_bytes"?`},
		{"an unknown block", "name = \"a\"\nlimit {\n}", 6, "limit", `Did you mean "limits"?`},
		{"a missing argument", "count = 1", 4, "config", "Add an argument \"name\", as in name = ...: what it is called."},
		{"a missing argument of a block", "name = \"a\"\nservers {\n}", 6, "servers", `Add an argument "url"`},
		{"a number for a string", "name = 1.10", 5, "1.10", `Put it in quotes: "1.10".`},
		{"a string for a number", "name = \"a\"\ncount = \"3\"", 6, `"3"`, "It must be a whole number, and this is a string."},
		{"a fraction for a whole number", "name = \"a\"\ncount = 1.5", 6, "1.5", "It must be a whole number"},
		{"a wrong element", "name = \"a\"\ntags = [\"x\", 2]", 6, "2", "It must be a string"},
		{"a scalar for a list", "name = \"a\"\ntags = \"x\"", 6, `"x"`, "It must be a list"},
		{"a list for a scalar", "name = [\"a\"]", 5, `["a"]`, "It must be a string, and this is a list."},
		{"a wrong value of an object", "name = \"a\"\nvars = { a = 1 }", 6, "1", "It must be a string"},
		{"a value that is not listed", "name = \"a\"\nlevel = \"hihg\"", 6, `"hihg"`, `It must be one of "low" or "high". Did you mean "high"?`},
		{"a value out of range", "name = \"a\"\ncount = 0", 6, "0", "The plugin does not accept it: minimum"},
		{"a deep value out of range", "name = \"a\"\nservers {\n  url = \"u\"\n}\nservers {\n  url = \"v\"\n  limits {\n    max_bytes = 11\n  }\n}", 12, "11", "maximum"},
		{"a block twice", "name = \"a\"\nlimits {\n}\nlimits {\n}", 8, "limits", "The first block is at config.hcl:6."},
		{"a block and an argument", "name = \"a\"\nlimits = {}\nlimits {\n}", 7, "limits", "It is an argument at config.hcl:6"},
		{"a variable", "name = var.x", 5, "var", `No variable is called "x"`},
		{"an unknown function", "name = flie(\"x\")", 5, "flie", `Did you mean "file"?`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, diags := plugin(t, test.block).DecodeConfig(json.RawMessage(schema))
			if got != nil || len(diags) != 1 {
				t.Fatalf("DecodeConfig = %s, want one fault\n%s", got, text(diags))
			}
			d := diags[0]
			marked := string([]rune(d.Snippet)[d.Mark.Start:d.Mark.End])
			if d.Line != test.line || !strings.HasPrefix(marked, test.token) || !strings.Contains(d.Summary+" "+d.Detail, test.want) {
				t.Errorf("got line %d, mark %q:\n%s\nwant line %d, mark %q, %q", d.Line, marked, text(diags), test.line, test.token, test.want)
			}
		})
	}
}

func TestDecodeConfigWithoutABlock(t *testing.T) {
	stock, _ := mustLoad(t, write(t, nil), ".").Plugin("builtin")
	if got, diags := stock.DecodeConfig(nil); string(got) != "{}" || len(diags) > 0 {
		t.Errorf("without a schema = %s, %s", got, text(diags))
	}
	if got, diags := stock.DecodeConfig(json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}}}`)); string(got) != "{}" || len(diags) > 0 {
		t.Errorf("with nothing required = %s, %s", got, text(diags))
	}
	_, diags := stock.DecodeConfig(json.RawMessage(schema))
	if len(diags) != 1 || diags[0].File != "" || !strings.Contains(diags[0].Detail, `plugin "builtin" { config { ... } }`) {
		t.Errorf("with a required argument = %+v", diags)
	}
	if _, diags := plugin(t, "a = 1").DecodeConfig(nil); len(diags) != 1 || !strings.Contains(diags[0].Summary, "takes no configuration") || diags[0].Line != 4 {
		t.Errorf("a block without a schema = %s", text(diags))
	}
}

func TestAPluginsSchemaCannotHarm(t *testing.T) {
	for name, schema := range map[string]string{
		"no JSON":              `{`,
		"a reference to a URL": `{"$ref": "file:///etc/passwd"}`,
		"a list of itself":     `{"type":"object","properties":{"name":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"array","items":{"$ref":"#/$defs/a"}}}}`,
		"a circle":             `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"a missing reference":  `{"type":"object","properties":{"name":{"$ref":"#/$defs/none"}}}`,
		"not a schema":         `{"type":"object","properties":{"name":{"type":"strange"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			if got, diags := plugin(t, `name = "a"`).DecodeConfig(json.RawMessage(schema)); got != nil || !diags.HasErrors() {
				t.Errorf("DecodeConfig = %s, %s, want a fault", got, text(diags))
			}
		})
	}
}

func TestDiagnosticAtFindsTheValue(t *testing.T) {
	p := plugin(t, "name = \"a\"\nlimits {\n  max_bytes = 5\n}\nservers {\n  url = \"u\"\n}\nservers {\n  url = \"v\"\n}\nvars = { a = \"b\" }\ntags = [\"x\", \"y\"]")
	tests := []struct {
		path  string
		line  int
		token string
	}{
		{"name", 5, `"a"`},
		{"limits", 6, "limits"},
		{"limits/max_bytes", 7, "5"},
		{"limits/other", 6, "limits"},
		{"servers/1/url", 13, `"v"`},
		{"servers/0", 9, "servers"},
		{"vars/a", 15, `"b"`},
		{"vars/z", 15, `{ a = "b" }`},
		{"tags/1", 16, `"y"`},
		{"nothing", 4, "config"},
		{"", 4, "config"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			var path []string
			if test.path != "" {
				path = strings.Split(test.path, "/")
			}
			d := p.DiagnosticAt(path, config.Error, "s", "d")
			if marked := string([]rune(d.Snippet)[d.Mark.Start:d.Mark.End]); d.Line != test.line || marked != test.token {
				t.Errorf("DiagnosticAt = line %d, mark %q, want line %d, mark %q", d.Line, marked, test.line, test.token)
			}
		})
	}
}

func TestConfigDigestIgnoresLayout(t *testing.T) {
	a := plugin(t, "name = \"a\"\nlimits {\n  max_bytes = 5\n}")
	b := plugin(t, "# a comment\nlimits {\n  max_bytes   =   5\n}\nname = \"a\"")
	c := plugin(t, "name = \"a\"\nlimits {\n  max_bytes = 6\n}")
	if a.ConfigDigest() != b.ConfigDigest() {
		t.Error("the layout changes the digest")
	}
	if a.ConfigDigest() == c.ConfigDigest() || a.ConfigDigest() == "" {
		t.Error("a value does not change the digest")
	}
}
