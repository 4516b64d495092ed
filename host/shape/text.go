// Package shape fits results into a budget of bytes. What is left out is the
// middle, at line ends where they are near, and a marker that is counted in the
// budget says how much is missing and where the whole is.
package shape

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Shaped is a text that fits a budget.
type Shaped struct {
	Text      string
	Truncated bool
	// Omitted is how many bytes of the original are not in Text.
	Omitted int
}

// shortMarker stands where the budget has no room for a telling one.
const shortMarker = "[...]"

// Text fits s into budget bytes. The result is never longer, and it is valid
// UTF-8 when s is. spillPath is the file that holds the whole of s, for the
// marker; empty when there is none. A budget below 0 is 0.
func Text(s string, budget int, spillPath string) Shaped {
	budget = max(budget, 0)
	if len(s) <= budget {
		return Shaped{Text: s}
	}
	ends := excerpt{head: s, tail: s, bytes: int64(len(s)), lines: int64(strings.Count(s, "\n"))}
	return ends.fit(budget, spillPath)
}

// Marker is the line that stands for what was left out:
//
//	[... 1234 bytes (56 lines) omitted; whole result: /path ...]
func Marker(bytes, lines int64, spillPath string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[... %d bytes", bytes)
	if lines > 0 {
		fmt.Fprintf(&b, " (%d lines)", lines)
	}
	b.WriteString(" omitted")
	if spillPath != "" {
		b.WriteString("; whole result: " + spillPath)
	}
	b.WriteString(" ...]")
	return b.String()
}

// excerpt is what is known of a text: how it begins, how it ends, and how many
// bytes and line ends it has in all. Head and tail may overlap.
type excerpt struct {
	head, tail   string
	bytes, lines int64
}

// fit makes a text of at most budget bytes, which the whole would exceed.
func (e excerpt) fit(budget int, spillPath string) Shaped {
	// No marker for this text can be longer than the one for all of it.
	room := budget - len(Marker(e.bytes, e.lines, spillPath)) - len("\n\n")
	if room < 0 {
		return e.fitTiny(budget)
	}
	head := cutHead(e.head, room/2)
	tail := cutTail(e.tail, room-room/2)
	omitted := e.bytes - int64(len(head)) - int64(len(tail))
	lines := e.lines - int64(strings.Count(head, "\n")) - int64(strings.Count(tail, "\n"))

	var b strings.Builder
	b.WriteString(head)
	if head != "" && !strings.HasSuffix(head, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(Marker(omitted, lines, spillPath))
	if tail != "" {
		b.WriteByte('\n')
	}
	b.WriteString(tail)
	return Shaped{Text: b.String(), Truncated: true, Omitted: int(omitted)}
}

// fitTiny keeps as much of the beginning as fits.
func (e excerpt) fitTiny(budget int) Shaped {
	marker := shortMarker
	if budget < len(marker) {
		marker = ""
	}
	head := e.head[:runeEnd(e.head, budget-len(marker))]
	return Shaped{Text: head + marker, Truncated: true, Omitted: int(e.bytes) - len(head)}
}

// cutHead returns at most n bytes of the beginning of s, up to a line end if
// that costs no more than half of them.
func cutHead(s string, n int) string {
	s = s[:runeEnd(s, n)]
	if end := strings.LastIndexByte(s, '\n') + 1; end > len(s)/2 {
		return s[:end]
	}
	return s
}

// cutTail returns at most n bytes of the end of s, from the start of a line if
// that costs no more than half of them.
func cutTail(s string, n int) string {
	start := runeStart(s, len(s)-min(n, len(s)))
	if start > 0 && s[start-1] == '\n' {
		return s[start:]
	}
	s = s[start:]
	if begin := strings.IndexByte(s, '\n') + 1; begin > 0 && begin < len(s)/2 {
		return s[begin:]
	}
	return s
}

// runeEnd returns the largest length up to n at which s can be cut without
// splitting a character. Where s is not UTF-8, any length will do.
func runeEnd(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for i := n; i >= 0 && i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return n
}

// runeStart is runeEnd from the other side: the smallest index from i on.
func runeStart(s string, i int) int {
	for j := i; j < i+utf8.UTFMax; j++ {
		if j == len(s) || utf8.RuneStart(s[j]) {
			return j
		}
	}
	return i
}
