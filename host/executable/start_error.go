package executable

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"syscall"
)

// startError names the program as it was declared, not the descriptor by which it
// was run, and says what the system's word for the failure means.
func (f *File) startError(err error) error {
	var failed *fs.PathError
	if !errors.As(err, &failed) || failed.Op != "fork/exec" {
		return fmt.Errorf("start program: %w", err)
	}
	switch {
	case errors.Is(failed.Err, syscall.ENOEXEC):
		return fmt.Errorf("start program: %s is no program for this system (%s/%s): %w; install the build for it",
			f.path, runtime.GOOS, runtime.GOARCH, failed.Err)
	case errors.Is(failed.Err, syscall.ENOENT):
		return fmt.Errorf("start program: what runs %s, its interpreter, is missing: %w", f.path, failed.Err)
	}
	return fmt.Errorf("start program: %s: %w", f.path, failed.Err)
}
