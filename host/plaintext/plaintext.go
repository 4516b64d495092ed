// Package plaintext makes text from tools, plugins and models safe to show: what
// it returns can neither move the cursor, change colours, reorder or hide
// characters, nor draw over its surroundings. Nothing is dropped; what has no
// shape of its own is spelled out:
//
//	C0 controls and DEL      their control pictures: ␛ for escape, ␍ for carriage return
//	other invisible runes    <U+202E>
//	bytes that are not UTF-8 <0xFF>
//
// That covers ANSI sequences, C1 controls, bidi overrides and isolates,
// zero-width and tag characters, unusual white space, private-use and unassigned
// code points, and stacks of combining marks. An emoji sequence joined by U+200D
// comes apart, since what joins it is invisible.
//
// Text that is already plain is returned unchanged. The syntax of a screen
// library, such as tview's colour tags, is the business of who draws.
package plaintext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tabWidth = 4
	// maxMarks is how many combining marks one character may carry. More of
	// them reach into the lines above and below.
	maxMarks = 4
)

// Line returns s as one line: a line feed is spelled out too. Tabs become spaces.
func Line(s string) string { return clean(s, false) }

// Block returns s with its line feeds kept. Tabs become spaces up to the next
// multiple of 4 characters.
func Block(s string) string { return clean(s, true) }

func clean(s string, block bool) string {
	plain := plainPrefix(s)
	if plain == len(s) {
		return s
	}
	w := writer{block: block, column: plain}
	w.out.Grow(len(s) + len(s)/8)
	w.out.WriteString(s[:plain])
	if plain > 0 {
		w.base = rune(s[plain-1])
	}
	for rest := s[plain:]; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && size == 1 {
			w.spell(fmt.Sprintf("<0x%02X>", rest[0]))
		} else {
			w.rune(r)
		}
		rest = rest[size:]
	}
	return w.out.String()
}

// plainPrefix returns how many bytes of s are printable ASCII.
func plainPrefix(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

type writer struct {
	out    strings.Builder
	block  bool
	column int
	// base is the character that a mark would change; 0 when there is none.
	base  rune
	marks int
}

func (w *writer) rune(r rune) {
	switch {
	case ' ' <= r && r <= '~': // by far the most, and the tables below are slow
		w.out.WriteByte(byte(r))
		w.column++
		w.base, w.marks = r, 0
	case r == '\n' && w.block:
		w.out.WriteByte('\n')
		w.column, w.base, w.marks = 0, 0, 0
	case r == '\t':
		n := tabWidth - w.column%tabWidth
		w.out.WriteString(strings.Repeat(" ", n))
		w.column += n
		w.base, w.marks = ' ', 0
	case r < ' ':
		w.spell(string('␀' + r))
	case r == 0x7f:
		w.spell("␡")
	case unicode.IsMark(r) && w.takesMark(r):
		w.out.WriteRune(r)
		w.marks++
	case unicode.IsMark(r) || !unicode.IsPrint(r) || blank(r):
		w.spell(fmt.Sprintf("<U+%04X>", r))
	default:
		w.out.WriteRune(r)
		w.column++
		w.base, w.marks = r, 0
	}
}

// takesMark reports whether a combining mark can be shown on what stands before
// it. A mark without a base would land on whatever was drawn there by others.
func (w *writer) takesMark(r rune) bool {
	if unicode.Is(unicode.Variation_Selector, r) {
		// These choose how an emoji is drawn; anywhere else they carry data
		// that nobody sees.
		return (r == '\ufe0e' || r == '\ufe0f') && w.marks == 0 && unicode.Is(unicode.So, w.base)
	}
	return w.base != 0 && w.base != ' ' && w.marks < maxMarks && !blank(r)
}

func (w *writer) spell(s string) {
	w.out.WriteString(s)
	w.column += utf8.RuneCountInString(s)
	w.base, w.marks = 0, 0
}

// blank reports whether a character that counts as printable shows nothing.
func blank(r rune) bool {
	switch r {
	case '\u2800', // braille pattern blank
		'\U0001d159', // musical symbol null notehead
		'\U00016fe4': // Khitan small script filler
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}
