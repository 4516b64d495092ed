package executable

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// lowestExecFD keeps the descriptor of the program clear of those that the
// child's standard streams and lifeline are moved to between fork and exec.
const lowestExecFD = 100

// execPath returns a path by which exec runs the very file that was checked. The
// file is to be kept open until then. A script is run by its declared path, as
// its interpreter opens the path again after exec has closed the descriptor.
func (f *File) execPath() (string, error) {
	if f.isScript() {
		return f.path, f.unchanged()
	}
	fd, err := unix.FcntlInt(f.file.Fd(), unix.F_DUPFD_CLOEXEC, lowestExecFD)
	if err != nil {
		return "", fmt.Errorf("duplicate descriptor of %s: %w", f.path, err)
	}
	f.file.Close()
	f.file = os.NewFile(uintptr(fd), f.path)
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	if _, err := os.Stat(path); err != nil { // no /proc here
		return f.path, f.unchanged()
	}
	return path, nil
}

func changeTime(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctim.Unix()) }
