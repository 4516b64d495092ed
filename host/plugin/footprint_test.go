package plugin

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/sdk/proctree"
)

// footprint is what a process holds of the system.
type footprint struct {
	descriptors int
	descendants []int
	files       []string // in the folder for temporary files
}

func measure(t *testing.T) footprint {
	t.Helper()
	descriptors, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	descendants, err := proctree.Descendants(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if err != nil {
		t.Fatal(err)
	}
	descendants = append(descendants, orphans(t)...)
	slices.Sort(descendants)
	descendants = slices.DeleteFunc(slices.Compact(descendants), func(pid int) bool { return !alive(pid) })
	return footprint{len(descriptors), descendants, files}
}

// more tells what f has that before has not; empty for nothing.
func (f footprint) more(before footprint) string {
	var more []string
	if f.descriptors > before.descriptors {
		more = append(more, fmt.Sprintf("%d descriptors instead of %d", f.descriptors, before.descriptors))
	}
	for _, pid := range f.descendants {
		if !slices.Contains(before.descendants, pid) {
			more = append(more, fmt.Sprintf("process %d", pid))
		}
	}
	for _, file := range f.files {
		if !slices.Contains(before.files, file) {
			more = append(more, file)
		}
	}
	return strings.Join(more, ", ")
}

// orphans are the processes that a provider of this test has left: they have its
// folder for temporary files in their environment, and another parent.
func orphans(t *testing.T) []int {
	t.Helper()
	processes, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var found []int
	for _, path := range processes {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && pid != os.Getpid() && containsFile(path, "TMPDIR="+os.TempDir()) {
			found = append(found, pid)
		}
	}
	return found
}

func containsFile(path, text string) bool {
	data, err := os.ReadFile(path)
	return err == nil && strings.Contains(string(data), text)
}

// leaveNothing fails the test if it leaves a process, a socket, a goroutine or a
// descriptor behind. Call it first: what it looks at ends with the test, too.
func leaveNothing(t *testing.T) {
	t.Helper()
	t.Setenv("TMPDIR", shortTempDir(t))
	before, running := measure(t), goleak.IgnoreCurrent()
	t.Cleanup(func() {
		deadline := time.Now().Add(10 * time.Second)
		for {
			left := measure(t).more(before)
			if left == "" {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("left behind are %s", left)
				return
			}
			time.Sleep(time.Millisecond)
		}
		if err := goleak.Find(running); err != nil {
			t.Error(err)
		}
	})
}

// shortTempDir is like t.TempDir, but short enough for sockets.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
