package config_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/policy"
)

// write makes files below a new folder, and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	// Where the temporary folder is a link, the workspace is not.
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// load reads root with user.hcl there as the person's file.
func load(root, dir string) (*config.Config, config.Diagnostics) {
	return config.Load(filepath.Join(root, dir), config.Options{
		UserFile: filepath.Join(root, "home", "user.hcl"), Version: "0.3.0-dev",
	})
}

func mustLoad(t testing.TB, root, dir string) *config.Config {
	t.Helper()
	c, diags := load(root, dir)
	if len(diags) > 0 {
		t.Fatalf("Load found faults:\n%s", text(diags))
	}
	return c
}

func text(diags config.Diagnostics) string {
	var b strings.Builder
	if err := diags.Render(&b, false); err != nil {
		return err.Error()
	}
	return b.String()
}

var marker = regexp.MustCompile(`#@diag\(("(?:[^"\\]|\\.)*")\)`)

// TestDiagnostics reads every file of testdata/diagnostics. A comment
// #@diag("text") says that there is a diagnostic at its line whose summary or
// detail contains the text; there are no others. A plugin that is called checked
// has the schema of the tests.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/diagnostics/*.hcl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".hcl"), func(t *testing.T) {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for i, line := range strings.Split(string(source), "\n") {
				for _, match := range marker.FindAllStringSubmatch(line, -1) {
					expected, err := strconv.Unquote(match[1])
					if err != nil {
						t.Fatal(err)
					}
					want = append(want, fmt.Sprintf("%d: %s", i+1, expected))
				}
			}
			c, diags := load(write(t, map[string]string{"config.hcl": string(source)}), ".")
			if checked, ok := c.Plugin("checked"); ok {
				_, faults := checked.DecodeConfig(json.RawMessage(schema))
				diags = append(diags, faults...)
			}
			for _, d := range diags {
				if d.File != "config.hcl" || d.Mark == nil || d.Mark.Start >= d.Mark.End {
					t.Errorf("diagnostic without a place: %+v", d)
				}
				i := slices.IndexFunc(want, func(w string) bool {
					line, expected, _ := strings.Cut(w, ": ")
					return line == strconv.Itoa(d.Line) && strings.Contains(d.Summary+"\n"+d.Detail, expected)
				})
				if i < 0 {
					t.Errorf("unexpected:\n%s", text(config.Diagnostics{d}))
					continue
				}
				want = slices.Delete(want, i, i+1)
			}
			for _, missing := range want {
				t.Errorf("no diagnostic at line %s\ngot:\n%s", missing, text(diags))
			}
		})
	}
}

func TestABadRuleDoesNotVoidTheOthers(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "toolcrib {}\npolicy {\n  deny = [\n    \"Bash(rm\",\n    \"Edit\",\n  ]\n}\npolicy {\n  deny = [\"Write\"]\n}\n"})
	c, diags := load(root, ".")
	if !diags.HasErrors() {
		t.Error("no errors")
	}
	var got []string
	for _, rule := range c.Policy.Rules {
		got = append(got, rule.String())
	}
	if want := []string{"Edit (config.hcl:5)", "Write (config.hcl:9)"}; !slices.Equal(got, want) {
		t.Errorf("rules = %q, want %q", got, want)
	}
}

func TestWorkspaceIsTheNearestAncestorWithAFile(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a config.hcl with a toolcrib block", map[string]string{"a/config.hcl": "toolcrib {}"}, "a"},
		{"a .toolcrib folder, with or without the block", map[string]string{"a/.toolcrib/config.hcl": ""}, "a"},
		{"the nearest of two", map[string]string{"config.hcl": "toolcrib {}", "a/b/config.hcl": "toolcrib {\n}"}, "a/b"},
		{"a config.hcl of another program is none", map[string]string{"a/b/config.hcl": "listener \"tcp\" {}", "a/config.hcl": "toolcrib {}"}, "a"},
		{"one that does not parse is one", map[string]string{"a/config.hcl": "toolcrib {\n"}, "a"},
		{"without a file the folder itself", nil, "a/b/c"},
		{"the person's own file is none", map[string]string{"home/user.hcl": "toolcrib {}"}, "a/b/c"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, test.files)
			if err := os.MkdirAll(filepath.Join(root, "a/b/c"), 0o755); err != nil {
				t.Fatal(err)
			}
			c, _ := load(root, "a/b/c")
			if want := filepath.Join(root, test.want); c.Workspace != want {
				t.Errorf("workspace = %s, want %s", c.Workspace, want)
			}
		})
	}
}

