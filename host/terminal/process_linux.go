package terminal

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const getTermios = unix.TCGETS

// processImage identifies the program that pid runs and its arguments.
func processImage(pid int) string {
	args, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	if err != nil {
		return ""
	}
	return string(bytes.TrimRight(args, "\x00"))
}

// processIDs are all processes that have not ended. One that ended and was not
// waited for is its parent's business.
func processIDs() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // what was read counts
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && !zombie(name) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func zombie(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return true
	}
	// The state follows the name, which is in parentheses and may hold any byte.
	_, rest, ok := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" "))
	return !ok || len(rest) == 0 || rest[0] == 'Z'
}
