package builtin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/toolcrib/toolcrib/sdk"
)

const (
	defaultLines = 2000
	// maxLineBytes is what is shown of one line; the rest is counted.
	maxLineBytes = 2000
	// sniffBytes is how much of a file tells whether it is text.
	sniffBytes = 8 << 10
	// footerBytes has room for the notes below the lines.
	footerBytes = 4 << 10
)

type readInput struct {
	Path   string `json:"path" jsonschema:"the file, relative to the workspace or absolute"`
	Offset int    `json:"offset,omitempty" jsonschema:"the first line to read, counted from 1; the beginning by default"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many lines to read; 2000 by default"`
}

// readOutput is the structured result of Read.
type readOutput struct {
	Path string `json:"path"`
	// FirstLine and Lines tell what is shown; no line of an empty file is.
	FirstLine int  `json:"first_line"`
	Lines     int  `json:"lines"`
	More      bool `json:"more"`
	CRLF      bool `json:"crlf,omitempty"`
	BOM       bool `json:"bom,omitempty"`
}

func newRead(files folder, maxBytes int) sdk.Tool {
	return sdk.NewTool(sdk.Spec{
		Name:  "Read",
		Title: "Read a file",
		Description: "Read a text file. Every line is shown with its number and a tab before it, which are not part of the file. " +
			"A long file is read in parts with offset and limit.",
		ReadOnly:       true,
		Idempotent:     true,
		Load:           sdk.LoadAlways,
		Subjects:       []sdk.SubjectField{{Field: "path", Kind: sdk.SubjectPath, Access: sdk.AccessRead}},
		MaxResultBytes: maxBytes + footerBytes,
		SearchHints:    []string{"cat", "view", "show", "open", "file", "content"},
	}, func(ctx context.Context, _ *sdk.Call, in readInput) (*sdk.Result, error) {
		return read(ctx, files, maxBytes, in)
	})
}

func read(ctx context.Context, files folder, maxBytes int, in readInput) (*sdk.Result, error) {
	if in.Offset < 0 || in.Limit < 0 {
		return nil, errors.New("offset and limit cannot be negative; offset counts lines from 1")
	}
	path, err := files.resolve(in.Path)
	if err != nil {
		return nil, err
	}
	file, _, err := files.open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()

	reader := bufio.NewReaderSize(file, 64<<10)
	sample, err := reader.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", files.display(path), err)
	}
	if err := refuseBinary(files.display(path), sample); err != nil {
		return nil, err
	}
	p := &page{first: max(in.Offset, 1), limit: in.Limit, maxBytes: maxBytes}
	if p.limit == 0 {
		p.limit = defaultLines
	}
	if bytes.HasPrefix(sample, []byte(bom)) {
		p.bom = true
		_, _ = reader.Discard(len(bom))
	}
	if err := p.fill(ctx, reader); err != nil {
		return nil, fmt.Errorf("read %s: %w", files.display(path), err)
	}
	if p.shown == 0 && p.seen > 0 {
		return nil, fmt.Errorf("%s has %d lines and offset is %d; read it with an offset up to %[2]d", files.display(path), p.seen, in.Offset)
	}
	structured, err := json.Marshal(readOutput{
		Path: path, FirstLine: p.first, Lines: p.shown, More: p.more, CRLF: p.crlf > 0, BOM: p.bom,
	})
	if err != nil {
		return nil, err
	}
	return &sdk.Result{Content: []sdk.Content{sdk.Text(p.text())}, Structured: structured}, nil
}

const bom = "\ufeff"

// refuseBinary says what a file is that has no lines to show.
func refuseBinary(name string, sample []byte) error {
	switch {
	case bytes.HasPrefix(sample, []byte("\xff\xfe")), bytes.HasPrefix(sample, []byte("\xfe\xff")):
		return fmt.Errorf("%s is UTF-16; convert it with Bash: iconv -f UTF-16 -t UTF-8 %[1]s", name)
	case bytes.IndexByte(sample, 0) >= 0:
		kind, _, _ := strings.Cut(http.DetectContentType(sample), ";")
		return fmt.Errorf("%s is binary (%s); look at it with Bash: file %[1]s, or: xxd %[1]s | head", name, kind)
	}
	return nil
}
