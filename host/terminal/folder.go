package terminal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/hashicorp/go-hclog"
)

// folder is the private directory of one shell. Its lock is held for as long as
// the host lives, so that what a killed host has left can be told from what is
// in use.
type folder struct {
	path string
	lock *flock.Flock
}

const (
	folderPrefix = "toolcrib-shell-"
	folderLock   = "lock"
	// unlockedAge is how old a folder without a lock must be to count as left
	// over: a host makes the lock right after the folder.
	unlockedAge = time.Hour
)

func makeFolder() (*folder, error) {
	path, err := os.MkdirTemp("", folderPrefix)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path, lock: flock.New(filepath.Join(path, folderLock), flock.SetPermissions(0o600))}
	held, err := f.lock.TryLock()
	if err == nil && !held {
		err = errors.New("another process holds its lock")
	}
	if err != nil {
		_ = os.RemoveAll(path)
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}

// remove removes the folder before its lock, or another host might sweep it at
// the same time.
func (f *folder) remove() {
	_ = os.RemoveAll(f.path)
	_ = f.lock.Close()
}

// sweepFolders removes the folders of hosts that were killed. It is best effort:
// what cannot be removed is left to the next.
func sweepFolders(logger hclog.Logger) {
	paths, err := filepath.Glob(filepath.Join(os.TempDir(), folderPrefix+"*"))
	if err != nil {
		return // a temporary directory whose name is no pattern
	}
	for _, path := range paths {
		if err := sweepFolder(path); err != nil {
			logger.Debug("left a folder of an earlier shell", "path", path, "error", err)
		}
	}
}

// sweepFolder removes a folder of this user's that nobody holds the lock of.
func sweepFolder(path string) error {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return nil
	}
	name := filepath.Join(path, folderLock)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if time.Since(info.ModTime()) < unlockedAge {
			return nil
		}
		return os.RemoveAll(path)
	}
	lock := flock.New(name, flock.SetFlag(os.O_RDWR)) // never makes the file
	defer lock.Close()
	if free, err := lock.TryLock(); err != nil || !free {
		return err
	}
	return os.RemoveAll(path)
}
