package executable

import (
	"os/exec"
	"syscall"
)

// groupAttributes make the process lead a group. macOS has no signal for the
// death of a parent; the lifeline has to do.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// reap waits for the process and kills what is left of its group. macOS has no
// way to look at an ended process without reaping it.
func reap(cmd *exec.Cmd) {
	pid := cmd.Process.Pid
	_ = cmd.Wait() // the error says no more than the state
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}
