package trust_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/trust"
)

const hcl = `toolcrib {}
plugin "builtin" {
  config { timeout = "2m" }
}
plugin "words" {
  command = ["./bin/words", "-x", "rules.txt"]
  env     = { TOKEN = "secret" }
  config { max = 1 }
}
policy {
  allow            = ["Bash(make *)"]
  ask              = ["Edit"]
  trusted_commands = ["git status"]
}
`

// workspace makes a folder with a configuration and the program it names.
func workspace(t *testing.T, text string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(root, "config.hcl"), text)
	put(t, filepath.Join(root, "bin", "words"), "#!/bin/sh\n")
	put(t, filepath.Join(root, "rules.txt"), "one\n")
	return root
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func survey(t *testing.T, root string) trust.Set {
	t.Helper()
	c, diags := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
	if diags.HasErrors() {
		t.Fatalf("%+v", diags)
	}
	return trust.Survey(c)
}

func TestSurveyListsWhatTheWorkspaceStartsAndAllows(t *testing.T) {
	root := workspace(t, hcl)
	set := survey(t, root)
	got := strings.Join(set.Describe(), "\n")
	for _, want := range []string{
		"configures the bundled plugin builtin",
		"starts plugin words: " + root + "/bin/words -x rules.txt",
		"  sha256 a8076d3d28d21e02012b20eaf7dbf75409a6277134439025f282e368e3305abf",
		"  with rules.txt, sha256 2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
		"  environment: TOKEN",
		"  with a config block",
		"lets run without asking: Bash(make *)",
		"lets run without asking, with any arguments: git status",
	} {
		if !slices.Contains(set.Describe(), want) {
			t.Errorf("Describe has no line %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "Edit") {
		t.Errorf("Describe shows a secret, or what only narrows:\n%s", got)
	}
}

func TestNothingToAgreeTo(t *testing.T) {
	tests := map[string]string{
		"no plugins":                        "toolcrib {}",
		"a bundled plugin that stays stock": "toolcrib {}\nplugin \"builtin\" {}",
		"rules that narrow":                 "toolcrib {}\npolicy {\n  deny = [\"Bash\"]\n  ask = [\"Edit\"]\n  approval_mode = \"recommend\"\n}",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			root := workspace(t, text)
			set := survey(t, root)
			if verdict := trust.NewStore(t.TempDir()).Check(root, set); !set.Empty() || !verdict.Trusted || verdict.Request != nil {
				t.Errorf("set = %+v, verdict = %+v, want nothing to agree to", set, verdict)
			}
		})
	}
}

func TestThePersonsOwnPluginsNeedNoAgreement(t *testing.T) {
	root := workspace(t, "toolcrib {}")
	user := filepath.Join(t.TempDir(), "config.hcl")
	put(t, user, "plugin \"mine\" { command = [\"/bin/sh\"] }\npolicy { allow = [\"Read\"] }\n")
	c, _ := config.Load(root, config.Options{UserFile: user})
	if set := trust.Survey(c); !set.Empty() {
		t.Errorf("set = %+v, want it empty", set)
	}
	// The workspace changes what is started: now it does.
	put(t, filepath.Join(root, "config.hcl"), "toolcrib {}\nplugin \"mine\" { env = { A = \"b\" } }\n")
	c, _ = config.Load(root, config.Options{UserFile: user})
	if set := trust.Survey(c); len(set.Providers) != 1 {
		t.Errorf("set = %+v, want the plugin that the workspace changes", set)
	}
}

func TestAnAgreementHoldsUntilSomethingChanges(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, root string)
		want   string // empty: nothing to ask
	}{
		{"nothing", func(*testing.T, string) {}, ""},
		{"a comment and blanks", edit("config { max = 1 }", "# why\n  config {\n    max = 1\n  }"), ""},
		{"rules that narrow", edit(`["Edit"]`, `["Edit", "Bash"]`), ""},
		{"the program behind an unchanged path", replace("bin/words", "#!/bin/sh\nrm x\n"), "plugin words: the program's sha256 changed from a8076d3d28d2 to "},
		{"a file among the arguments", replace("rules.txt", "two\n"), "plugin words: rules.txt changed from 2c8b08da5ce6 to "},
		{"the program is gone", func(t *testing.T, root string) { must(t, os.Remove(filepath.Join(root, "bin/words"))) }, "plugin words: the program's sha256 changed from a8076d3d28d2 to nothing"},
		{"another program", edit("./bin/words", "/bin/sh"), "plugin words: its program changed from "},
		{"an argument", edit(`"-x"`, `"-y"`), `plugin words: its arguments changed from "-x" "rules.txt" to "-y" "rules.txt"`},
		{"a value of the environment", edit(`"secret"`, `"other"`), "plugin words: the environment variable TOKEN has another value"},
		{"a name of the environment", edit(`TOKEN =`, `TOKENS =`), "plugin words: the environment variable TOKENS is new"},
		{"a config block", edit("max = 1", "max = 2"), "plugin words: its configuration changed"},
		{"a bundled plugin's config block", edit(`"2m"`, `"3m"`), "plugin builtin: its configuration changed"},
		{"a new plugin", edit("policy {", "plugin \"more\" {\n  command = [\"./more\"]\n}\npolicy {"), "plugin more is new"},
		{"a plugin less", edit(`plugin "words"`, `plugin "other"`), "plugin words is gone"},
		{"an allow rule", edit("Bash(make *)", "Bash(rm *)"), "allow rule Bash(rm *) is new"},
		{"a trusted command", edit(`"git status"`, `"git"`), "trusted command git is new"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root, store := workspace(t, hcl), trust.NewStore(t.TempDir())
			if verdict := store.Check(root, survey(t, root)); verdict.Trusted || verdict.Request == nil || len(verdict.Request.Changes) > 0 {
				t.Fatalf("verdict before any agreement = %+v", verdict)
			}
			must(t, store.Grant(root, survey(t, root)))
			test.change(t, root)
			verdict := store.Check(root, survey(t, root))
			if test.want == "" {
				if !verdict.Trusted {
					t.Errorf("asks again: %q", verdict.Request.Changes)
				}
				return
			}
			if verdict.Trusted || !slices.ContainsFunc(verdict.Request.Changes, func(line string) bool { return strings.HasPrefix(line, test.want) }) {
				t.Errorf("verdict = %+v, want a change %q", verdict, test.want)
			}
		})
	}
}

