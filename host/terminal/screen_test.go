package terminal

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestTheScreen(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "PS1='> '")
		until(t, term, "a prompt", atPrompt(term))

		typeKeys(t, term, "tput smcup; printf 'full screen'; read -r x; tput rmcup\r")
		until(t, term, "the alternate screen", func() bool {
			s := term.Snapshot()
			return s.AltScreen && strings.Contains(s.String(), "full screen")
		})
		typeKeys(t, term, "\r")
		until(t, term, "the main screen", func() bool { return !term.Snapshot().AltScreen && term.State() == AtPrompt })
		if strings.Contains(term.Snapshot().String(), "full screen\n") {
			t.Errorf("the alternate screen was left over:\n%s", term.Snapshot())
		}

		r := run(t, term, `printf '\033[1;4;38;5;9;48;2;1;2;3mX\033[m\033]2;a title\007'; printf '\344\270\226\n'`)
		if r.Output != "X世\n" {
			t.Errorf("output %q", r.Output)
		}
		s := term.Snapshot()
		want := Cell{Text: "X", Width: 1, Fg: Palette(9), Bg: RGB(1, 2, 3), Attrs: Bold | Underline}
		if got, wide, ok := cellBefore(s, "世"); !ok || got != want || wide.Width != 2 {
			t.Errorf("cells %+v, %+v", got, wide)
		}
		if s.Title != "a title" || s.Cols != 80 || s.Rows != 24 {
			t.Errorf("title %q, size %dx%d", s.Title, s.Cols, s.Rows)
		}
	})
}

// cellBefore finds the cell with a text, and the one before it.
func cellBefore(s Screen, text string) (before, found Cell, ok bool) {
	for _, row := range s.Cells {
		for x, cell := range row {
			if x > 0 && cell.Text == text {
				return row[x-1], cell, true
			}
		}
	}
	return Cell{}, Cell{}, false
}

func TestResize(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "PS1='> '")
		if r := run(t, term, "stty size; seq 100 119"); !strings.HasPrefix(r.Output, "24 80\n") {
			t.Errorf("first: %q", r.Output)
		}
		until(t, term, "a prompt", atPrompt(term))
		if err := term.Resize(100, 10); err != nil {
			t.Fatal(err)
		}
		s := term.Snapshot()
		if s.Cols != 100 || s.Rows != 10 || !strings.Contains(s.String(), "119") {
			t.Errorf("the end of the screen is gone:\n%s", s)
		}
		if text := term.SnapshotAt(s.Scrollback).String(); !strings.Contains(text, "stty size") {
			t.Errorf("the beginning is not in the scrollback:\n%s", text)
		}
		if r := run(t, term, "stty size"); r.Output != "10 100\n" {
			t.Errorf("after: %q", r.Output)
		}
		if err := term.Resize(0, 10); err == nil {
			t.Error("a width of 0 was accepted")
		}
	})
}

func TestScrollback(t *testing.T) {
	term := open(t, "bash", "", func(c *Config) { c.Scrollback = 100 })
	run(t, term, "seq 1 1000")
	s := term.Snapshot()
	if s.Scrollback != 100 {
		t.Errorf("scrollback of %d lines", s.Scrollback)
	}
	back := term.SnapshotAt(1 << 30)
	if back.Offset != 100 || back.CursorVisible || len(back.Cells) != 24 {
		t.Errorf("offset %d, cursor %v", back.Offset, back.CursorVisible)
	}
	first := strings.SplitN(back.String(), "\n", 2)[0]
	var n int
	if _, err := fmt.Sscan(first, &n); err != nil || n < 850 || n > 900 {
		t.Errorf("the oldest line is %q", first)
	}
}

