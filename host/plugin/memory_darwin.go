package plugin

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// ResidentBytes is the memory of a process that is in RAM, as ps tells it. It
// says nothing of what the process has started.
func ResidentBytes(pid int) (int64, error) {
	output, err := exec.Command("/bin/ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	kib, err := strconv.ParseInt(strings.TrimSpace(string(output)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	return kib << 10, nil
}
