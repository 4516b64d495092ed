package executable

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"time"
)

const (
	// orphanRounds bounds how often killOrphans looks for what was started while
	// it was killing.
	orphanRounds = 8
	// execRounds times execTime is how long it waits for processes that are
	// about to become another program, or have no environment at all.
	execRounds = 10
	execTime   = time.Millisecond
)

// killOrphans ends the processes that have mark, a NAME=value, in the environment
// they were started with. Those are what a program that has ended left behind:
// by their parent or their group they cannot be found any more.
func killOrphans(mark string) {
	for range orphanRounds {
		if !killMarked(mark) {
			return
		}
	}
}

// killMarked goes through the process table once. It reports whether it found a
// process, which may have started another one meanwhile.
func killMarked(mark string) (found bool) {
	pids := processes()
	for range execRounds {
		pids = slices.DeleteFunc(pids, func(pid int) bool {
			has, known := hasMark(pid, mark)
			if has {
				found = true
				kill(pid, mark)
			}
			return known
		})
		if len(pids) == 0 {
			break
		}
		time.Sleep(execTime)
	}
	return found
}

func processes() []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// kill takes hold of the process before it looks again, so that it does not kill
// another one that got the id meanwhile.
func kill(pid int, mark string) {
	process, err := os.FindProcess(pid)
	if err != nil {
		return
	}
	defer func() { _ = process.Release() }()
	if has, _ := hasMark(pid, mark); has {
		_ = process.Kill()
	}
}

// hasMark looks into the environment of a process. It is not known while the
// process becomes another program: then the environment is empty and there is a
// program, which neither a process that has ended nor one of the kernel has.
func hasMark(pid int, mark string) (has, known bool) {
	dir := "/proc/" + strconv.Itoa(pid)
	// Of another user's process it cannot be read.
	environment, err := os.ReadFile(dir + "/environ")
	if err != nil {
		return false, true
	}
	if len(environment) > 0 {
		return bytes.Contains(append([]byte{0}, environment...), []byte("\x00"+mark+"\x00")), true
	}
	_, err = os.Readlink(dir + "/exe")
	return false, err != nil
}
