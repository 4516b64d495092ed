package plugin

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestTailKeepsTheEnd(t *testing.T) {
	for claim, c := range map[string]struct {
		writes []string
		first  string
		last   string
		lines  int
		panic  string
	}{
		"of few lines all":                 {[]string{"one\ntwo\n"}, "one", "two", 2, ""},
		"with a line that has not ended":   {[]string{"one\nt", "w"}, "one", "tw", 2, ""},
		"of many lines the last":           {[]string{strings.Repeat("x\n", 1000) + "end\n"}, "x", "end", tailLines, ""},
		"of long lines the beginning":      {[]string{strings.Repeat("x", 10<<20) + "\nend\n"}, strings.Repeat("x", lineBytes), "end", 2, ""},
		"within its bytes":                 {[]string{strings.Repeat(strings.Repeat("x", lineBytes)+"\n", 100)}, strings.Repeat("x", lineBytes), strings.Repeat("x", lineBytes), tailBytes / lineBytes, ""},
		"and the panic above a long stack": {[]string{"panic: oh no\n", strings.Repeat("main.go:1\n", 1000)}, "main.go:1", "main.go:1", tailLines, "panic: oh no"},
	} {
		t.Run(claim, func(t *testing.T) {
			var kept tail
			for _, w := range c.writes {
				if n, err := kept.Write([]byte(w)); n != len(w) || err != nil {
					t.Errorf("wrote %d of %d: %v", n, len(w), err)
				}
			}
			lines, panicLine := kept.last()
			if len(lines) != c.lines || lines[0] != c.first || lines[len(lines)-1] != c.last || panicLine != c.panic {
				t.Errorf("kept %d lines, %.20q to %.20q, panic %q", len(lines), lines[0], lines[len(lines)-1], panicLine)
			}
		})
	}
}

const testHandshake = "1|1|unix|/tmp/plugin123|grpc|MIIB"

type closedBuffer struct {
	bytes.Buffer
	closed bool
}

func (b *closedBuffer) Close() error {
	b.closed = true
	return nil
}

func TestHandshakeIsFoundAmongOtherLines(t *testing.T) {
	for claim, c := range map[string]struct {
		output    string
		handshake string
		stray     []string
	}{
		"alone":                         {testHandshake + "\n", testHandshake + "\n", nil},
		"after a greeting":              {"hello\n" + testHandshake + "\n", testHandshake + "\n", []string{"hello"}},
		"before chatter":                {testHandshake + "\nhi\n", testHandshake + "\n", []string{"hi"}},
		"only once":                     {testHandshake + "\n" + testHandshake + "\n", testHandshake + "\n", []string{testHandshake}},
		"not in the end of a long line": {strings.Repeat("x", handshakeBytes) + testHandshake + "\n", "", []string{strings.Repeat("x", handshakeBytes)}},
		"not in a table":                {"1|2|3\na|b|unix|c\n", "", []string{"1|2|3", "a|b|unix|c"}},
		"of another network":            {"1|1|tcp|127.0.0.1:1|netrpc\n", "1|1|tcp|127.0.0.1:1|netrpc\n", nil},
	} {
		t.Run(claim, func(t *testing.T) {
			var handshake closedBuffer
			var stray []string
			drainStdout(strings.NewReader(c.output), &handshake, func(line string) { stray = append(stray, line) })
			if handshake.String() != c.handshake || handshake.closed != (c.handshake != "") {
				t.Errorf("handshake is %q, closed %v", handshake.String(), handshake.closed)
			}
			if strings.Join(stray, "\n") != strings.Join(c.stray, "\n") {
				t.Errorf("stray is %.100q", stray)
			}
		})
	}
}

func FuzzDrainStdout(f *testing.F) {
	f.Add([]byte(testHandshake + "\n"))
	f.Add([]byte("hello\r\n" + testHandshake))
	f.Add([]byte("|||\n\x00\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		rest := bytes.NewReader(output)
		var handshake closedBuffer
		var kept tail
		drainStdout(rest, &handshake, kept.addLine)
		if left, _ := io.ReadAll(rest); len(left) > 0 {
			t.Errorf("%d bytes were not read", len(left))
		}
		if bytes.Count(handshake.Bytes(), []byte("\n")) > 1 {
			t.Errorf("handshake is %q", handshake.String())
		}
		if lines, _ := kept.last(); len(lines) > tailLines {
			t.Errorf("%d lines were kept", len(lines))
		}
	})
}
