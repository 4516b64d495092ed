package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// maxFile is the largest configuration that is read, in bytes. Real ones have
// some kilobytes.
const maxFile = 512 << 10

// source is one file as it was read.
type source struct {
	path string // absolute
	name string // as people are shown it
	text []byte
}

// readSource reads a file and checks that it can be a configuration. Both
// results are nil when there is no such file.
func readSource(path, base string) (*source, Diagnostics) {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	s := &source{path: path, name: displayName(path, base)}
	text, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		if target, err := os.Readlink(path); err == nil {
			return nil, Diagnostics{s.refused(fmt.Sprintf("It is a link to %s, which does not exist. Make that file, or remove the link.", target))}
		}
		return nil, nil
	case err != nil:
		return nil, Diagnostics{s.unreadable(err)}
	case len(text) > maxFile:
		return nil, Diagnostics{s.refused(fmt.Sprintf("It is larger than %d KiB. Keep data out of the configuration.", maxFile>>10))}
	case !utf8.Valid(text):
		return nil, Diagnostics{s.refused("It is not UTF-8 text. Save it as UTF-8.")}
	}
	// Editors of other systems put a byte order mark in front.
	s.text = bytes.TrimPrefix(text, []byte("\ufeff"))
	return s, nil
}

func readBounded(path string) ([]byte, error) {
	// A named pipe would wait for its writer.
	return readStable(func() (fs.File, error) { return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) })
}

// maxReads is how often a file is read that changes meanwhile.
const maxReads = 3

// readStable reads a file, and reads it again when it changed meanwhile: half of
// what an editor writes is another configuration.
func readStable(open func() (fs.File, error)) ([]byte, error) {
	for range maxReads {
		text, stable, err := readOnce(open)
		if err != nil || stable {
			return text, err
		}
	}
	return nil, errChanging
}

func readOnce(open func() (fs.File, error)) (text []byte, stable bool, err error) {
	file, err := open()
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	if !before.Mode().IsRegular() {
		return nil, false, errNoFile
	}
	text, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, false, err
	}
	after, err := file.Stat()
	if err != nil {
		return nil, false, err
	}
	stable = before.Size() == after.Size() && before.ModTime().Equal(after.ModTime()) && (int64(len(text)) == after.Size() || len(text) > maxFile)
	return text, stable, nil
}

var errChanging = errors.New("it changes while it is read")

var errNoFile = errors.New("not a regular file")

func (s *source) unreadable(err error) Diagnostic {
	switch {
	case errors.Is(err, errNoFile):
		return s.refused("It is not a regular file. Put a file with the configuration in its place, or remove it.")
	case errors.Is(err, errChanging):
		return s.refused("It changes again and again while it is read. Try again when it is written.")
	case errors.Is(err, syscall.ELOOP):
		return s.refused("It is a link that leads back to itself. Put a file in its place, or remove it.")
	case errors.Is(err, fs.ErrPermission):
		return s.refused("You may not read it. Change its permissions, for example with chmod u+r.")
	}
	return s.refused(fmt.Sprintf("Reading it failed: %v.", err))
}

// refused is a diagnostic of the file as a whole.
func (s *source) refused(detail string) Diagnostic {
	return Diagnostic{Severity: Error, Summary: "Cannot use " + s.name, Detail: detail, File: s.name}
}

// displayName is a path relative to where the person is, unless that is longer.
func displayName(path, base string) string {
	relative, err := filepath.Rel(base, path)
	if err != nil || len(relative) >= len(path) {
		return path
	}
	return relative
}

// place is "file:line", as rules keep it.
func (s *source) place(r hcl.Range) string { return fmt.Sprintf("%s:%d", s.name, r.Start.Line) }
