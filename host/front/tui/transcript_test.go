package tui

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gdamore/tcell/v2"
)

func TestTranscriptScrolls(t *testing.T) {
	filled := func(n int) *transcript {
		tr := newTranscript(newTheme(true))
		tr.SetRect(0, 0, 20, 4)
		for i := range n {
			tr.addLines(textLine(tcell.StyleDefault, fmt.Sprint(i)))
		}
		return tr
	}
	cases := map[string]struct {
		entries int
		do      func(tr *transcript)
		want    []string
	}{
		"it follows the end":            {9, func(*transcript) {}, []string{"5", "6", "7", "8"}},
		"it is not filled":              {2, func(*transcript) {}, []string{"0", "1"}},
		"a page up keeps a line":        {9, func(tr *transcript) { tr.scrollKey(tcell.KeyPgUp) }, []string{"2", "3", "4", "5"}},
		"Home":                          {9, func(tr *transcript) { tr.scrollKey(tcell.KeyHome) }, []string{"0", "1", "2", "3"}},
		"not past the start":            {9, func(tr *transcript) { tr.scroll(-100) }, []string{"0", "1", "2", "3"}},
		"not past the end":              {9, func(tr *transcript) { tr.scroll(-2); tr.scroll(100) }, []string{"5", "6", "7", "8"}},
		"it stands still while more":    {9, func(tr *transcript) { tr.scroll(-2); tr.addLines(textLine(tcell.StyleDefault, "new")) }, []string{"3", "4", "5", "6"}},
		"down at the end follows again": {9, func(tr *transcript) { tr.scroll(-2); tr.scroll(2); tr.addLines(textLine(tcell.StyleDefault, "new")) }, []string{"6", "7", "8", "new"}},
		"End follows again":             {9, func(tr *transcript) { tr.scroll(-5); tr.scrollKey(tcell.KeyEnd) }, []string{"5", "6", "7", "8"}},
		"short text cannot be scrolled": {2, func(tr *transcript) { tr.scroll(-1) }, []string{"0", "1"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tr := filled(c.entries)
			tr.visible(20, 4)
			c.do(tr)
			if got := texts(tr.visible(20, 4)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTranscriptKeepsItsPlace(t *testing.T) {
	tr := newTranscript(newTheme(true))
	tr.SetRect(0, 0, 20, 3)
	growing := []line{textLine(tcell.StyleDefault, "grows")}
	above := tr.add(func(theme) []line { return growing })
	for i := range maxEntries - 1 {
		tr.addLines(textLine(tcell.StyleDefault, fmt.Sprint(i)))
	}
	tr.visible(20, 3)
	tr.scroll(-100)
	want := texts(tr.visible(20, 3))

	growing = append(growing, growing...)
	above.changed = true
	if got := texts(tr.visible(20, 3)); !slices.Equal(got, want) {
		t.Errorf("after an entry above grew: %q, want %q", got, want)
	}
	tr.addLines(textLine(tcell.StyleDefault, "one too many"))
	if got := texts(tr.visible(20, 3)); !slices.Equal(got, want) {
		t.Errorf("after the oldest entry went: %q, want %q", got, want)
	}
	if len(tr.entries) != maxEntries {
		t.Errorf("%d entries are kept", len(tr.entries))
	}
}
