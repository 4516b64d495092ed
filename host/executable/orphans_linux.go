package executable

import (
	"bytes"
	"os"
	"strconv"
)

// KillOrphans ends the processes that have mark, a NAME=value, in the environment
// they were started with. Those are what a program that has ended left behind:
// by their parent or their group they cannot be found any more.
func KillOrphans(mark string) {
	proc, err := os.Open("/proc")
	if err != nil {
		return
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return
	}
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && hasMark(pid, mark) {
			killMarked(pid, mark)
		}
	}
}

// killMarked takes hold of the process before it looks again, so that it does not
// kill another one that got the id meanwhile.
func killMarked(pid int, mark string) {
	process, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer func() { _ = process.Release() }()
	if hasMark(pid, mark) {
		_ = process.Kill()
	}
}

func hasMark(pid int, mark string) bool {
	// Of another user's process it cannot be read, and of one that has ended it
	// is empty.
	environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+mark+"\x00"))
}