func TestAnAgreementIsForOnePlace(t *testing.T) {
	root, store := workspace(t, hcl), trust.NewStore(t.TempDir())
	must(t, store.Grant(root, survey(t, root)))

	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(root, link))
	if !store.Check(link, survey(t, root)).Trusted {
		t.Error("the same workspace through a link is asked about again")
	}
	if store.Check(workspace(t, hcl), survey(t, root)).Trusted {
		t.Error("a copy in another place is trusted")
	}
	must(t, store.Revoke(root))
	must(t, store.Revoke(root))
	if store.Check(root, survey(t, root)).Trusted {
		t.Error("trusted after it was revoked")
	}
}

func TestARecordThatOthersCouldHaveWrittenIsNotBelieved(t *testing.T) {
	tests := []struct {
		name  string
		forge func(t *testing.T, record string)
		want  string
	}{
		{"writable by others", func(t *testing.T, record string) { must(t, os.Chmod(record, 0o666)) }, "others may write"},
		{"in a folder that others may write", func(t *testing.T, record string) { must(t, os.Chmod(filepath.Dir(record), 0o777)) }, "others may write"},
		{"a link", func(t *testing.T, record string) {
			must(t, os.Rename(record, record+".real"))
			must(t, os.Symlink(record+".real", record))
		}, "is a link"},
		{"garbage", func(t *testing.T, record string) { must(t, os.WriteFile(record, []byte("{"), 0o600)) }, "unexpected end"},
		{"of another workspace", func(t *testing.T, record string) {
			text, err := os.ReadFile(record)
			must(t, err)
			must(t, os.WriteFile(record, []byte(strings.Replace(string(text), `"workspace": "/`, `"workspace": "/x/`, 1)), 0o600))
		}, "is the record of"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			state := t.TempDir()
			root, store := workspace(t, hcl), trust.NewStore(state)
			must(t, store.Grant(root, survey(t, root)))
			records, err := filepath.Glob(filepath.Join(state, "trust", "*.json"))
			if err != nil || len(records) != 1 {
				t.Fatalf("records = %q, %v", records, err)
			}
			if info, err := os.Stat(records[0]); err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("mode = %v, %v, want 0600", info.Mode(), err)
			}
			test.forge(t, records[0])
			verdict := store.Check(root, survey(t, root))
			if verdict.Trusted || !strings.Contains(verdict.Request.Problem, test.want) {
				t.Errorf("verdict = %+v, want a problem with %q", verdict, test.want)
			}
			if lines := strings.Join(verdict.Request.Describe(), "\n"); !strings.Contains(lines, test.want) {
				t.Errorf("Describe does not tell:\n%s", lines)
			}
		})
	}
}

func TestAgreementGivesPrograms(t *testing.T) {
	root, store := workspace(t, hcl), trust.NewStore(t.TempDir())
	load := func() *config.Config {
		c, _ := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
		return c
	}
	words, _ := load().Plugin("words")

	if program, err := store.Agree(load()).Plugin(words); err == nil || program.Path() != "" {
		t.Errorf("before any agreement the program is %v, %v", program, err)
	}
	if program, err := (trust.Agreement{}).Plugin(words); err == nil || program.Path() != "" {
		t.Errorf("the zero agreement gives %v, %v", program, err)
	}
	must(t, store.Grant(root, trust.Survey(load())))
	program, err := store.Agree(load()).Plugin(words)
	if err != nil || program.Path() != filepath.Join(root, "bin/words") || len(program.SHA256()) != 64 {
		t.Errorf("the agreed program is %v, %v", program, err)
	}
	must(t, os.Remove(program.Path()))
	must(t, store.Grant(root, trust.Survey(load())))
	if _, err := store.Agree(load()).Plugin(words); err == nil || !strings.Contains(err.Error(), "does not exist yet; build or install it") {
		t.Errorf("a missing program = %v", err)
	}
	words.Name = "other"
	if _, err := store.Agree(load()).Plugin(words); err == nil {
		t.Error("a plugin outside the set has a program")
	}
}

func TestResolveRefusesTheCurrentFolder(t *testing.T) {
	root := workspace(t, hcl)
	t.Chdir(filepath.Join(root, "bin"))
	t.Setenv("PATH", ".:"+os.Getenv("PATH"))
	if path, err := trust.Resolve("words"); err == nil {
		t.Errorf("Resolve = %s, want an error", path)
	}
	if path, err := trust.Resolve("sh"); err != nil || !filepath.IsAbs(path) {
		t.Errorf("Resolve(sh) = %s, %v", path, err)
	}
}

func edit(old, replacement string) func(*testing.T, string) {
	return func(t *testing.T, root string) {
		t.Helper()
		if !strings.Contains(hcl, old) {
			t.Fatalf("no %q to change", old)
		}
		put(t, filepath.Join(root, "config.hcl"), strings.Replace(hcl, old, replacement, 1))
	}
}

func replace(file, text string) func(*testing.T, string) {
	return func(t *testing.T, root string) {
		t.Helper()
		put(t, filepath.Join(root, file), text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
