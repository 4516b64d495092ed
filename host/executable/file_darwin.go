package executable

import (
	"syscall"
	"time"
)

// execPath returns the declared path: macOS cannot run an open file. What is
// left is the moment between this check and exec.
func (f *File) execPath() (string, error) { return f.path, f.unchanged() }

func changeTime(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctimespec.Unix()) }
