// Package proctree ends processes together with what they started. A process
// group is not enough: a shell with job control, or a tool that wants to signal
// its commands, moves its children into groups of their own.
package proctree

import (
	"errors"
	"os"
	"syscall"
)

// process is one row of the system's process table.
type process struct{ pid, parent, group int }

// rounds bounds how often KillDescendants looks for processes that were started
// while it was killing.
const rounds = 8

// Descendants lists what pid started, directly or not, and the other members of
// the process group that pid leads. A process whose parent has ended is found
// only by its group. The order is that of the process table.
func Descendants(pid int) ([]int, error) {
	table, err := processes()
	if err != nil {
		return nil, err
	}
	children := make(map[int][]int, len(table))
	found := map[int]bool{pid: true}
	queue := []int{pid}
	for _, p := range table {
		children[p.parent] = append(children[p.parent], p.pid)
		if p.group == pid && p.pid != pid {
			found[p.pid] = true
			queue = append(queue, p.pid)
		}
	}
	for len(queue) > 0 {
		for _, child := range children[queue[0]] {
			if !found[child] {
				found[child] = true
				queue = append(queue, child)
			}
		}
		queue = queue[1:]
	}
	var descendants []int
	for _, p := range table {
		if p.pid != pid && found[p.pid] {
			descendants = append(descendants, p.pid)
		}
	}
	return descendants, nil
}

// KillDescendants sends SIGKILL to all [Descendants] of pid, and again to those
// that were started meanwhile. It does not touch pid itself and does not wait
// for anything to end.
func KillDescendants(pid int) error {
	killed := make(map[int]bool)
	var failed error
	for range rounds {
		descendants, err := Descendants(pid)
		if err != nil {
			return err
		}
		fresh := false
		for _, d := range descendants {
			if killed[d] {
				continue
			}
			killed[d], fresh = true, true
			if err := syscall.Kill(d, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				failed = err
			}
		}
		if !fresh {
			break
		}
	}
	return failed
}

// Kill is [KillDescendants] and then sends SIGKILL to the process itself. One that
// has ended is no error.
func Kill(p *os.Process) error {
	err := KillDescendants(p.Pid)
	if killErr := p.Kill(); killErr != nil && !errors.Is(killErr, os.ErrProcessDone) {
		err = errors.Join(err, killErr)
	}
	return err
}
