package shape_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/shape"
)

// lines returns "line 1\n" to "line n\n".
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for name, tc := range map[string]struct {
		in     string
		budget int
		path   string
		want   string
	}{
		"what fits stays":            {"abc", 3, "", "abc"},
		"nothing fits nothing":       {"", 0, "", ""},
		"no budget leaves nothing":   {"abc", 0, "", ""},
		"a negative budget is none":  {"abc", -1, "", ""},
		"no room for any marker":     {"abcdefgh", 4, "", "abcd"},
		"room for a short marker":    {"abcdefghijkl", 8, "", "abc[...]"},
		"it cuts at line ends":       {lines(100), 70, "", "line 1\nline 2\n[... 769 bytes (97 lines) omitted ...]\nline 100\n"},
		"the marker names the whole": {lines(100), 90, "/s/1", "line 1\nline 2\n[... 769 bytes (97 lines) omitted; whole result: /s/1 ...]\nline 100\n"},
		"one long line is cut inside": {
			strings.Repeat("a", 500) + strings.Repeat("z", 500), 54, "",
			strings.Repeat("a", 12) + "\n[... 976 bytes omitted ...]\n" + strings.Repeat("z", 12),
		},
		"a character is not split":          {strings.Repeat("é", 100), 9, "", "éé[...]"},
		"nor at the start of the last part": {strings.Repeat("€", 100), 43, "", strings.Repeat("€", 2) + "\n[... 288 bytes omitted ...]\n" + strings.Repeat("€", 2)},
	} {
		t.Run(name, func(t *testing.T) {
			got := shape.Text(tc.in, tc.budget, tc.path)
			if got.Text != tc.want {
				t.Errorf("got  %q (%d)\nwant %q (%d)", got.Text, len(got.Text), tc.want, len(tc.want))
			}
			if got.Truncated != (tc.in != tc.want) {
				t.Errorf("Truncated is %v", got.Truncated)
			}
		})
	}
}

func TestOmittedCountsWhatIsMissing(t *testing.T) {
	in := lines(1000)
	got := shape.Text(in, 500, "")
	marker := shape.Marker(int64(got.Omitted), 0, "")
	if !strings.HasPrefix(marker, "[... ") || !strings.Contains(got.Text, fmt.Sprintf("[... %d bytes ", got.Omitted)) {
		t.Errorf("the marker does not say %d: %s", got.Omitted, got.Text)
	}
	head, tail, _ := strings.Cut(got.Text, "[...")
	_, tail, _ = strings.Cut(tail, "...]\n")
	if len(in)-len(head)-len(tail) != got.Omitted {
		t.Errorf("Omitted is %d of %d, with %d and %d left", got.Omitted, len(in), len(head), len(tail))
	}
}

// check asserts what holds for every text and budget.
func check(t *testing.T, in string, budget int, path string, got shape.Shaped) {
	t.Helper()
	if len(got.Text) > max(budget, 0) {
		t.Errorf("%d bytes in a budget of %d: %q", len(got.Text), budget, got.Text)
	}
	if utf8.ValidString(in) && utf8.ValidString(path) && !utf8.ValidString(got.Text) {
		t.Errorf("not UTF-8: %q", got.Text)
	}
	if got.Truncated != (len(in) > max(budget, 0)) {
		t.Errorf("Truncated is %v for %d bytes and a budget of %d", got.Truncated, len(in), budget)
	}
	if !got.Truncated && got.Text != in {
		t.Errorf("%q became %q", in, got.Text)
	}
	if got.Omitted < 0 || got.Omitted > len(in) || got.Truncated != (got.Omitted > 0) {
		t.Errorf("Omitted is %d of %d", got.Omitted, len(in))
	}
}

func FuzzText(f *testing.F) {
	f.Add("", 0, "")
	f.Add("abc", 2, "")
	f.Add(lines(50), 100, "/tmp/spill")
	f.Add(strings.Repeat("€", 200), 80, "")
	f.Add("\xff\x80\x80\x80\x80\x80\x80\x80\x80\x80", 6, "")
	f.Add(strings.Repeat("\n", 300), 90, "")
	f.Fuzz(func(t *testing.T, in string, budget int, path string) {
		check(t, in, budget, path, shape.Text(in, budget, path))
	})
}

func FuzzBuffer(f *testing.F) {
	f.Add(lines(50), 100, 7)
	f.Add(lines(50), 101, 64)
	f.Add(strings.Repeat("€", 200), 80, 1)
	f.Add("abc", 0, 1)
	f.Add("abc", 1, 2)
	f.Add(lines(9), 1000, 3)
	f.Fuzz(func(t *testing.T, in string, budget, chunk int) {
		if budget > 1<<20 || chunk < 1 {
			t.Skip()
		}
		buffer := shape.NewBuffer(budget)
		for rest := in; rest != ""; {
			k := min(chunk, len(rest))
			if n, err := buffer.Write([]byte(rest[:k])); n != k || err != nil {
				t.Fatalf("Write gives %d, %v", n, err)
			}
			rest = rest[k:]
		}
		got := buffer.Shaped("")
		check(t, in, budget, "", got)
		if want := shape.Text(in, budget, ""); got != want {
			t.Errorf("in pieces: %+v\nat once:   %+v", got, want)
		}
		if buffer.Len() != int64(len(in)) || buffer.Lines() != int64(strings.Count(in, "\n")) {
			t.Errorf("counted %d bytes and %d lines", buffer.Len(), buffer.Lines())
		}
	})
}

func BenchmarkBuffer(b *testing.B) {
	buffer := shape.NewBuffer(64 << 10)
	line := []byte(strings.Repeat("x", 79) + "\n")
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		buffer.Write(line)
	}
}
