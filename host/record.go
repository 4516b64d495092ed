package host

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// How long a record waits for another host to finish its own. One that holds the
// lock and does not run must not stop this one.
const (
	lockTimeout = time.Second
	lockRetry   = 10 * time.Millisecond
)

// locked runs change while no other host changes the file, whose folder it makes.
func locked(path string, change func() error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	lock := flock.New(path + ".lock")
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return err
	}
	defer lock.Unlock()
	return change()
}