func TestAFloodLooksAsIfItWereDrawn(t *testing.T) {
	var output strings.Builder
	for i := range 300 {
		fmt.Fprintf(&output, "%d\t%s\r\n", i, strings.Repeat("x", i%60))
	}
	output.WriteString("the end")
	drawn := newEmulator(40, 10, 1000, func([]byte) {})
	defer drawn.stop()
	flooded := newEmulator(40, 10, 1000, func([]byte) {})
	defer flooded.stop()
	for _, e := range []*emulator{drawn, flooded} {
		e.draw([]byte("before\r\n\x1b[31mpart "))
	}
	drawn.draw([]byte(output.String()))
	if !flooded.flood([]byte(output.String())) {
		t.Fatal("not taken for a flood")
	}
	for offset := 0; offset <= drawn.history.len(); offset += 7 {
		want, got := drawn.screen(offset), flooded.screen(offset)
		if got.String() != want.String() || got.CursorX != want.CursorX || got.CursorY != want.CursorY {
			t.Fatalf("scrolled back by %d:\n%s\n\nwant:\n%s", offset, got, want)
		}
		if got.Cells[0][0].Fg != want.Cells[0][0].Fg {
			t.Errorf("scrolled back by %d: colour %v, want %v", offset, got.Cells[0][0].Fg, want.Cells[0][0].Fg)
		}
	}
	if flooded.history.len() != drawn.history.len() {
		t.Errorf("%d lines of scrollback, want %d", flooded.history.len(), drawn.history.len())
	}
}

func TestDeviceQueriesAreAnswered(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "")
		r := run(t, term, `stty -echo -icanon min 1 time 50; printf '\033[c'; dd bs=1 count=3 2>/dev/null | od -c | head -1; printf '\033[6n'; dd bs=64 count=1 2>/dev/null >/dev/null; stty sane`)
		if r.Status != Completed || !strings.Contains(r.Output, "033") {
			t.Errorf("%s", describe(r))
		}
		// Far more than the program reads: nothing may stall.
		r = run(t, term, `stty -echo; i=0; while [ $i -lt 3000 ]; do printf '\033[6n\033[c\033[5n'; i=$((i+1)); done; echo done; stty echo`)
		if r.Status != Completed || !strings.Contains(r.Output, "done\n") {
			t.Errorf("%s", describe(r))
		}
	})
}

func TestModesAndPaste(t *testing.T) {
	term := open(t, "bash", "bind 'set enable-bracketed-paste on'; PS1='> '")
	until(t, term, "a prompt", func() bool { return term.State() == AtPrompt && term.Modes().BracketedPaste })
	if err := term.Paste("echo a\necho b\x1b[20\x1b[201~1~"); err != nil {
		t.Fatal(err)
	}
	until(t, term, "the paste", shows(term, "echo b"))
	if strings.Contains(term.Snapshot().String(), "\na\n") {
		t.Errorf("the paste was run:\n%s", term.Snapshot())
	}
	typeKeys(t, term, "\r")
	until(t, term, "the pasted commands run", shows(term, "\na\nb\n"))
	typeKeys(t, term, `printf '\033[?1h\033[?1002h\033[?1006h'; read -r x`+"\r")
	until(t, term, "the modes", func() bool {
		m := term.Modes()
		return m.ApplicationCursor && m.Mouse == MouseDrag && m.MouseSGR
	})
}

