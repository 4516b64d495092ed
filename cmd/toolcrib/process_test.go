package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/sdk/proctree"
)

// provider is the pid of the process that serves the bundled tools of a session.
func (p *person) provider() int {
	p.t.Helper()
	for _, pid := range p.descendants() {
		if strings.Contains(commandLine(pid), "plugin-serve") {
			return pid
		}
	}
	p.t.Fatal("no provider runs")
	return 0
}

func (p *person) descendants() []int {
	p.t.Helper()
	pids, err := proctree.Descendants(p.PID())
	if err != nil {
		p.t.Fatal(err)
	}
	return pids
}

// commandLine is empty for a process that is gone, or dead and not yet waited for.
func commandLine(pid int) string {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(string(line), "\x00", " ")
}

func TestSessionSurvivesAKilledProvider(t *testing.T) {
	needsProc(t)
	dir := workspace(t, map[string]string{"notes.txt": "still here\n"})
	p := openIn(t, dir, 120, 40)
	p.types(`/call Bash {"command":"echo begun-$((1+1)); sleep 600"}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.sees(`begun-2`)
	if err := syscall.Kill(p.provider(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.sees(`killed`, `F6 next`)
	p.types(`/call Read {"path":"notes.txt"}`)
	p.sees(`still here`)
	if told := p.command(dir, "plugins"); !strings.Contains(told, "Crashes") || !strings.Contains(told, "killed") {
		t.Errorf("toolcrib plugins does not tell of it:\n%s", told)
	}
}

func TestNothingIsLeftOfAKilledHost(t *testing.T) {
	needsProc(t)
	p := openIn(t, workspace(t, nil), 120, 40)
	p.types(`/call Bash {"command":"sleep 600 & sleep 600"}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.awaitsRunning("sleep 600", 2)
	left := p.descendants()
	if len(left) < 4 { // the provider, the shell, and its two commands
		t.Fatalf("descendants = %v", left)
	}
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	p.awaitsEnd(left)
	t.Logf("all %d were gone after %v", len(left), time.Since(killed))
}

// awaitsEnd waits until processes are gone.
func (p *person) awaitsEnd(pids []int) {
	p.t.Helper()
	begun := time.Now()
	for _, pid := range pids {
		for commandLine(pid) != "" {
			if time.Since(begun) > patience {
				p.t.Fatalf("pid %d is left: %s", pid, commandLine(pid))
			}
			time.Sleep(time.Millisecond) // the end of another's child cannot be waited for
		}
	}
}

// awaitsRunning waits until n processes of the session run a command.
func (p *person) awaitsRunning(command string, n int) {
	p.t.Helper()
	for begun := time.Now(); time.Since(begun) < patience; time.Sleep(time.Millisecond) {
		running := 0
		for _, pid := range p.descendants() {
			if strings.HasPrefix(commandLine(pid), command) {
				running++
			}
		}
		if running == n {
			return
		}
	}
	p.t.Fatalf("%s does not run %d times; the screen is:\n%s", command, n, p.Text())
}

// needsProc skips where processes cannot be looked at.
func needsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("there is no /proc here to look at processes with")
	}
}
