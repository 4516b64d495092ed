package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// programs holds the real binaries that the tests run: toolcrib, and the example
// plugin words. They are built once, with the race detector where it is on.
var programs string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "toolcrib-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = dir
	for _, build := range []struct{ dir, name string }{{".", "toolcrib"}, {"../../examples/words", "words"}} {
		args := []string{"build", "-o", filepath.Join(dir, build.name)}
		if raceEnabled {
			args = append(args, "-race")
		}
		cmd := exec.Command("go", append(args, ".")...)
		cmd.Dir = build.dir
		if output, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", build.name, err, output)
			return 1
		}
	}
	return m.Run()
}

// environment is that of a person with an empty home.
func environment(home string) []string {
	return []string{
		"HOME=" + home,
		"XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TMPDIR=" + os.TempDir(),
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
		"SHELL=/bin/bash",
		"HISTFILE=", // a shell that dies with the test must not write into its home
	}
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, ".home")
			if err := os.Mkdir(home, 0o700); err != nil {
				return err
			}
			for _, variable := range environment(home) {
				name, value, _ := strings.Cut(variable, "=")
				env.Setenv(name, value)
			}
			env.Setenv("PROGRAMS", programs)
			return nil
		},
	})
}
