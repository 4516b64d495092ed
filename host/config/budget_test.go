package config_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The files testdata/diagnostics/budget_*.hcl have what is too large in HCL's
// native syntax.

const tooLarge = "The value is too large"

// loops is an expression of loops inside of each other, with a million elements.
func loops() string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "[for x%d in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : ", i)
	}
	return b.String() + "1" + strings.Repeat("]", 6)
}

// doublings are variables in HCL's JSON syntax, of which each is a text that is
// twice the one before.
func doublings() string {
	variables := []string{`"v0": {"default": "xxxxxxxxxx"}`}
	for i := 1; i <= 24; i++ {
		variables = append(variables, fmt.Sprintf(`"v%d": {"default": "${var.v%d}${var.v%d}"}`, i, i-1, i-1))
	}
	return strings.Join(variables, ", ")
}

func TestWhatIsTooLargeInJSONIsOneFault(t *testing.T) {
	tests := map[string]string{
		"texts that double":         `{"toolcrib": {}, "variable": {` + doublings() + `}}`,
		"loops in a text":           `{"toolcrib": {}, "variable": {"x": {"default": "${` + loops() + `}"}}}`,
		"loops in a list":           `{"toolcrib": {}, "variable": {"x": {"default": [1, ["${` + loops() + `}"]]}}}`,
		"loops in a key":            `{"toolcrib": {}, "variable": {"x": {"default": {"a${jsonencode(` + loops() + `)}": 1}}}}`,
		"loops in an environment":   `{"toolcrib": {}, "plugin": {"w": {"command": ["w"], "env": {"A": "${jsonencode(` + loops() + `)}"}}}}`,
		"loops in a plugin's block": `{"toolcrib": {}, "plugin": {"w": {"command": ["w"], "config": {"any": {"a": ["${` + loops() + `}"]}}}}}`,
		"many that are large":       `{"toolcrib": {}, "variable": {"v": {"default": "` + strings.Repeat("x", 100_000) + `"}}, "plugin": {"w": {"command": ["w"], "config": {"any": ["${var.v}"` + strings.Repeat(`, "${var.v}"`, 200) + `]}}}}`,
	}
	for name, file := range tests {
		t.Run(name, func(t *testing.T) {
			c, diags := load(write(t, map[string]string{"config.hcl.json": file}), ".")
			if len(diags) != 1 || diags[0].Summary != tooLarge || diags[0].Line != 1 {
				t.Errorf("want one fault:\n%s", text(diags))
			}
			checkLoaded(t, c, nil)
		})
	}
}

// The same file of the same plugin is read again whenever the plugin starts, or
// its trust is asked for.
func TestAConfigBlockThatIsNotTooLargeIsReadAgainAndAgain(t *testing.T) {
	p := plugin(t, "name = \"a\"\nany = [for x in [1, 2, 3] : [for y in [1, 2, 3] : x * y]]\nvars = { for k in split(\" \", \"a b\") : k => upper(k) }")
	first := p.ConfigDigest()
	for range 3 {
		got, diags := p.DecodeConfig(json.RawMessage(schema))
		if want := `{"any":[[1,2,3],[2,4,6],[3,6,9]],"name":"a","vars":{"a":"A","b":"B"}}`; string(got) != want || len(diags) > 0 {
			t.Fatalf("DecodeConfig = %s\n%s", got, text(diags))
		}
		if p.ConfigDigest() != first {
			t.Fatal("the digest changes when it is asked for again")
		}
	}
}

// A plugin with a config block that is too large does not start with half of it.
func TestAPluginHasNoConfigBlockThatIsTooLarge(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\nplugin \"w\" {\n  command = [\"w\"]\n  config {\n    name = \"a\"\n    any = " + loops() + "\n  }\n}\n"})
	c, diags := load(root, ".")
	if len(diags) != 1 || diags[0].Summary != tooLarge || diags[0].Line != 6 {
		t.Errorf("want one fault at line 6:\n%s", text(diags))
	}
	p, ok := c.Plugin("w")
	if !ok || p.HasConfig() {
		t.Fatalf("plugin = %+v, %v, want it without a config block", p, ok)
	}
	if got, faults := p.DecodeConfig(json.RawMessage(schema)); got != nil || !faults.HasErrors() {
		t.Errorf("DecodeConfig = %s, want a fault", got)
	}
}

func TestSettingsOfTheCommandLineMayBeTooLarge(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\nvariable \"list\" {\n  default = [1]\n}\nplugin \"w\" {\n  command = [\"w\"]\n}\n"})
	for name, set := range map[string]string{
		"a command":        `plugin.w.command=[jsonencode(` + loops() + `)]`,
		"a plugin's block": `plugin.w.config.a.b=` + loops(),
	} {
		t.Run(name, func(t *testing.T) {
			if _, diags := loadWith(root, ".", []string{set}, nil, nil); len(diags) != 1 || diags[0].Summary != tooLarge || diags[0].File != "--set" {
				t.Errorf("want one fault:\n%s", text(diags))
			}
		})
	}
	if _, diags := loadWith(root, ".", nil, map[string]string{"list": loops()}, nil); len(diags) != 1 || !strings.Contains(diags[0].Detail, "too large") {
		t.Errorf("--var: want one fault:\n%s", text(diags))
	}
}

func TestAWorkspaceCannotUseUpWhatThePersonsFilesMayTake(t *testing.T) {
	root := write(t, map[string]string{
		"home/user.hcl": "variable \"tool\" {\n  default = \"Edit\"\n}\npolicy {\n  deny = [format(\"%s\", \"Bash\"), \"${var.tool}\"]\n}\n",
		"config.hcl":    "toolcrib {}\nvariable \"x\" {\n  default = " + loops() + "\n}\npolicy {\n  deny = [\"Write\", upper(\"y\")]\n}\n",
	})
	c, diags := load(root, ".")
	if len(diags) != 1 || diags[0].Summary != tooLarge {
		t.Errorf("want one fault:\n%s", text(diags))
	}
	var rules []string
	for _, rule := range c.Policy.Rules {
		rules = append(rules, rule.Text)
	}
	// What is written out takes nothing.
	if got := strings.Join(rules, " "); got != "Bash Edit Write" {
		t.Errorf("rules = %s, want those of the person, and the workspace's that is written out", got)
	}
}

// Of a value with a fault inside of a function that tries, the next is taken;
// of one that is too large none is.
func TestWhatIsTooLargeCannotBeTried(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\nvariable \"x\" {\n  default = try([1][5], \"next\")\n}\nvariable \"y\" {\n  default = try(" + loops() + ", \"next\")\n}\n"})
	_, diags := load(root, ".")
	if len(diags) != 1 || diags[0].Line != 6 {
		t.Errorf("want one fault at line 6:\n%s", text(diags))
	}
}

// Names are not compared when they are so many that it would take minutes.
func TestThousandsOfWrongNamesAreToldWithoutSuggestions(t *testing.T) {
	var file strings.Builder
	file.WriteString("toolcrib {}\n")
	for i := range 3000 {
		fmt.Fprintf(&file, "variable \"known%d\" {\n  default = 1\n}\nvariable \"b%d\" {\n  default = var.knwn%d\n}\n", i, i, i)
	}
	_, diags := load(write(t, map[string]string{"config.hcl": file.String()}), ".")
	if len(diags) != 3000 || strings.Contains(diags[0].Detail, "Did you mean") {
		t.Errorf("%d faults, want 3000 without a suggestion; the first is %+v", len(diags), diags[0])
	}
}
