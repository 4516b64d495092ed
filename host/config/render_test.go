package config_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

func TestRender(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\npolicy {\n\taproval_mode = \"auto\" # \x1b[31mred\n  deny = [\"Bash(日本\", \"Edit\"]\n}\n"})
	_, diags := load(root, ".")
	want := `Error: Unsupported argument

  on config.hcl line 3:
  3:     aproval_mode = "auto" # ␛[31mred
         ^^^^^^^^^^^^

An argument named "aproval_mode" is not expected here. Did you mean "approval_mode"?

Error: Invalid rule

  on config.hcl line 4:
  4:   deny = ["Bash(日本", "Edit"]
               ^^^^^^^^^^^

In "Bash(日本", its parenthesis is not closed. To mend it, end the rule with ).
`
	if got := text(diags); got != want {
		t.Errorf("Render:\n%s\nwant:\n%s", got, want)
	}
}

func TestRenderColorsOnlyWhenAsked(t *testing.T) {
	diags := config.Diagnostics{{Severity: config.Warning, Summary: "s", Detail: "d", Line: 1, File: "f", Snippet: "abc", Mark: &config.Mark{Start: 1, End: 2}}}
	if strings.Contains(text(diags), "\x1b") {
		t.Error("colour that nobody asked for")
	}
	var b strings.Builder
	if err := diags.Render(&b, true); err != nil || !strings.Contains(b.String(), "\x1b[1;33mWarning:") {
		t.Errorf("Render = %q, %v", b.String(), err)
	}
}

func TestDiagnosticAsJSON(t *testing.T) {
	_, diags := load(write(t, map[string]string{"config.hcl": "toolcrib {}\npolicy {\n  ask = [\"(\"]\n}\n"}), ".")
	got, err := json.Marshal(diags)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"severity":"error","summary":"Invalid rule","detail":"In \"(\", the tool's name is missing. To mend it, write it before the parenthesis, as in Bash(ls *).",` +
		`"file":"config.hcl","line":3,"column":10,"snippet":"  ask = [\"(\"]","mark":{"start":9,"end":12}}]`
	if string(got) != want {
		t.Errorf("JSON = %s\nwant   %s", got, want)
	}
}
