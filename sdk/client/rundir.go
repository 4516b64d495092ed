package client

import (
	"errors"
	"fmt"
	"os"
)

// longestRunDir keeps the path of a socket below the 104 bytes that macOS allows:
// go-plugin adds two generated names.
const longestRunDir = 60

const systemTempDir = "/tmp"

// MakeRunDir makes a folder for the user only, where a process has its socket. It
// takes the system's place for temporary files when the person's own is too long
// for a socket, or no file can be made there.
func MakeRunDir() (string, error) {
	var failed error
	for _, parent := range []string{os.TempDir(), systemTempDir} {
		if len(parent)+len("/toolcrib-0123456789") > longestRunDir {
			failed = errors.Join(failed, fmt.Errorf("%s is too long for a socket", parent))
			continue
		}
		dir, err := os.MkdirTemp(parent, "toolcrib-")
		if err == nil {
			return dir, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", fmt.Errorf("make a private folder for its socket: %w; set TMPDIR to a folder with a short path that can be written to", failed)
}
