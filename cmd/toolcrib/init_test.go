package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/cmd/toolcrib/screen"
)

// initIn runs `toolcrib init` in dir on a terminal.
func initIn(t *testing.T, dir string) *person {
	t.Helper()
	home := t.TempDir()
	// What the program printed last stays on the screen while the shell waits.
	cmd := exec.Command("sh", "-c", `toolcrib init; echo "exit $?"; cat`)
	cmd.Dir = dir
	cmd.Env = environment(home)
	program, err := screen.Start(cmd, 100, 30)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(program.Close)
	return &person{t: t, Program: program, home: home}
}

func TestInitAsksAndWritesWhatWasAnswered(t *testing.T) {
	dir := workspace(t, map[string]string{"go.mod": "module x\n"})
	p := initIn(t, dir)
	p.sees(`only read run without asking.*\[Y/n\]`)
	p.presses("n")
	p.sees(`go test \./\.\.\.\? \[Y/n\]`)
	p.presses("\x1b[A") // an arrow is no answer
	p.presses("y")
	p.sees(`Write config\.hcl\? \[Y/n\]`)
	p.presses(enter)
	p.sees(`wrote config\.hcl`, `toolcrib trust`, `exit 0`)
	text, err := os.ReadFile(filepath.Join(dir, "config.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "read_only_commands") || !strings.Contains(string(text), `"go test ./...",`) {
		t.Errorf("the configuration is not what was answered:\n%s", text)
	}
}

func TestInitWritesNothingForAPersonWhoLeaves(t *testing.T) {
	for name, keys := range map[string]string{"Escape": escape, "Ctrl-C": ctrlC, "no at the end": "nnn"} {
		t.Run(name, func(t *testing.T) {
			dir := workspace(t, map[string]string{"go.mod": "module x\n"})
			p := initIn(t, dir)
			for i, key := range strings.Split(keys, "") {
				p.awaits("the next question", func(text string) bool { return strings.Count(text, "[Y/n]") == i+1 })
				p.presses(key)
			}
			p.sees(`nothing was written`, `exit 1`)
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Errorf("the folder has %v, %v", entries, err)
			}
		})
	}
}
