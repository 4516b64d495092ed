package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

// startable is a workspace that declares everything that can be started. Each of
// it leaves its name in started. Where the name is part of the command it is a
// folder: a file would be one that the command leads to, and ask again.
func startable(t *testing.T) (dir string, names []string) {
	t.Helper()
	mkdir, err := exec.LookPath("mkdir")
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(mkdir)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	script := "#!/bin/sh\n: > started/\"$1\"\ncat > /dev/null\n"
	hcl := "toolcrib {}\n"
	declare := func(name string, command ...string) {
		names = append(names, name)
		hcl += fmt.Sprintf("plugin %q {\n  command = [%s]\n}\n", name, `"`+strings.Join(command, `", "`)+`"`)
	}
	declare("binary", "./bin/mkdir", "started/binary")
	declare("script", "./run.sh", "script")
	declare("interpreter", "sh", "run.sh", "interpreter")
	declare("line", "sh", "-c", "mkdir started/line")
	declare("own-interpreter", "./own", "own-interpreter")
	for _, event := range config.HookEvents() {
		names = append(names, event)
		hcl += fmt.Sprintf("hook %q {\n  event = %q\n  command = [\"./run.sh\", %q]\n}\n", event, event, event)
	}
	for name, text := range map[string]string{
		"config.hcl": hcl, "run.sh": script, "bin/mkdir": string(binary),
		"own": "#!" + filepath.Join(dir, "bin/interpreter") + "\n", "bin/interpreter": "#!/bin/sh\n: > started/own-interpreter\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "started"), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, names
}

func startedIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "started"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// TestNothingStartsWithoutAnAgreement runs what a person may do in a workspace that
// came from somebody else, then agrees and does the same.
func TestNothingStartsWithoutAnAgreement(t *testing.T) {
	dir, names := startable(t)
	home := t.TempDir()
	toolcrib := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "toolcrib"), args...)
		cmd.Dir, cmd.Env = dir, environment(home)
		output, _ := cmd.CombinedOutput() // commands that are refused fail
		return string(output)
	}
	everything := func() {
		for _, args := range [][]string{
			{"tools", "--explain"}, {"plugins"}, {"validate"}, {"validate", "--deep"}, {"trust"}, {"trust", "--json"},
			{"fmt", "--check"}, {"config", "show"}, {"config", "schema"}, {"init", "--yes"},
			{"policy", "check", "Bash", `{"command":"ls"}`},
			{"call", "Read", `{"path":"config.hcl"}`}, {"call", "Read", `{"path":"missing"}`}, {"call", "Bash", `{"command":"ls"}`}, {"call", "script__x", "{}"},
			{"call", "--mode", "trust", "--confirm", "Bash", `{"command":"ls"}`},
		} {
			output := toolcrib(args...)
			if strings.Contains(output, "panic") {
				t.Errorf("toolcrib %q: %s", args, output)
			}
		}
	}
	everything()
	p := openIn(t, dir, 100, 30)
	p.sees(`trust this workspace`)
	p.presses(ctrlC)
	if started := startedIn(t, dir); len(started) > 0 {
		t.Fatalf("without an agreement these were started: %q", started)
	}

	if output := toolcrib("trust", "--yes"); !strings.Contains(output, "trusted") {
		t.Fatalf("trust: %s", output)
	}
	everything()
	started := startedIn(t, dir)
	for _, name := range names {
		if name == "user_prompt" || name == "stop" {
			continue // they are about a model's turn, which no command has
		}
		if !slices.Contains(started, name) {
			t.Errorf("after the agreement %s was not started, so the test could not have found it", name)
		}
	}
}
