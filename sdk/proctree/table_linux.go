package proctree

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

func processes() ([]process, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer proc.Close()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var table []process
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it ended
		}
		if p, ok := parseStat(pid, stat); ok {
			table = append(table, p)
		}
	}
	return table, nil
}

// parseStat reads the parent and the group of /proc/PID/stat, see proc(5). The
// command in parentheses may itself hold blanks and parentheses.
func parseStat(pid int, stat []byte) (process, bool) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return process{}, false
	}
	fields := bytes.Fields(stat[end+1:]) // state, ppid, pgrp, ...
	if len(fields) < 3 {
		return process{}, false
	}
	parent, errParent := strconv.Atoi(string(fields[1]))
	group, errGroup := strconv.Atoi(string(fields[2]))
	return process{pid: pid, parent: parent, group: group}, errParent == nil && errGroup == nil
}
