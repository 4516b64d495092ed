// Package control lets a command in another shell ask a running session to reload.
//
// Each session listens on a socket of its own in a private folder of its
// workspace's state. One connection carries one request and its answer, a line of
// JSON each:
//
//	{"command":"reload","provider":"words"}
//	{"report":{"providers":[{"provider":"words","action":"restarted"}],"trusted":true}}
//
// A reload only does what the person's files and agreements already say, so this
// is no way to widen anything; there is no other command. The two ends make sure
// that they belong to one user.
package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
)

// Request is what is asked of a session.
type Request struct {
	// Command is "reload".
	Command string `json:"command"`
	// Provider is the one to start anew; empty reads the configuration again.
	Provider string `json:"provider,omitempty"`
}

// CommandReload is the one command there is.
const CommandReload = "reload"

// Answer is what a session did. Report is nil when it did nothing; then Error and
// Hint say why and what to do.
type Answer struct {
	PID    int          `json:"pid"` // of the session
	Report *host.Report `json:"report,omitempty"`
	Error  string       `json:"error,omitempty"`
	Hint   string       `json:"hint,omitempty"`
	// Diagnostics are the faults of a configuration that was refused.
	Diagnostics config.Diagnostics `json:"diagnostics,omitempty"`
}

const (
	// maxRequest and maxAnswer bound a line, in bytes.
	maxRequest = 4 << 10
	maxAnswer  = 4 << 20
	// greeting is how long a request may take to arrive.
	greeting = 5 * time.Second
	// socketSuffix ends the names of sockets, which begin with the pid.
	socketSuffix = ".sock"
	// maxPath fits the address of a socket on all systems, with its end.
	maxPath = 100
)

// errOthers is a socket or a connection of another user.
var errOthers = errors.New("it belongs to another user")

// folder is where the sockets of a workspace are: in its state, or, where that
// makes too long an address, in a folder of the user below /tmp.
func folder(state string) string {
	own := filepath.Join(state, "sessions")
	if len(own)+len("/4194304-ABCDEF")+len(socketSuffix) <= maxPath {
		return own
	}
	return filepath.Join("/tmp", fmt.Sprintf("toolcrib-%d-%s", os.Geteuid(), short(state)))
}

// private makes the folder, or refuses one that others may write.
func private(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || !ok || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s is not a folder that only you may use; remove it", folder)
	}
	return nil
}

// sockets lists the sockets in a folder with the process that each names.
func sockets(folder string) map[string]int {
	found := make(map[string]int)
	entries, _ := os.ReadDir(folder) // without the folder there are none
	for _, entry := range entries {
		name, ours := strings.CutSuffix(entry.Name(), socketSuffix)
		number, _, _ := strings.Cut(name, "-")
		if pid, err := strconv.Atoi(number); ours && err == nil && pid > 0 {
			found[filepath.Join(folder, entry.Name())] = pid
		}
	}
	return found
}

// sameUser refuses a connection whose other end is another user's.
func sameUser(connection *net.UnixConn) error {
	raw, err := connection.SyscallConn()
	if err != nil {
		return err
	}
	var uid uint32
	var peerErr error
	if err := raw.Control(func(fd uintptr) { uid, peerErr = peerUID(int(fd)) }); err != nil {
		return err
	}
	if peerErr != nil {
		return fmt.Errorf("who is at the other end: %w", peerErr)
	}
	if int(uid) != os.Geteuid() {
		return errOthers
	}
	return nil
}

// read reads one JSON value of at most limit bytes. Fields that are not known are
// passed over.
func read(r io.Reader, limit int64, value any) error {
	if err := json.NewDecoder(io.LimitReader(r, limit)).Decode(value); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("it does not end within %d bytes", limit)
		}
		return err
	}
	return nil
}
