package terminal

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestCloseLeavesNothing(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "", func(c *Config) { c.Grace = 500 * time.Millisecond })
		r := run(t, term, "sleep 600 & nohup sh -c 'trap \"\" HUP TERM; sleep 601' >/dev/null 2>&1 & (trap '' HUP; exec sleep 602) & echo; echo pids $$ $(jobs -p | grep -o '[0-9][0-9]*' | tr '\\n' ' ')")
		shellPID := term.inst.proc.pid
		members := sessionMembers(shellPID)
		if len(members) < 3 {
			t.Fatalf("%d processes in the session: %s", len(members), describe(r))
		}
		dir := term.inst.dir
		done := start(t, term, t.Context(), Handoff{Command: "sleep 603"})
		until(t, term, "the command runs", func() bool { return term.Status().Started })
		if err := term.Close(); err != nil {
			t.Fatal(err)
		}
		if o := <-done; o.err != nil || o.result.Status == Completed {
			t.Errorf("the command in progress: %+v, %v", o.result, o.err)
		}
		for _, pid := range append(members, shellPID) {
			if running(pid) {
				t.Errorf("process %d is left", pid)
			}
		}
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("the private directory is left: %v", err)
		}
		if err := term.Close(); err != nil {
			t.Errorf("again: %v", err)
		}
		if _, err := term.Run(t.Context(), Handoff{Command: "true"}); err == nil {
			t.Error("a closed terminal ran a command")
		}
	})
}

// running reports whether a process exists and has not ended.
func running(pid int) bool {
	if unix.Kill(pid, 0) != nil {
		return false
	}
	for _, id := range processIDs() {
		if id == pid {
			return true
		}
	}
	return false
}

func TestCloseLeavesNoDescriptor(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("descriptors are not listed here")
	}
	count := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, name := range names {
			if target, err := os.Readlink("/proc/self/fd/" + name.Name()); err == nil && strings.Contains(target, "pt") {
				n++
			}
		}
		return n
	}
	before := count()
	for range 5 {
		term := open(t, "bash", "")
		run(t, term, "true")
		if err := term.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := term.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if after := count(); after != before {
		t.Errorf("%s terminals are open, %s before", strconv.Itoa(after), strconv.Itoa(before))
	}
}
