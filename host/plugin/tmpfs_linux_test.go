package plugin

import (
	"testing"

	"golang.org/x/sys/unix"
)

// mountTmpfs skips the test where that is not allowed.
func mountTmpfs(t *testing.T, dir string, readOnly bool, options string) {
	t.Helper()
	var flags uintptr
	if readOnly {
		flags = unix.MS_RDONLY
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}
