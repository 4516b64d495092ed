package tui

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/host/session"
)

func TestBeginning(t *testing.T) {
	cases := map[string]struct {
		text string
		want excerpt
	}{
		"nothing":                         {"", excerpt{}},
		"a text that fits":                {"a\nb\n", excerpt{"a\nb", ""}},
		"one line too many is kept":       {"a\nb\nc\n", excerpt{"a\nb\nc", ""}},
		"two lines too many are counted":  {"a\nb\nc\nd", excerpt{"a\nb\n", "2 more lines"}},
		"empty lines count":               {"\n\n\n\n\n", excerpt{"\n\n", "3 more lines"}},
		"a line that is too long":         {strings.Repeat("x", excerptBytes+7) + "\n", excerpt{strings.Repeat("x", excerptBytes), "7 more bytes"}},
		"no character is cut":             {"x" + strings.Repeat("é", excerptBytes), excerpt{"x" + strings.Repeat("é", excerptBytes/2-1), "4098 more bytes"}},
		"bytes that are not UTF-8 end it": {strings.Repeat("\x80", excerptBytes+1), excerpt{strings.Repeat("\x80", excerptBytes), "1 more bytes"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := beginning(c.text, 2); got != c.want {
				t.Errorf("got %d bytes, %q left; want %d, %q", len(got.text), got.left, len(c.want.text), c.want.left)
			}
		})
	}
}

func TestTail(t *testing.T) {
	cases := map[string]struct {
		chunks []string
		want   tail
	}{
		"what fits stays":                        {[]string{"ab\n", "cd"}, tail{"ab\ncd", 0}},
		"whole lines go":                         {[]string{"abc\nd\nef\n", "gh\n"}, tail{"d\nef\ngh\n", 1}},
		"a text without line ends stays":         {[]string{strings.Repeat("x", 30), "the end"}, tail{"xthe end", 0}},
		"a long line with its end stays":         {[]string{strings.Repeat("x", 30) + "\n"}, tail{"xxxxxxx\n", 0}},
		"a long line goes for the lines after":   {[]string{strings.Repeat("x", 30) + "\nab\ncd\n"}, tail{"ab\ncd\n", 1}},
		"no character is cut":                    {[]string{strings.Repeat("é", 30), "x"}, tail{"ééééx", 0}},
		"line ends alone":                        {[]string{strings.Repeat("\n", 20)}, tail{strings.Repeat("\n", 7), 13}},
		"bytes that are not UTF-8 are no excuse": {[]string{strings.Repeat("\x80", 30)}, tail{strings.Repeat("\x80", 8), 0}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got tail
			for _, chunk := range c.chunks {
				got.add(chunk, 8)
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func FuzzTail(f *testing.F) {
	f.Add("abc\nd\nef\n", "gh\n", 8)
	f.Add("éé\x80", "\n\n", 4)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		limit = 8 + int(uint(limit)%100)
		var got tail
		got.add(a, limit)
		got.add(b, limit)
		all := a + b
		if !strings.HasSuffix(all, got.text) || strings.Count(all, "\n") != got.lines+strings.Count(got.text, "\n") {
			t.Fatalf("%+v is no end of %q", got, all)
		}
		if len(got.text) > limit+utf8.UTFMax || len(all) > limit && len(got.text) < limit/2-utf8.UTFMax {
			t.Fatalf("%d bytes are kept of %d, the limit is %d", len(got.text), len(all), limit)
		}
	})
}

func TestOutputWithoutLineEndsIsShown(t *testing.T) {
	got := rendered(
		session.ToolCalled{CallID: "call_1", Tool: "Bash"},
		session.ToolOutput{CallID: "call_1", Text: strings.Repeat("x", 1<<17)},
		session.ToolOutput{CallID: "call_1", Text: " the end"},
	)
	if last := got[len(got)-1]; !strings.HasSuffix(last, " the end") {
		t.Errorf("the last row is %q", last)
	}
}

func TestAFinishedCallKeepsLittle(t *testing.T) {
	large := strings.Repeat("a line of text\n", 1<<16)
	c := call{id: "call_1"}
	for _, body := range []session.Body{
		session.ToolCalled{CallID: "call_1", Tool: "Edit", Input: []byte(large)},
		session.ToolPlanned{CallID: "call_1", PreviewKind: "diff", Preview: large},
		session.ToolJudged{CallID: "call_1", Reason: large},
		session.ApprovalAsked{CallID: "call_1", Subject: large},
		session.ApprovalDecided{CallID: "call_1", Message: large},
		session.HandoffStarted{CallID: "call_1", Command: large},
		session.ToolProgress{CallID: "call_1", Message: large},
		session.ToolOutput{CallID: "call_1", Text: large},
		session.ToolFinished{CallID: "call_1", Text: large, Structured: []byte(large)},
	} {
		c.add(body)
	}
	if c.output.text != "" {
		t.Errorf("%d bytes of output are kept beside the result", len(c.output.text))
	}
	kept := 0
	lines := texts(c.render(newTheme(true)))
	for _, l := range lines {
		kept += len(l)
	}
	kept += len(c.input) + len(c.progress.Message) + len(c.finished.text.text) + len(c.finished.structured.text)
	if kept > 4*excerptBytes {
		t.Errorf("%d bytes are kept", kept)
	}
	for _, want := range []string{"  … 65526 more lines: /details call_1", "  … 65528 more lines: /details call_1"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

func TestOutputWithoutResultStays(t *testing.T) {
	got := rendered(
		session.ToolCalled{CallID: "call_1", Tool: "Bash", Input: []byte("{}")},
		session.ToolOutput{CallID: "call_1", Text: "all there is\n"},
		session.ToolFinished{CallID: "call_1"},
	)
	if !slices.Contains(got, "  │ all there is") {
		t.Errorf("the output is gone: %q", got)
	}
}

func TestDetailsAreReadFromTheLog(t *testing.T) {
	log := session.NewLog("session_test", nil)
	h := newHistory(newTranscript(newTheme(true)))
	add := func(body session.Body) { h.apply(log.Append("run_1", body)) }
	add(session.ToolCalled{CallID: "call_1", Tool: "Edit", Input: []byte(`{"text":"` + strings.Repeat("x", 1000) + `END"}`)})
	add(session.ToolPlanned{CallID: "call_1", PreviewKind: "text", Preview: strings.Repeat("p\n", 1000) + "end of the preview"})
	add(session.ToolFinished{CallID: "call_1", Text: strings.Repeat("r\n", 1000) + "end of the result"})
	details := func() string {
		return strings.Join(texts(h.find("call_1").details(newTheme(true), log.Since(0))), "\n")
	}
	for _, want := range []string{"END", "end of the preview", "end of the result"} {
		if !strings.Contains(details(), want) {
			t.Errorf("the details lack %q", want)
		}
	}
	// Events enough to make the log forget the call.
	for range session.MaxBytes>>20 + 1 {
		log.Append("", session.Notice{Text: strings.Repeat("n", 1<<20)})
	}
	if got := details(); !strings.Contains(got, "no longer remembers") || !strings.Contains(got, "✓ Edit") {
		t.Errorf("the details of a forgotten call are\n%s", got)
	}
}
