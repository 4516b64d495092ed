package plugin

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ResidentBytes is the memory of a process that is in RAM, see statm in proc(5).
// It says nothing of what the process has started.
func ResidentBytes(pid int) (int64, error) {
	statm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return 0, fmt.Errorf("memory of process %d: statm is %q", pid, statm)
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	return pages * int64(os.Getpagesize()), nil
}
