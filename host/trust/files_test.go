package trust_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/trust"
)

func TestFilesThatACommandLeadsTo(t *testing.T) {
	tests := map[string]struct {
		plugin string // attributes of a plugin block
		files  []string
		want   []string
	}{
		"a script":                               {`command = ["sh", "run.sh"]`, []string{"run.sh", "other.sh"}, []string{"run.sh"}},
		"the value of an option":                 {`command = ["x", "--rules=conf/a.yml"]`, []string{"conf/a.yml"}, []string{"conf/a.yml"}},
		"a file after an option":                 {`command = ["node", "--require", "./hook.js", "main.js"]`, []string{"hook.js", "main.js"}, []string{"./hook.js", "main.js"}},
		"a script without its suffix":            {`command = ["node", "./main"]`, []string{"main.js"}, []string{"./main.js"}},
		"a module":                               {`command = ["python3", "-m", "tools.serve"]`, []string{"tools/serve.py", "tools/__init__.py"}, []string{"tools/__init__.py", "tools/serve.py"}},
		"a module that is a folder":              {`command = ["python3", "-m", "serve"]`, []string{"serve/__main__.py", "serve/__init__.py"}, []string{"serve/__init__.py", "serve/__main__.py"}},
		"a package of Node.js":                   {`command = ["node", "."]`, []string{"package.json", "index.js", "more.js"}, []string{"index.js", "package.json"}},
		"a line for a shell":                     {`command = ["sh", "-c", "A=b exec ./run.sh --c='d.txt'; cat e.txt"]`, []string{"run.sh", "d.txt", "e.txt"}, []string{"./run.sh", "d.txt", "e.txt"}},
		"a value of the environment":             {"command = [\"node\"]\n  env = { NODE_OPTIONS = \"--require ./hook.js\" }", []string{"hook.js"}, []string{"./hook.js"}},
		"a library in the environment":           {"command = [\"x\"]\n  env = { LD_PRELOAD = \"lib/a.so:lib/b.so\" }", []string{"lib/a.so", "lib/b.so"}, []string{"lib/a.so", "lib/b.so"}},
		"words that are no files":                {`command = ["x", "serve", "-v", "--a=b"]`, []string{"other"}, nil},
		"an interpreter in the workspace":        {`command = ["./run"]`, []string{"run: #!bin/interpreter -x", "bin/interpreter"}, []string{"bin/interpreter"}},
		"an interpreter that is a script itself": {`command = ["./run"]`, []string{"run: #! ./a", "a: #!./b", "b"}, []string{"a", "b"}},
		"interpreters that run one another":      {`command = ["./run"]`, []string{"run: #!./a", "a: #!./a"}, []string{"a"}},
		"an interpreter of the system":           {`command = ["./run"]`, []string{"run: #!/bin/sh"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root := workspace(t, "toolcrib {}\nplugin \"x\" {\n  "+test.plugin+"\n}\n")
			for _, file := range test.files {
				path, text, _ := strings.Cut(file, ": ")
				put(t, filepath.Join(root, path), text)
			}
			provider := survey(t, root).Providers[0]
			if got := slices.Sorted(maps.Keys(provider.Files)); !slices.Equal(got, test.want) {
				t.Errorf("files = %q, want %q", got, test.want)
			}
		})
	}
}

func TestAFileInTheEnvironmentOfABundledPluginIsInTheSet(t *testing.T) {
	root := workspace(t, "toolcrib {}\nplugin \"builtin\" {\n  env = { LD_PRELOAD = \"./lib.so\" }\n}\n")
	put(t, filepath.Join(root, "lib.so"), "one")
	if files := survey(t, root).Providers[0].Files; len(files) != 1 {
		t.Errorf("files = %q, want the library", files)
	}
}

