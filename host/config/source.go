package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	case errors.Is(err, fs.ErrNotExist):
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
	// Opening a named pipe would wait for its writer.
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxFile+1))
}

var errNoFile = errors.New("not a regular file")

func (s *source) unreadable(err error) Diagnostic {
	switch {
	case errors.Is(err, errNoFile):
		return s.refused("It is not a regular file. Put a file with the configuration in its place, or remove it.")
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
