package trust

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/adrg/xdg"
	"github.com/google/renameio/v2"
)

// Store keeps agreements. It may be used from several goroutines and processes:
// a record is replaced as a whole.
type Store struct {
	dir string
}

// NewStore keeps records below stateDir; empty is the XDG state folder.
func NewStore(stateDir string) *Store {
	if stateDir == "" {
		stateDir = filepath.Join(xdg.StateHome, "toolcrib")
	}
	return &Store{dir: filepath.Join(stateDir, "trust")}
}

// Verdict says whether a set may be started.
type Verdict struct {
	Trusted bool
	// Request is what to ask the person; nil when trusted.
	Request *Request
}

// Request asks a person to agree to a set.
type Request struct {
	// Workspace is the resolved path of the workspace.
	Workspace string `json:"workspace"`
	Set       Set    `json:"set"`
	// Changes since the person last agreed; empty when they never did.
	Changes []string `json:"changes,omitempty"`
	// Problem says why an earlier agreement could not be used.
	Problem string `json:"problem,omitempty"`
	// AllowedEnv are those of the variables that providers ask for that the
	// person's own configuration lets them have.
	AllowedEnv []string `json:"allowed_env,omitempty"`
}

// Describe tells the person what they would agree to, one line each.
func (r *Request) Describe() []string {
	lines := []string{"The configuration of " + r.Workspace}
	for _, line := range r.Set.Describe() {
		lines = append(lines, "  "+line)
	}
	if asked := r.Set.passEnv(); len(asked) > 0 {
		lines = append(lines, "Of the variables that are asked for, your own configuration allows "+cmp.Or(strings.Join(r.AllowedEnv, ", "), "none"))
	}
	if r.Problem != "" {
		lines = append(lines, "Your earlier agreement can't be used: "+r.Problem)
	}
	if len(r.Changes) > 0 {
		lines = append(lines, "Since you agreed")
		for _, line := range r.Changes {
			lines = append(lines, "  "+line)
		}
	}
	return lines
}

// record is one agreement as it is stored.
type record struct {
	Workspace string `json:"workspace"`
	Set       Set    `json:"set"`
	// Folder is the number of the folder that records are in. A record that is
	// in the workspace must have it, and one that came with the workspace's
	// files cannot.
	Folder uint64 `json:"folder"`
}

// Check compares a set with what the person agreed to for the workspace. An
// empty set needs no agreement. A record that cannot be used is no agreement.
func (s *Store) Check(workspace string, set Set) Verdict {
	if set.Empty() {
		return Verdict{Trusted: true}
	}
	resolved, err := resolve(workspace)
	if err != nil {
		return Verdict{Request: &Request{Workspace: workspace, Set: set, Problem: err.Error()}}
	}
	request := &Request{Workspace: resolved, Set: set}
	agreed, err := s.read(resolved)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Verdict{Request: request}
	case err != nil:
		request.Problem = err.Error()
		return Verdict{Request: request}
	case agreed.Set.Equal(set):
		return Verdict{Trusted: true}
	}
	request.Changes = Changes(agreed.Set, set)
	return Verdict{Request: request}
}

// Grant records that the person agrees to the set, in place of any earlier one.
func (s *Store) Grant(workspace string, set Set) error {
	resolved, err := resolve(workspace)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	info, err := os.Stat(s.dir)
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	text, err := json.MarshalIndent(record{resolved, set, inode(info)}, "", "  ")
	if err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	// The umask must not decide who can write what we believe.
	if err := renameio.WriteFile(s.path(resolved), append(text, '\n'), 0o600, renameio.IgnoreUmask()); err != nil {
		return fmt.Errorf("record trust: %w", err)
	}
	return nil
}

// Revoke forgets the agreement for a workspace. Without one it does nothing.
func (s *Store) Revoke(workspace string) error {
	resolved, err := resolve(workspace)
	if err != nil {
		return err
	}
	if err := os.Remove(s.path(resolved)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("revoke trust: %w", err)
	}
	return nil
}

// path names a record after its workspace, whose own path may be too long or
// odd for a file name.
func (s *Store) path(resolved string) string {
	sum := sha256.Sum256([]byte(resolved))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// read returns an agreement, if only the person can have written it.
func (s *Store) read(resolved string) (record, error) {
	path := s.path(resolved)
	folder, err := private(s.dir)
	if err != nil {
		return record{}, err
	}
	if _, err := private(path); err != nil {
		return record{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return record{}, err
	}
	var agreed record
	if err := json.Unmarshal(text, &agreed); err != nil {
		return record{}, fmt.Errorf("read %s: %w", path, err)
	}
	if agreed.Workspace != resolved {
		return record{}, fmt.Errorf("%s is the record of %s", path, agreed.Workspace)
	}
	if inWorkspace(resolved, s.dir) && agreed.Folder != inode(folder) {
		return record{}, fmt.Errorf("%s is in the workspace and was not written here", path)
	}
	return agreed, nil
}

// private refuses a path that somebody else owns or may write, or a link to one.
func private(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, fmt.Errorf("%s is a link; remove it", path)
	case info.Mode().Perm()&0o022 != 0:
		return nil, fmt.Errorf("others may write %s; remove it, or run chmod go-w on it if its content is yours", path)
	case ok && int(stat.Uid) != os.Geteuid():
		return nil, fmt.Errorf("%s belongs to another user; remove it", path)
	}
	return info, nil
}

// inWorkspace reports whether what is kept in dir could have come with the files
// of a workspace. What cannot be resolved could.
func inWorkspace(workspace, dir string) bool {
	resolved, err := resolve(dir)
	if err != nil {
		return true
	}
	_, inside := within(workspace, resolved)
	return inside
}
