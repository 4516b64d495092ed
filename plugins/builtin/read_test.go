package builtin

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func TestRead(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		input   readInput
		want    string
	}{
		"numbers the lines":             {"a\nb\n", readInput{}, "     1\ta\n     2\tb\n"},
		"from an offset":                {"a\nb\nc\n", readInput{Offset: 2}, "     2\tb\n     3\tc\n"},
		"up to a limit":                 {"a\nb\nc\n", readInput{Limit: 2}, "     1\ta\n     2\tb\n[the file goes on; read more with offset 3]\n"},
		"a limit that is just enough":   {"a\nb\n", readInput{Limit: 2}, "     1\ta\n     2\tb\n"},
		"an empty file":                 {"", readInput{}, "[the file is empty]\n"},
		"a last line without an end":    {"a\nb", readInput{}, "     1\ta\n     2\tb\n[the last line has no line end]\n"},
		"empty lines":                   {"\n\n", readInput{}, "     1\t\n     2\t\n"},
		"DOS line ends":                 {"a\r\nb\r\n", readInput{}, "     1\ta\n     2\tb\n[lines end in CRLF]\n"},
		"mixed line ends":               {"a\r\nb\n", readInput{}, "     1\ta\n     2\tb\n[1 lines end in CRLF and 1 in LF]\n"},
		"a byte order mark":             {"\ufeffa\n", readInput{}, "     1\ta\n[it starts with a UTF-8 byte order mark, which is not shown]\n"},
		"only a byte order mark":        {"\ufeff", readInput{}, "[the file has no lines; it starts with a UTF-8 byte order mark, which is not shown]\n"},
		"bytes that are not UTF-8":      {"gr\xfc\xdfe\n", readInput{}, "     1\tgr\ufffde\n[bytes that are not UTF-8 are shown as \ufffd]\n"},
		"a long line is cut":            {strings.Repeat("x", 2500) + "\nb\n", readInput{}, "     1\t" + strings.Repeat("x", 2000) + "[... 500 more bytes in this line ...]\n     2\tb\n"},
		"but not inside of a character": {"x" + strings.Repeat("é", 1000), readInput{}, "     1\tx" + strings.Repeat("é", 999) + "[... 2 more bytes in this line ...]\n[the last line has no line end]\n"},
		"a line of the longest length":  {strings.Repeat("x", 2000) + "\n", readInput{}, "     1\t" + strings.Repeat("x", 2000) + "\n"},
		"a line beyond any buffer":      {strings.Repeat("x", 200_000) + "\r\nb\n", readInput{Offset: 2}, "     2\tb\n"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, "")
			w.write("f.txt", tc.content)
			tc.input.Path = "f.txt"
			result := w.call(t.Context(), "Read", tc.input, nil)
			if result.IsError || text(result) != tc.want {
				t.Errorf("got %q\nwant %q", text(result), tc.want)
			}
		})
	}
}

