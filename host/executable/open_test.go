package executable_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/executable"
	"github.com/toolcrib/toolcrib/host/trust"
)

// agreedTo is the program of a plugin that the person has agreed to.
func agreedTo(t *testing.T, root string) trust.Program {
	t.Helper()
	write(t, filepath.Join(root, "config.hcl"), "toolcrib {}\nplugin \"x\" {\n  command = [\"./run\", \"rules.txt\"]\n}\n")
	write(t, filepath.Join(root, "run"), "#!/bin/sh\n")
	write(t, filepath.Join(root, "rules.txt"), "one\n")
	c, diags := config.Load(root, config.Options{UserFile: filepath.Join(root, "none.hcl")})
	if diags.HasErrors() {
		t.Fatalf("%+v", diags)
	}
	store := trust.NewStore(t.TempDir())
	if err := store.Grant(root, trust.Survey(c)); err != nil {
		t.Fatal(err)
	}
	x, _ := c.Plugin("x")
	program, err := store.Agree(c).Plugin(x)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyWhatWasAgreedToIsOpened(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, root string)
		want   string // of the error; empty is none
	}{
		"what was agreed to":            {func(*testing.T, string) {}, ""},
		"another program in its place":  {func(t *testing.T, root string) { write(t, filepath.Join(root, "run"), "#!/bin/sh\nrm x\n") }, "was agreed to"},
		"another file that it leads to": {func(t *testing.T, root string) { write(t, filepath.Join(root, "rules.txt"), "two\n") }, "rules.txt is not what was agreed to"},
		"a link to another program": {func(t *testing.T, root string) {
			write(t, filepath.Join(root, "other"), "#!/bin/sh\nrm x\n")
			if err := errors.Join(os.Remove(filepath.Join(root, "run")), os.Symlink("other", filepath.Join(root, "run"))); err != nil {
				t.Fatal(err)
			}
		}, "was agreed to"},
		"a folder in its place": {func(t *testing.T, root string) {
			if err := errors.Join(os.Remove(filepath.Join(root, "run")), os.Mkdir(filepath.Join(root, "run"), 0o755)); err != nil {
				t.Fatal(err)
			}
		}, "is not a file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			program := agreedTo(t, root)
			test.change(t, root)
			file, err := executable.Open(program, nil)
			if err == nil {
				file.Close()
			}
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("Open = %v, want %q", err, test.want)
			}
		})
	}
	if _, err := executable.Open(trust.Program{}, nil); err == nil {
		t.Error("no program is opened")
	}
}
