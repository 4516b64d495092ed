package trust

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when the inode of a file last changed.
func changed(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctimespec.Unix()).UTC()
	}
	return info.ModTime().UTC()
}
