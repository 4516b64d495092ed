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
// plugin words. sessionProgram is the toolcrib of the session tests, built with
// the race detector where that is on: elsewhere its second of sleep at each exit
// would cost more than it finds.
var programs, sessionProgram string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "toolcrib-test")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs = dir
	sessionProgram = filepath.Join(dir, "toolcrib")
	builds := [][]string{{".", sessionProgram}, {"../../examples/words", filepath.Join(dir, "words")}}
	if raceEnabled {
		sessionProgram = filepath.Join(dir, "toolcrib-race")
		builds = append(builds, []string{".", sessionProgram, "-race"})
	}
	for _, build := range builds {
		cmd := exec.Command("go", append([]string{"build", "-o", build[1]}, append(build[2:], ".")...)...)
		cmd.Dir = build[0]
		if output, err := cmd.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build %s: %v\n%s", build[1], err, output)
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
