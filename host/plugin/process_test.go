package plugin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/executable"
)

func TestProgramThatIsNoPluginIsExplained(t *testing.T) {
	for role, want := range map[string]string{
		"says it exits": "exited with status 0\nits last output was:\n  stdout: hello, I am no plugin",
		"never answers": "it was not ready within 200ms",
	} {
		t.Run(role, func(t *testing.T) {
			leaveNothing(t)
			s := newTest(t, testSpec(role), Options{StartTimeout: 200 * time.Millisecond})
			if role == "says it exits" {
				s = newTest(t, testSpec(role), Options{})
			}
			if err := s.Start(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error is %v, want %q", err, want)
			}
		})
	}
}

func TestWhatIsPrintedOnStandardOutputIsAWarning(t *testing.T) {
	leaveNothing(t)
	told := make(map[string]int) // guarded by the order of callbacks
	s, l := startTest(t, "prints", Options{OnStray: func(line string) { told[line]++ }})
	if got := callText(t, l, "echo", "fine"); got != "fine" {
		t.Errorf("call answers %q", got)
	}
	if len(s.Status().Warnings) == 0 {
		t.Error("there is no warning")
	}
	l.Release()
	s.Stop(context.Background())
	want := map[string]int{
		"warming up":                   1,
		strings.Repeat("x", lineBytes): 1,
		strings.Repeat("y", lineBytes): 1, // it was printed over and over
	}
	if !maps.Equal(told, want) {
		t.Errorf("told are %d lines: %.1000v", len(told), told)
	}
}

func TestProviderHasNoInputAndACleanEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	t.Setenv("LC_TIME", "C")
	spec := testSpec("provider")
	spec.Env["DECLARED"] = "yes"
	l := lease(t, newTest(t, spec, Options{}))
	if got := callText(t, l, "stdin", ""); got != "0 bytes" {
		t.Errorf("standard input has %s", got)
	}
	got := callText(t, l, "environment", "")
	for variable, want := range map[string]bool{
		"SECRET_TOKEN=": false, "TOOLCRIB_PLUGIN=": false, "PLUGIN_CLIENT_CERT=": false,
		"LC_TIME=C": true, "DECLARED=yes": true, "PATH=": true,
	} {
		if strings.Contains("\n"+got, "\n"+variable) != want {
			t.Errorf("environment has %s: %v, want %v:\n%s", variable, !want, want, got)
		}
	}
}

func TestChecksumIsThatOfWhatRuns(t *testing.T) {
	s, _ := startTest(t, "provider", Options{})
	spec := testSpec("provider")
	spec.Program = spec.Program.Pinned(strings.ToUpper(s.Status().SHA256))
	if err := newTest(t, spec, Options{}).Start(t.Context()); err != nil {
		t.Errorf("with the right checksum: %v", err)
	}
	spec.Program = spec.Program.Pinned(strings.Repeat("0", 64))
	var mismatch *executable.ChecksumError
	if err := newTest(t, spec, Options{}).Start(t.Context()); !errors.As(err, &mismatch) {
		t.Errorf("with a wrong checksum: %v", err)
	}
}

func TestNothingIsLeftOfAProvider(t *testing.T) {
	for claim, end := range map[string]func(*Supervisor){
		"that was stopped": func(s *Supervisor) { s.Stop(context.Background()) },
		"that died":        func(s *Supervisor) { _ = syscall.Kill(s.Status().PID, syscall.SIGKILL) },
	} {
		t.Run(claim, func(t *testing.T) {
			leaveNothing(t)
			s, l := startTest(t, "provider", Options{})
			pids := []int{s.Status().PID}
			groups := []string{""}
			if claim == "that was stopped" || runtime.GOOS == "linux" {
				groups = append(groups, "own group")
			}
			for _, group := range groups {
				pid, err := strconv.Atoi(callText(t, l, "spawn", group))
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
			end(s)
			for _, pid := range pids {
				waitGone(t, pid)
			}
			s.Stop(context.Background())
			if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "toolcrib-*")); len(left) > 0 {
				t.Errorf("left are %v", left)
			}
		})
	}
}

// waitGone waits until a process has ended. One that is not our child may stay a
// zombie where nobody reaps it.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for alive(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(time.Millisecond)
	}
}

func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
