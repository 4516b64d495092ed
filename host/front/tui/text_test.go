package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"
)

func texts(lines []line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.String()
	}
	return out
}

func TestWrap(t *testing.T) {
	cases := map[string]struct {
		text  string
		width int
		want  []string
	}{
		"an empty line stays one line":             {"", 10, []string{""}},
		"a line that fits is left alone":           {"one two", 7, []string{"one two"}},
		"the break comes after a space":            {"one two three", 9, []string{"one two ", "three"}},
		"a word longer than the line is cut":       {"abcdefgh", 3, []string{"abc", "def", "gh"}},
		"a wide character is not cut in half":      {"漢字漢", 5, []string{"漢字", "漢"}},
		"a combining mark stays with its letter":   {"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		"the rest begins right of the labels":      {"one two three four five", 20, []string{"one two three four ", "          five"}},
		"and right of the line's own indent":       {"            one two three four five", 30, []string{"            one two three ", "              four five"}},
		"an indent of half the width is given up":  {"                one two", 22, []string{"                one ", "          two"}},
		"a run of spaces hides no rest":            {"ls                    Why", 22, []string{"ls                    ", "          Why"}},
		"a narrow line has no room for it":         {"  one two", 6, []string{"  one ", "two"}},
		"an early space is not worth a short line": {"a bcdefghijk", 10, []string{"a bcdefghi", "jk"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := texts(textLine(tcell.StyleDefault, c.text).wrap(c.width)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAGutterIsOnEachRow(t *testing.T) {
	quote := quoted(newTheme(true), []line{textLine(tcell.StyleDefault, "  one two three four five")})
	want := []string{"  │   one two three ", "  │     four five"}
	if got := texts(quote[0].wrap(21)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two three", 5)
	f.Add("  漢字 e\u0301 \x1b[31m\u202e\u200b[red]", 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = 2 + int(uint(width)%200)
		l := textLine(tcell.StyleDefault, text)
		var together strings.Builder
		for _, part := range l.wrap(width) {
			if part.width() > width {
				t.Fatalf("%q has %d columns, more than %d", part.String(), part.width(), width)
			}
			together.WriteString(strings.ReplaceAll(part.String(), " ", ""))
		}
		if want := strings.ReplaceAll(l.String(), " ", ""); together.String() != want {
			t.Fatalf("wrapped to %q, want %q", together.String(), want)
		}
		assertPlain(t, together.String())
	})
}

func TestTextLines(t *testing.T) {
	cases := map[string]struct {
		text string
		want []string
	}{
		"nothing is no line":                   {"", nil},
		"a final line end adds no line":        {"a\nb\n", []string{"a", "b"}},
		"line ends of Windows are line ends":   {"a\r\nb", []string{"a", "b"}},
		"empty lines are kept":                 {"a\n\nb", []string{"a", "", "b"}},
		"an escape is shown":                   {"\x1b[31mred", []string{"␛[31mred"}},
		"tview's tags are text":                {"[red]x[-]", []string{"[red]x[-]"}},
		"characters without width are spelled": {"r\u200bm", []string{"r<U+200B>m"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := texts(textLines(tcell.StyleDefault, c.text)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