func TestWithoutFilesTheDefaultsHold(t *testing.T) {
	c := mustLoad(t, write(t, nil), ".")
	if len(c.Plugins) != 1 || c.Plugins[0].Name != "builtin" || !c.Plugins[0].Bundled || c.Plugins[0].Source() != "" {
		t.Errorf("plugins = %+v, want the bundled one", c.Plugins)
	}
	if c.Policy.Mode != policy.Auto || len(c.Policy.Rules) > 0 {
		t.Errorf("policy = %+v, want mode auto without rules", c.Policy)
	}
}

func TestLayers(t *testing.T) {
	root := write(t, map[string]string{
		"home/user.hcl": `
plugin "words" {
  command = ["./words", "-v"]
  env     = { A = "1", B = "1" }
  config { max = 1 }
}
plugin "notes" { command = ["notes"] }
policy {
  approval_mode = "recommend"
  allow         = ["Read"]
}`,
		"w/config.hcl": `
toolcrib {}
plugin "words" { env = { B = "2" } }
plugin "local" { command = ["./bin/local"] }
policy {
  approval_mode    = "auto"
  trusted_commands = ["ls"]
  allow            = ["Bash(make *)"]
  ask              = ["Edit"]
}`,
	})
	c, diags := load(root, "w")
	if len(diags) != 1 || diags[0].Severity != config.Warning || diags[0].Line != 6 {
		t.Errorf("diagnostics = %s, want one warning of the wider mode", text(diags))
	}
	if c.Policy.Mode != policy.Recommend {
		t.Errorf("mode = %s, want the person's more careful one", c.Policy.Mode)
	}
	words, _ := c.Plugin("words")
	if want := []string{filepath.Join(root, "home/words"), "-v"}; !slices.Equal(words.Command, want) {
		t.Errorf("command = %q, want it relative to the file that has it: %q", words.Command, want)
	}
	if words.Env["A"] != "1" || words.Env["B"] != "2" || !words.HasConfig() || words.Layer != config.LayerWorkspace {
		t.Errorf("words = %+v, want both layers merged", words)
	}
	if notes, _ := c.Plugin("notes"); notes.Layer != config.LayerUser || notes.Command[0] != "notes" {
		t.Errorf("notes = %+v", notes)
	}
	if len(c.Policy.Rules) != 3 || len(c.Policy.Grants.Allow) != 1 || len(c.Policy.Grants.Trusted) != 1 {
		t.Errorf("policy = %+v, want pooled rules and the workspace's grants", c.Policy)
	}

	restricted := c.Restricted()
	if words, _ := restricted.Plugin("words"); words.Env["B"] != "1" || words.Layer != config.LayerUser {
		t.Errorf("restricted words = %+v, want the person's", words)
	}
	if _, ok := restricted.Plugin("local"); ok {
		t.Error("a restricted workspace has its plugin")
	}
	var rules []string
	for _, rule := range restricted.Policy.Rules {
		rules = append(rules, rule.Text)
	}
	if want := []string{"Read", "Edit"}; !slices.Equal(rules, want) || len(restricted.Policy.Trusted) > 0 {
		t.Errorf("restricted rules = %q, want %q", rules, want)
	}
}