// A sparse file is as large as a workspace says, and costs it nothing.
func TestLargeFilesAreNotRead(t *testing.T) {
	root := workspace(t, "toolcrib {}\nplugin \"x\" {\n  command = [\"./bin/words\", \"model\"]\n}\nplugin \"y\" {\n  command = [\"./huge\"]\n}\n")
	for _, name := range []string{"model", "huge"} {
		put(t, filepath.Join(root, name), "")
		must(t, os.Truncate(filepath.Join(root, name), 1<<40))
	}
	set := survey(t, root)
	if set.Providers[0].Files["model"] == "" {
		t.Errorf("the model is not in the set: %+v", set.Providers[0])
	}
	if y := set.Providers[1]; y.SHA256 != "" || !strings.Contains(y.Missing, "too large") {
		t.Errorf("a program that is too large is %+v", y)
	}
	must(t, os.WriteFile(filepath.Join(root, "other"), nil, 0o600))
	must(t, os.Truncate(filepath.Join(root, "other"), 1<<40))
	must(t, os.Rename(filepath.Join(root, "other"), filepath.Join(root, "model")))
	if now := survey(t, root); now.Providers[0].Files["model"] == set.Providers[0].Files["model"] {
		t.Error("another model in its place is not a change")
	}
}

func TestAFileThatAppearsBeforeAnotherIsAChange(t *testing.T) {
	root := workspace(t, "toolcrib {}\nplugin \"x\" {\n  command = [\"python3\", \"-m\", \"serve\"]\n}\n")
	put(t, filepath.Join(root, "serve.py"), "one")
	before := survey(t, root)
	put(t, filepath.Join(root, "serve/__main__.py"), "two")
	want := []string{"plugin x: serve/__main__.py changed from nothing to 3fc4ccfe7458"}
	if got := trust.Changes(before, survey(t, root)); !slices.Equal(got, want) {
		t.Errorf("changes = %q, want %q", got, want)
	}
}

func TestProgramChecksTheFilesThatWereAgreedTo(t *testing.T) {
	root, store := workspace(t, "toolcrib {}\nplugin \"x\" {\n  command = [\"./bin/words\", \"rules.txt\"]\n}\n"), trust.NewStore(t.TempDir())
	must(t, store.Grant(root, survey(t, root)))
	c, _ := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
	x, _ := c.Plugin("x")
	program, err := store.Agree(c).Plugin(x)
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Check(); err != nil {
		t.Errorf("nothing has changed, and the check says %v", err)
	}
	put(t, filepath.Join(root, "rules.txt"), "two\n")
	if err := program.Check(); err == nil || !strings.Contains(err.Error(), "toolcrib trust") {
		t.Errorf("a changed file gives %v, want what to do", err)
	}
	must(t, os.Remove(filepath.Join(root, "rules.txt")))
	if err := program.Check(); err == nil {
		t.Error("a missing file passes the check")
	}
}

func TestVariablesThatAreAskedForAreShown(t *testing.T) {
	for allowed, want := range map[string]string{
		``:               "Of the variables that are asked for, your own configuration allows none",
		`"GITHUB_TOKEN"`: "Of the variables that are asked for, your own configuration allows GITHUB_TOKEN",
		`"*"`:            "Of the variables that are asked for, your own configuration allows GITHUB_TOKEN, SECRET",
	} {
		t.Run("allowed: "+allowed, func(t *testing.T) {
			root := workspace(t, "toolcrib {}\nplugin \"builtin\" {\n  pass_env = [\"SECRET\", \"GITHUB_TOKEN\"]\n}\n")
			user := filepath.Join(t.TempDir(), "user.hcl")
			put(t, user, fmt.Sprintf("environment {\n  allow = [%s]\n}\n", allowed))
			c, diags := config.Load(root, config.Options{UserFile: user})
			if len(diags) > 0 {
				t.Fatalf("%+v", diags)
			}
			request := trust.NewStore(t.TempDir()).Agree(c).Request()
			if request == nil {
				t.Fatal("asking for variables needs no agreement")
			}
			lines := request.Describe()
			if !slices.Contains(lines, "    asks for these variables of yours: GITHUB_TOKEN, SECRET") || !slices.Contains(lines, want) {
				t.Errorf("Describe = %q, want %q", lines, want)
			}
		})
	}
}
