package proctree

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func TestDescendantsAreFoundInAnyGroup(t *testing.T) {
	// With job control the shell gives its child a group of its own.
	shell := exec.Command("bash", "-c", "set -m; sleep 600 & echo $!; wait")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Skipf("bash does not start here: %v", err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range []int{shell.Process.Pid, os.Getpid()} {
		descendants, err := Descendants(pid)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(descendants, child) || slices.Contains(descendants, pid) {
			t.Errorf("descendants of %d are %v, want %d among them", pid, descendants, child)
		}
	}
	if err := KillDescendants(shell.Process.Pid); err != nil {
		t.Error(err)
	}
	// The shell waits for its child and ends with it.
	_ = shell.Wait()
}