func TestUnusableFilesGiveOneDiagnostic(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, path string)
		want  string
	}{
		{"a folder", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o755)) }, "not a regular file"},
		{"unreadable", func(t *testing.T, path string) {
			if os.Geteuid() == 0 {
				t.Skip("root reads everything")
			}
			must(t, os.WriteFile(path, []byte("toolcrib {}"), 0))
		}, "You may not read it"},
		{"a link to nothing", func(t *testing.T, path string) { must(t, os.Symlink("nothing.hcl", path)) }, "a link to nothing.hcl, which does not exist"},
		{"a link to itself", func(t *testing.T, path string) { must(t, os.Symlink("config.hcl", path)) }, "leads back to itself"},
		{"a named pipe", func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o644)) }, "not a regular file"},
		{"a link to a named pipe", func(t *testing.T, path string) {
			must(t, syscall.Mkfifo(path+".pipe", 0o644))
			must(t, os.Symlink(path+".pipe", path))
		}, "not a regular file"},
		{"a device", func(t *testing.T, path string) { must(t, os.Symlink("/dev/zero", path)) }, "not a regular file"},
		{"not UTF-8", func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("toolcrib {} # \xff"), 0o644)) }, "not UTF-8"},
		{"10 MB", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte(strings.Repeat("# a comment\n", 10<<20/12)), 0o644))
		}, "larger than 512 KiB"},
		{"deep brackets", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\nx = "+strings.Repeat("(", 100_000)), 0o644))
		}, "nest deeper"},
		{"deep templates", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\nx = "+strings.Repeat(`"${`, 100_000)), 0o644))
		}, "nest deeper"},
		{"a huge number", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\npool {\n  visible_tokens = 1e99999\n}\n"), 0o644))
		}, "exponent"},
		{"many signs", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\nx = "+strings.Repeat("!", 400_000)+"true"), 0o644))
		}, "nest deeper"},
		{"a long number", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\npool {\n  visible_tokens = 0."+strings.Repeat("0", 2000)+"1\n}\n"), 0o644))
		}, "a number has more than 1000 digits"},
		{"a text of many pieces", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("toolcrib {}\nvariable \"x\" {\n  default = \""+strings.Repeat("%a", 11_000)+"\"\n}\n"), 0o644))
		}, "a text has more than 10000 lines or signs"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, map[string]string{".toolcrib/.keep": ""})
			test.setup(t, filepath.Join(root, ".toolcrib", "config.hcl"))
			_, diags := load(root, ".")
			if len(diags) != 1 || !strings.Contains(diags[0].Detail, test.want) {
				t.Errorf("diagnostics = %s, want one with %q", text(diags), test.want)
			}
		})
	}
}

func TestLongExpressionsDoNotExhaustTheStack(t *testing.T) {
	for name, long := range map[string]string{
		"a sum":           "1" + strings.Repeat("+1", 60_000),
		"steps":           "path" + strings.Repeat(".a", 60_000),
		"template ifs":    `"` + strings.Repeat("%{if true}", 5_000) + `"`,
		"deep brackets":   strings.Repeat("[", 1900) + strings.Repeat("]", 1900),
		"deep calls":      strings.Repeat("upper(", 1900) + `""` + strings.Repeat(")", 1900),
		"deep conditions": strings.Repeat("true?1:", 1900) + "1",
	} {
		t.Run(name, func(t *testing.T) {
			root := write(t, map[string]string{"config.hcl": fmt.Sprintf(
				"toolcrib {}\npool {\n  learn = %s\n}\nplugin \"p\" {\n  command = [\"p\"]\n  config {\n    any = %[1]s\n  }\n}\n", long)})
			c, diags := load(root, ".")
			if !diags.HasErrors() {
				t.Error("it is accepted as true or false")
			}
			c.Digest()
		})
	}
}

func TestUsableFiles(t *testing.T) {
	tests := []struct {
		name  string
		setup func(t *testing.T, path string)
	}{
		{"an empty one", func(t *testing.T, path string) { must(t, os.WriteFile(path, nil, 0o644)) }},
		{"one of comments", func(t *testing.T, path string) { must(t, os.WriteFile(path, []byte("# nothing\n"), 0o644)) }},
		{"a link", func(t *testing.T, path string) {
			must(t, os.WriteFile(path+".real", []byte("policy { deny = [\"Edit\"] }\n"), 0o644))
			must(t, os.Symlink(filepath.Base(path)+".real", path))
		}},
		{"one with carriage returns and a byte order mark", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("\ufeffpolicy {\r\n  deny = [\"Edit\"]\r\n}\r\n"), 0o644))
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := write(t, map[string]string{".toolcrib/.keep": ""})
			path := filepath.Join(root, ".toolcrib", "config.hcl")
			test.setup(t, path)
			if c := mustLoad(t, root, "."); !slices.Equal(c.Files, []string{path}) {
				t.Errorf("files = %q", c.Files)
			}
		})
	}
}

func TestLineEndingsAndByteOrderMarks(t *testing.T) {
	root := write(t, map[string]string{"config.hcl": "\ufefftoolcrib {}\r\npolicy {\r\n  deny = [\"Bash(\"]\r\n}\r\n"})
	_, diags := load(root, ".")
	if len(diags) != 1 || diags[0].Line != 3 || diags[0].Snippet != `  deny = ["Bash("]` {
		t.Errorf("diagnostics = %+v, want one of line 3 without the carriage return", diags)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(root, name, text string) error {
	return os.WriteFile(filepath.Join(root, name), []byte(text), 0o644)
}
