package config

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestAFileThatChangesWhileItIsRead reads real files that are written to at the
// moment when their end is reached.
func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.hcl")
	for _, test := range []struct {
		name    string
		changes int
		want    string
		err     error
	}{
		{"is read as it is when it is stable", 0, "a", nil},
		{"is read again", 2, "abb", nil},
		{"is refused when it never rests", 3, "", errChanging},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := os.WriteFile(path, []byte("a"), 0o644); err != nil {
				t.Fatal(err)
			}
			left := test.changes
			text, err := readStable(func() (fs.File, error) {
				file, err := os.Open(path)
				return &changing{File: file, left: &left}, err
			})
			if string(text) != test.want || !errors.Is(err, test.err) {
				t.Errorf("readStable = %q, %v, want %q, %v", text, err, test.want, test.err)
			}
		})
	}
}

// changing appends to the file once its end was read.
type changing struct {
	*os.File
	left *int
}

func (c *changing) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	if errors.Is(err, io.EOF) && *c.left > 0 {
		*c.left--
		file, open := os.OpenFile(c.Name(), os.O_APPEND|os.O_WRONLY, 0)
		if open != nil {
			return n, open
		}
		defer file.Close()
		if _, write := file.WriteString("b"); write != nil {
			return n, write
		}
	}
	return n, err
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		a, b          string
		fits, overlap bool // b fits a; they have a text in common
	}{
		{"a", "a", true, true},
		{"a", "b", false, false},
		{"a*", "abc", true, true},
		{"a*a", "a", false, false},
		{"*", "", true, true},
		{"delete_*", "*elete_it", false, true},
		{"delete_*", "delete_i*", true, true},
		{"a*", "b*", false, false},
		{"a*c", "ab*", false, true},
		{"*a*b*", "xaxbx", true, true},
		{"*a*b*", "b", false, false},
		{"a*b", "ab", true, true},
	}
	for _, test := range tests {
		if got := matchPattern(test.a, test.b); got != test.fits {
			t.Errorf("matchPattern(%q, %q) = %v", test.a, test.b, got)
		}
		if overlap(test.a, test.b) != test.overlap || overlap(test.b, test.a) != test.overlap {
			t.Errorf("overlap(%q, %q) is not %v both ways", test.a, test.b, test.overlap)
		}
	}
}
