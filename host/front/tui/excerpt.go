package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// excerptBytes bounds what the transcript keeps of a text. It keeps thousands of
// calls; the session's log has the rest, for /details.
const excerptBytes = 4 << 10

// excerpt is the beginning of a text.
type excerpt struct {
	text string
	// left says how much is left out; "" for nothing.
	left string
}

// beginning keeps the first lines of s, at most excerptBytes. A single line more
// is kept too: it takes no more room than the note that it is missing.
func beginning(s string, lines int) excerpt {
	s = strings.TrimSuffix(s, "\n")
	end := 0
	for n := 0; n < lines && end < len(s); n++ {
		end += lineEnd(s[end:])
	}
	if end+lineEnd(s[end:]) == len(s) {
		end = len(s)
	}
	left := ""
	switch {
	case end > excerptBytes:
		end = runeStart(s, excerptBytes)
		left = fmt.Sprintf("%d more bytes", len(s)-end)
	case end < len(s):
		left = fmt.Sprintf("%d more lines", strings.Count(s[end:], "\n")+1)
	}
	// A clone: a part would keep the whole alive.
	return excerpt{strings.Clone(s[:end]), left}
}

// lineEnd is how long the first line of s is, its line feed included.
func lineEnd(s string) int {
	if at := strings.IndexByte(s, '\n'); at >= 0 {
		return at + 1
	}
	return len(s)
}

// runeStart is the last place up to at where a character of s begins.
func runeStart(s string, at int) int {
	for i := at; i > at-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return at // it is not UTF-8
}

// tail is the end of a text that grows.
type tail struct {
	text string
	// lines is how many line ends came before text.
	lines int
}

// add appends s and lets go of what is more than limit bytes before the end: whole
// lines, but never more than half of what may be kept, so that a text with long
// lines or none does not vanish. 0 is no limit.
func (t *tail) add(s string, limit int) {
	t.text += s
	cut := len(t.text) - limit
	if limit == 0 || cut <= 0 {
		return
	}
	if line := lineEnd(t.text[cut:]); line <= limit/2 {
		cut += line
	} else {
		cut = runeStart(t.text, cut)
	}
	t.lines += strings.Count(t.text[:cut], "\n")
	t.text = strings.Clone(t.text[cut:])
}
