package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format lays a configuration out as every other one. What it says, its comments,
// its line ends and a byte order mark stay. A text that does not parse, or that
// [Load] would refuse as a whole, is not formatted: then there is an error in the
// diagnostics, in which the text is called name.
func Format(name string, text []byte) ([]byte, Diagnostics) {
	mark, body := []byte(nil), text
	if rest, found := bytes.CutPrefix(text, byteOrderMark); found {
		mark, body = byteOrderMark, rest
	}
	s := &source{name: name, text: body}
	switch {
	case len(text) > maxFile:
		return nil, Diagnostics{s.refused(fmt.Sprintf("It is larger than %d KiB.", maxFile>>10))}
	case !utf8.Valid(text):
		return nil, Diagnostics{s.refused("It is not UTF-8 text. Save it as UTF-8.")}
	}
	if fault, ok := s.tooDeep(); ok {
		return nil, Diagnostics{fault}
	}
	if _, found := hclsyntax.ParseConfig(body, name, hcl.InitialPos); found.HasErrors() {
		return nil, s.fromHCL(firstError(found))
	}
	return append(bytes.Clone(mark), hclwrite.Format(body)...), nil
}

var byteOrderMark = []byte("\ufeff")

// FilesIn lists the configurations in one folder that are Toolcrib's, in HCL's
// native syntax: those in .toolcrib, a config.hcl with a toolcrib block, and the
// config.local.hcl beside one.
func FilesIn(dir string) ([]string, error) {
	var files []string
	entries, err := os.ReadDir(filepath.Join(dir, ".toolcrib"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list configurations: %w", err)
	}
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == ".hcl" && !entry.IsDir() {
			files = append(files, filepath.Join(dir, ".toolcrib", entry.Name()))
		}
	}
	own := filepath.Join(dir, openName)
	switch text, err := readBounded(own); {
	case err == nil && toolcribBlock.Match(text):
		files = append(files, own)
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNoFile):
		return nil, fmt.Errorf("list configurations: %w", err)
	}
	local := filepath.Join(dir, localName)
	if _, err := os.Stat(local); err == nil && len(files) > 0 {
		files = append(files, local)
	}
	return files, nil
}
