package terminal

import "golang.org/x/sys/unix"

const getTermios = unix.TIOCGETA

// processImage identifies the program that pid runs and its arguments.
func processImage(pid int) string {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return ""
	}
	return string(args)
}

// processIDs are all processes that have not ended. One that ended and was not
// waited for is its parent's business.
func processIDs() []int {
	procs, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	pids := make([]int, 0, len(procs))
	for _, p := range procs {
		if p.Proc.P_stat != zombie {
			pids = append(pids, int(p.Proc.P_pid))
		}
	}
	return pids
}

// zombie is SZOMB of <sys/proc.h>.
const zombie = 5
