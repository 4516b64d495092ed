package executable

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// groupAttributes make the process lead a group and be told of the host's
// death. The signal is one that can be handled: SIGKILL would leave nobody to
// take down what the program has started.
func groupAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}

// reap waits for the process and kills what is left of its group. It does so
// before the process is reaped: until then, no other one can get its id.
func reap(cmd *exec.Cmd) {
	pid := cmd.Process.Pid
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	_ = cmd.Wait() // the error says no more than the state
}
