package terminal

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// staged is a command in the shell's private directory, waiting to be claimed:
//
//	line               what the host's key puts into the line editor
//	<claim>/command    the command's text
//	<claim>/dir        where to run it; empty is where the shell is
//	<claim>/token      the secret of its start and end marks
//	<claim>/start,end  where the shell was then, written by the shell
//
// The claim is in the line that the person can see. The token is not: the shell
// reads it when a mark is due and keeps it nowhere, so that nothing the command
// prints can contain it.
type staged struct {
	root, claim, token string
}

// randomID is unguessable: 16 bytes in hex.
func randomID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

// stage writes a command into root, which is private.
func stage(root string, kind shellKind, h Handoff) (*staged, error) {
	s := &staged{root: root, claim: randomID()[:8], token: randomID()}
	if err := os.Mkdir(s.path(""), 0o700); err != nil {
		return nil, fmt.Errorf("stage command: %w", err)
	}
	for _, f := range []struct{ name, text string }{
		{"command", h.Command},
		{"dir", h.Dir},
		{"token", s.token + "\n"},
		// The shell's umask must not decide whether the host can read these.
		{"start", ""},
		{"end", ""},
		{"../line", s.line(kind) + "\n"},
	} {
		if err := os.WriteFile(s.path(f.name), []byte(f.text), 0o600); err != nil {
			s.remove()
			return nil, fmt.Errorf("stage command: %w", err)
		}
	}
	return s, nil
}

// line is what runs the staged command. The eval is at the top level of the
// shell and not in a function, so that declare, return and $@ mean what they
// mean at the prompt. The redirections hide an xtrace of our own functions.
func (s *staged) line(kind shellKind) string {
	quiet := ""
	if kind == zsh {
		quiet = "unsetopt xtrace; "
	}
	return fmt.Sprintf(` { __crib_run %s; %s} 2>/dev/null; \eval "$__crib_cmd"; { __crib_end; } 2>/dev/null`, s.claim, quiet)
}

func (s *staged) path(name string) string { return filepath.Join(s.root, s.claim, name) }

// read returns what the shell wrote; empty when it did not.
func (s *staged) read(name string) string {
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		return ""
	}
	return string(text)
}

// remove takes the command back: it cannot be claimed any more.
func (s *staged) remove() {
	_ = os.Remove(filepath.Join(s.root, "line"))
	_ = os.RemoveAll(s.path(""))
}
