// Package executable starts programs so that what runs is the file that was
// checked, with little of the host's environment, and leaves nothing behind when
// it ends. Providers and hooks are started with it.
package executable

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/toolcrib/toolcrib/host/trust"
)

// File is an open program. It stays open until a process has been started from
// it. The zero value is no program. It is not safe for concurrent use.
type File struct {
	file   *os.File
	path   string // as declared
	sha256 string
}

// ChecksumError tells that a program is not the one that was agreed to.
type ChecksumError struct {
	Path, Want, Got string
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s has sha256 %s, and %s was agreed to; install that version, or agree to this one with `toolcrib trust`",
		e.Path, e.Got, e.Want)
}

// Open opens a program and takes its checksum. One that is not the program's, if
// that has one, is a *[ChecksumError]; a file that was agreed to along with it and
// has changed is an error, too. Of a program that may have any checksum, known may
// tell it. The caller closes the file.
func Open(program trust.Program, known *Checksums) (*File, error) {
	path, want := program.Path(), program.SHA256()
	if path == "" {
		return nil, errors.New("open program: there is none")
	}
	if err := program.Check(); err != nil {
		return nil, fmt.Errorf("open program: %w", err)
	}
	// Opening a named pipe would wait for its writer otherwise.
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, fmt.Errorf("open program: %w", err)
	}
	f := &File{file: file, path: path}
	if err := f.check(want, known); err != nil {
		file.Close()
		return nil, err
	}
	return f, nil
}

func (f *File) check(want string, known *Checksums) error {
	info, err := f.file.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("open program: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("open program: %s is not a file", f.path)
	case info.Mode()&0o111 == 0:
		return fmt.Errorf("open program: %s is not executable; run chmod +x %s", f.path, f.path)
	}
	if want == "" {
		f.sha256, err = known.of(f.file, info)
		return err
	}
	f.sha256, err = checksum(f.file)
	if err == nil && !strings.EqualFold(want, f.sha256) {
		return &ChecksumError{Path: f.path, Want: want, Got: f.sha256}
	}
	return err
}

// checksum reads all of file.
func checksum(file *os.File) (string, error) {
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read program: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// isScript reports whether an interpreter runs the program.
func (f *File) isScript() bool {
	var magic [2]byte
	_, err := f.file.ReadAt(magic[:], 0)
	return err == nil && string(magic[:]) == "#!"
}

// unchanged reports whether path still leads to the open file.
func (f *File) unchanged() error {
	opened, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("start program: %w", err)
	}
	now, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("start program: %w", err)
	}
	if !os.SameFile(opened, now) {
		return errors.New("start program: " + f.path + " was replaced while its checksum was taken; try again")
	}
	return nil
}

// SHA256 is the checksum of the program in hexadecimal.
func (f *File) SHA256() string { return f.sha256 }

// Close lets go of the file. Closing twice does no harm.
func (f *File) Close() { f.file.Close() }
