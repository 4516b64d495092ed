package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/google/renameio/v2"

	"github.com/toolcrib/toolcrib/host/plugin"
)

// maxCrashes is how many records a workspace keeps.
const maxCrashes = 100

// crashFile keeps the crashes of a workspace, one JSON line each, the oldest
// first. It is shared by all hosts of the workspace, under a file lock.
type crashFile struct{ path string }

func (f crashFile) append(crash plugin.Crash) error {
	if err := locked(f.path, func() error { return f.add(crash) }); err != nil {
		return fmt.Errorf("record crash: %w", err)
	}
	return nil
}

func (f crashFile) add(crash plugin.Crash) error {
	crashes, err := f.read()
	if err != nil {
		return err
	}
	crashes = append(crashes, crash)
	if extra := len(crashes) - maxCrashes; extra > 0 {
		crashes = crashes[extra:]
	}
	var lines bytes.Buffer
	for _, c := range crashes {
		if err := json.NewEncoder(&lines).Encode(c); err != nil {
			return err
		}
	}
	return renameio.WriteFile(f.path, lines.Bytes(), 0o600)
}

// read returns all records. Lines that cannot be read are passed over: the
// file is a record for people and must not stop anything.
func (f crashFile) read() ([]plugin.Crash, error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read crash records: %w", err)
	}
	var crashes []plugin.Crash
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var crash plugin.Crash
		if json.Unmarshal(scanner.Bytes(), &crash) == nil {
			crashes = append(crashes, crash)
		}
	}
	return crashes, nil
}

// Crashes returns the recorded crashes of the workspace's providers, of this
// and of earlier sessions, the last one first.
func (h *Host) Crashes() ([]plugin.Crash, error) {
	crashes, err := h.crashes.read()
	slices.Reverse(crashes)
	if crashes == nil {
		crashes = []plugin.Crash{} // a list in JSON, too
	}
	return crashes, err
}
