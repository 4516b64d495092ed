package foreign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/policy/foreign"
)

const codexRules = `# Rules of a person
prefix_rule(
    pattern = ["git", ["push", "fetch"]],
    decision = "prompt",
    justification = "it talks to others",
)
prefix_rule(pattern=["rm"], decision='forbidden', match=["rm x", ["rm", "-rf", "a b"]], not_match=["ls"])
prefix_rule(pattern=["ls", "a b", "*"])
prefix_rule(pattern=["x"], decision="maybe")
host_executable(name = "git", paths = ["/usr/bin/git"])
`

func hcl(t *testing.T, rules *foreign.Rules) string {
	t.Helper()
	var out strings.Builder
	if err := rules.WriteHCL(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCodexRules(t *testing.T) {
	rules, err := foreign.Codex([]byte(codexRules))
	if err != nil {
		t.Fatal(err)
	}
	want := `policy {
  deny = [
    { rule = "Bash(rm *)", match = ["rm x", "rm -rf 'a b'"], not_match = ["ls"] },
  ]
  ask = [
    # it talks to others
    "Bash(git push *)",
    # it talks to others
    "Bash(git fetch *)",
  ]
  allow = [
    "Bash(ls 'a b' '*' *)",
  ]
}

# These have no equal, and are left out:
#   line 9: the decision "maybe" is unknown
#   line 10: host_executable(...) has no rule that is like it
`
	if got := hcl(t, rules); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestClaudeSettings(t *testing.T) {
	rules, err := foreign.Claude([]byte(`{"model": "x", "permissions": {
		"allow": ["Bash(npm run test:*)", "Write(src/**)", "Read(~/${x}/**)"], "ask": ["Bash(git push:*)"], "deny": ["Read(./.env)"],
		"defaultMode": "acceptEdits", "additionalDirectories": ["/data"]}, "hooks": {"Stop": []}}`))
	if err != nil {
		t.Fatal(err)
	}
	got := hcl(t, rules)
	for _, part := range []string{`"Read(./.env)",`, `"Bash(git push:*)",`, `"Bash(npm run test:*)",`, `"Read(~/$${x}/**)",`,
		"#   allow Write(src/**): ", "#   additionalDirectories /data: ", "#   defaultMode acceptEdits: ", "#   hooks of Stop: "} {
		if !strings.Contains(got, part) {
			t.Errorf("%q is missing in:\n%s", part, got)
		}
	}
}

func TestWhatIsWrittenLoads(t *testing.T) {
	rules, err := foreign.Codex([]byte(codexRules))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.hcl"), []byte("toolcrib {}\n"+hcl(t, rules)), 0o644); err != nil {
		t.Fatal(err)
	}
	loaded, diags := config.Load(dir, config.Options{UserFile: filepath.Join(dir, "none.hcl")})
	if len(diags) > 0 || len(loaded.Policy.Rules) != 4 {
		t.Errorf("%d rules and %v, want 4 and no findings", len(loaded.Policy.Rules), diags)
	}
}

func TestCodexRefuses(t *testing.T) {
	for _, text := range []string{"x = 1", "prefix_rule(pattern", "prefix_rule(pattern=[1])", `prefix_rule(pattern=["a)`, "def f(): pass", `f("a")`, `f(a=["b" "c"])`} {
		if _, err := foreign.Codex([]byte(text)); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("Codex(%q) = %v, want an error with its line", text, err)
		}
	}
	if _, err := foreign.Claude([]byte("[]")); err == nil {
		t.Error("Claude reads a list")
	}
}

// FuzzCodex checks that what is read can be written and is then a policy block
// that loads without errors.
func FuzzCodex(f *testing.F) {
	f.Add(codexRules)
	f.Add(`prefix_rule(pattern=["a\n${b}", ["c", "d%{e}"]], match=["\"x\""])`)
	f.Add("f(a=[[[[]]]],)")
	f.Add(`f(a="""x""", b='''y''')`)
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := foreign.Codex([]byte(text))
		if err != nil {
			return
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "config.hcl"), []byte("toolcrib {}\n"+hcl(t, rules)), 0o644); err != nil {
			t.Fatal(err)
		}
		_, diags := config.Load(dir, config.Options{UserFile: filepath.Join(dir, "none.hcl")})
		if diags.HasErrors() {
			t.Errorf("%q becomes %s, which has errors: %+v", text, hcl(t, rules), diags)
		}
	})
}
