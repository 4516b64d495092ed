package proctree

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func processes() ([]process, error) {
	rows, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	table := make([]process, len(rows))
	for i, row := range rows {
		table[i] = process{
			pid:    int(row.Proc.P_pid),
			parent: int(row.Eproc.Ppid),
			group:  int(row.Eproc.Pgid),
		}
	}
	return table, nil
}
