package host

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
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

// readRecord reads what writeRecord wrote. Where there is no file, into stays as
// it is.
func readRecord(path string, into any) error {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return json.Unmarshal(data, into)
}

// writeRecord replaces the file as a whole, and makes its folder.
func writeRecord(path string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return renameio.WriteFile(path, data, 0o600)
}