func TestReadTellsWhatItShows(t *testing.T) {
	w := newWorkspace(t, "")
	w.write("f", "a\r\nb\r\nc\r\n")
	got := structured[readOutput](t, w.call(t.Context(), "Read", readInput{Path: "f", Offset: 2, Limit: 1}, nil))
	if want := (readOutput{Path: w.path("f"), FirstLine: 2, Lines: 1, More: true, CRLF: true}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadFindsFiles(t *testing.T) {
	w := newWorkspace(t, "")
	if err := os.MkdirAll(w.path("a/b"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.write("a/b/f", "here\n")
	if err := os.Symlink("a/b/f", w.path("link")); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"by a relative path":  "a/b/f",
		"by an absolute path": w.path("a/b/f"),
		"by an unclean path":  "./a/../a//b/f",
		"by a link":           "link",
	} {
		t.Run(name, func(t *testing.T) {
			if got := text(w.call(t.Context(), "Read", readInput{Path: path}, nil)); got != "     1\there\n" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	w := newWorkspace(t, "")
	w.write("README.md", "a\nb\n")
	w.write("main.go", "package main\n")
	w.write("program", "\x7fELF\x00\x01")
	w.write("utf16", "\xff\xfea\x00")
	if err := os.Mkdir(w.path("folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(w.path("pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		input readInput
		want  []string
	}{
		"no path":                      {readInput{}, []string{"path is empty"}},
		"a zero byte":                  {readInput{Path: "a\x00b"}, []string{"zero byte"}},
		"another case":                 {readInput{Path: "readme.md"}, []string{"did you mean README.md"}},
		"a slip":                       {readInput{Path: "main.og"}, []string{"did you mean main.go"}},
		"another ending":               {readInput{Path: "README.txt"}, []string{"did you mean README.md"}},
		"nothing like it":              {readInput{Path: "something else"}, []string{"does not exist", "ls"}},
		"a folder that is not there":   {readInput{Path: "folder/x/y/z"}, []string{"nearest folder", "folder"}},
		"a home folder":                {readInput{Path: "~/x"}, []string{"~ is not expanded"}},
		"a folder":                     {readInput{Path: "folder"}, []string{"is a directory", "ls -la"}},
		"a pipe, without waiting":      {readInput{Path: "pipe"}, []string{"named pipe"}},
		"a device":                     {readInput{Path: "/dev/zero"}, []string{"device"}},
		"a program":                    {readInput{Path: "program"}, []string{"binary", "xxd"}},
		"UTF-16":                       {readInput{Path: "utf16"}, []string{"UTF-16", "iconv"}},
		"a part of a file that is one": {readInput{Path: "main.go/x"}, []string{"main.go/x"}},
		"an offset past the end":       {readInput{Path: "README.md", Offset: 9}, []string{"has 2 lines", "up to 2"}},
		"an offset before the start":   {readInput{Path: "README.md", Offset: -1}, []string{"cannot be negative"}},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "another case" && runtime.GOOS == "darwin" {
				t.Skip("the file system takes both cases for one")
			}
			wantError(t, w.call(t.Context(), "Read", tc.input, nil), tc.want...)
		})
	}
}

func TestReadStopsAtItsBytes(t *testing.T) {
	w := newWorkspace(t, `{"read":{"max_bytes":1024}}`)
	var content strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&content, "line %d\n", i+1)
	}
	w.write("f", content.String())

	next, seen := 1, 0
	for more := true; more; {
		result := w.call(t.Context(), "Read", readInput{Path: "f", Offset: next}, nil)
		if len(text(result)) > 1024+100 {
			t.Fatalf("%d bytes", len(text(result)))
		}
		out := structured[readOutput](t, result)
		if out.FirstLine != next {
			t.Fatalf("got lines from %d, want %d", out.FirstLine, next)
		}
		seen += out.Lines
		next, more = out.FirstLine+out.Lines, out.More
	}
	if seen != 1000 {
		t.Errorf("the parts have %d lines", seen)
	}
}

func TestReadOfAHugeFileStaysSmall(t *testing.T) {
	w := newWorkspace(t, "")
	file, err := os.Create(w.path("huge"))
	if err != nil {
		t.Fatal(err)
	}
	chunk := []byte(strings.Repeat("x", 1<<20))
	for range 64 { // one line of 64 MiB, then one that is asked for
		if _, err := file.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := file.WriteString("\nend\n"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result := w.call(t.Context(), "Read", readInput{Path: "huge", Offset: 2}, nil)
	runtime.ReadMemStats(&after)
	if text(result) != "     2\tend\n" {
		t.Errorf("got %q", text(result))
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("allocated %d bytes", used)
	}
}

func TestReadEndsWithItsContext(t *testing.T) {
	w := newWorkspace(t, "")
	w.write("f", "a\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, w.call(ctx, "Read", readInput{Path: "f"}, nil), "canceled")
}

func FuzzPage(f *testing.F) {
	f.Add("a\nb\n", 1, 10)
	f.Add("a\r\nb", 2, 1)
	f.Add("\xff\xfe\r\r\n\n", 1, 3)
	f.Add(strings.Repeat("é", 3000)+"\n", 1, 1)
	f.Fuzz(func(t *testing.T, content string, first, limit int) {
		if first < 1 || limit < 1 {
			t.Skip()
		}
		const maxBytes = 1024
		p := &page{first: first, limit: limit, maxBytes: maxBytes}
		if err := p.fill(t.Context(), bufio.NewReaderSize(strings.NewReader(content), 64)); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(content, "\n")
		if lines[len(lines)-1] == "" {
			lines = lines[:len(lines)-1]
		}
		if end := first - 1 + p.shown; p.shown > 0 && p.more != (end < len(lines)) {
			t.Errorf("shows %d lines from %d of %d, and more is %v", p.shown, first, len(lines), p.more)
		}
		if p.shown > limit || !utf8.ValidString(p.text()) || p.out.Len() > maxBytes && p.shown > 1 {
			t.Errorf("shows %d lines in %d bytes: %q", p.shown, p.out.Len(), p.text())
		}
		if got := strings.Count(p.out.String(), "\n"); got != p.shown {
			t.Errorf("%d lines are %d", p.shown, got)
		}
	})
}