func TestMemoryIsFlatWhileACommandPrints(t *testing.T) {
	term := open(t, "bash", "")
	run(t, term, "head -c 5000000 /dev/zero | tr '\\0' 'a' | fold -w 70")
	before := heap()
	r := run(t, term, "head -c 50000000 /dev/zero | tr '\\0' 'a' | fold -w 70; echo last")
	grown := int64(heap()) - int64(before)
	if r.Status != Completed || r.OutputBytes < 50_000_000 || !r.Truncated || !strings.HasSuffix(r.Output, "last\n") {
		t.Errorf("status %s, %d bytes, truncated %v", r.Status, r.OutputBytes, r.Truncated)
	}
	if len(r.Output) > defaultMaxOutput {
		t.Errorf("kept %d bytes", len(r.Output))
	}
	if grown > 8<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func FuzzEmulator(f *testing.F) {
	for _, seed := range []string{
		"plain\r\ntext", "\x1b[31mred\x1b[m", "\x1b[6n\x1b[c\x1b]11;?\a", "\x1b[999;999H\x1b[2147483647b",
		"\x1b[?1049h\x1b[2J\x1b[?1049l", "\x1b[5;2r\x1b[3S\x1b[99999T", "\x1bP$qm\x1b\\", "\x1b]8;;x\x1b\\y", "世e\u0301\u200d",
		"\x1b[?69h\x1b[9;3s\x1b[4P\x1b[4@\x1b[9L\x1b[9M", "\xff\xfe\x9b\x9d", "\x1b[3J\x1b[?2048h", "\x1b#8\x1bc\x1b(0qqq",
	} {
		f.Add([]byte(seed), uint8(20), uint8(5))
	}
	f.Fuzz(func(t *testing.T, output []byte, cols, rows uint8) {
		e := newEmulator(10, 4, 50, func([]byte) {})
		defer e.stop()
		e.write(output)
		e.resize(int(cols%100)+1, int(rows%50)+1)
		e.write(output)
		s := e.screen(int(rows))
		if len(s.Cells) != s.Rows || s.Scrollback > 50 {
			t.Errorf("%d rows of %d, %d lines of scrollback", len(s.Cells), s.Rows, s.Scrollback)
		}
	})
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{
		"text\x1b]133;A;aid=x\atext", "\x1b]7770;t;end;0\x1b\\", "\x1b]133;A\x1b]133;B\a", "\x1b\x1b]7770;\a", "\x1b]13", "\x1b]0;title\a",
	} {
		f.Add([]byte(seed), uint8(3))
	}
	f.Fuzz(func(t *testing.T, output []byte, step uint8) {
		whole, wholeMarks := scan(output, len(output)+1)
		parts, partMarks := scan(output, int(step)+1)
		if !bytes.Equal(whole, parts) || wholeMarks != partMarks {
			t.Errorf("split into reads of %d: %q and %s, whole: %q and %s", int(step)+1, parts, partMarks, whole, wholeMarks)
		}
		if wholeMarks == "" && !bytes.Equal(whole, output) {
			t.Errorf("without marks %q became %q", output, whole)
		}
	})
}

func scan(output []byte, step int) (text []byte, marks string) {
	var s scanner
	keep := func(p []byte) { text = append(text, p...) }
	for len(output) > 0 {
		n := min(step, len(output))
		s.feed(output[:n], keep, func(m mark) { marks += fmt.Sprint(m) })
		output = output[n:]
	}
	s.flush(keep)
	return text, marks
}

func FuzzCapture(f *testing.F) {
	for _, seed := range []string{"a\r\nb\rc\b\x1b[31m\x1b]0;x\a", "\x1b[?1049hx\x1b[?1049ly", "\xc2\x9b\u200b", strings.Repeat("line\n", 50)} {
		f.Add([]byte(seed), uint8(3), uint16(100))
	}
	f.Fuzz(func(t *testing.T, output []byte, step uint8, limit uint16) {
		c := newCapture(int(limit))
		for p := output; len(p) > 0; {
			n := min(int(step)+1, len(p))
			c.write(p[:n])
			p = p[n:]
		}
		text, truncated := c.finish()
		if limit := int(limit); limit > 200 && len(text) > 3*limit {
			t.Errorf("%d bytes of %d", len(text), limit)
		}
		if c.total != int64(len(output)) {
			t.Errorf("counted %d bytes of %d", c.total, len(output))
		}
		if strings.ContainsAny(text, "\x1b\r\a\b") || truncated && !strings.Contains(text, "left out") {
			t.Errorf("text %q", text)
		}
	})
}

func TestWhatACommandLeavesOnIsOffAtThePrompt(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		term := open(t, shell, "PS1='> '")
		run(t, term, `printf '\033[?1049h\033[?1;1003;1006h\033[?25l\033[3;9r\033[5;1H\033[1;31;44mleft on\033(0'`)
		until(t, term, "a prompt on the main screen", func() bool { return atPrompt(term)() && !term.Snapshot().AltScreen })
		if s, m := term.Snapshot(), term.Modes(); !s.CursorVisible || m.Mouse != MouseOff || m.MouseSGR {
			t.Errorf("cursor %v, modes %+v", s.CursorVisible, m)
		}
		run(t, term, "seq 100 140; echo X世")
		s := term.Snapshot()
		if before, _, ok := cellBefore(s, "世"); !ok || before != (Cell{Text: "X", Width: 1}) {
			t.Errorf("cell %+v in\n%s", before, s)
		}
		if s.Scrollback < 15 {
			t.Errorf("the scroll region stayed: %d lines of scrollback", s.Scrollback)
		}
	})
}
