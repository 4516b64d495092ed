package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// binary is an open program. It stays open until the process has been started
// from it.
type binary struct {
	file   *os.File
	path   string // as declared
	sha256 string
}

// ChecksumError tells that a program is not the one that was agreed to.
type ChecksumError struct {
	Path, Want, Got string
}

func (e *ChecksumError) Error() string {
	return fmt.Sprintf("%s has sha256 %s, and %s was expected; install the expected version, or change the checksum in config.hcl if you trust this one",
		e.Path, e.Got, e.Want)
}

// openBinary opens a program and takes its checksum, which must be want. With an
// empty want any will do, and known may tell it.
func openBinary(path, want string, known *Checksums) (*binary, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open program: %w", err)
	}
	b := &binary{file: file, path: path}
	if err := b.check(want, known); err != nil {
		file.Close()
		return nil, err
	}
	return b, nil
}

func (b *binary) check(want string, known *Checksums) error {
	info, err := b.file.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("open program: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("open program: %s is not a file", b.path)
	case info.Mode()&0o111 == 0:
		return fmt.Errorf("open program: %s is not executable; run chmod +x %s", b.path, b.path)
	}
	if want == "" {
		b.sha256, err = known.of(b.file, info)
		return err
	}
	b.sha256, err = checksum(b.file)
	if err == nil && !strings.EqualFold(want, b.sha256) {
		return &ChecksumError{Path: b.path, Want: want, Got: b.sha256}
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
func (b *binary) isScript() bool {
	var magic [2]byte
	_, err := b.file.ReadAt(magic[:], 0)
	return err == nil && string(magic[:]) == "#!"
}

// unchanged reports whether path still leads to the open file.
func (b *binary) unchanged() error {
	opened, err := b.file.Stat()
	if err != nil {
		return fmt.Errorf("start program: %w", err)
	}
	now, err := os.Stat(b.path)
	if err != nil {
		return fmt.Errorf("start program: %w", err)
	}
	if !os.SameFile(opened, now) {
		return errors.New("start program: " + b.path + " was replaced while its checksum was taken; try again")
	}
	return nil
}

func (b *binary) close() { b.file.Close() }
