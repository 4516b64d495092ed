package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is the length in bytes of the longest word that is indexed. What is
// longer is data, not language.
const maxWord = 40

// split calls emit with the words of text, in lower case: runs of letters and
// digits, split where an identifier changes its case (camelCase, HTTPServer) or
// from letters to digits. whole is the run that the word is a part of, and the
// word itself where it is all of it. Text of scripts without spaces is split into
// overlapping pairs of characters.
func split(text string, emit func(word, whole string)) {
	for len(text) > 0 {
		start := strings.IndexFunc(text, isWord)
		if start < 0 {
			return
		}
		text = text[start:]
		end := runEnd(text)
		run := text[:end]
		text = text[end:]
		if r, _ := utf8.DecodeRuneInString(run); isUnspaced(r) {
			pairs(run, emit)
		} else {
			parts(strings.ReplaceAll(strings.ReplaceAll(run, "'", ""), "’", ""), emit)
		}
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// isUnspaced reports whether words of the character's script are not separated.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// runEnd returns where the run of word characters ends that text begins with. An
// apostrophe inside belongs to it, its possessive s does not.
func runEnd(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	unspaced := isUnspaced(first)
	for i := size; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case isWord(r) && isUnspaced(r) == unspaced:
		case (r == '\'' || r == '’') && !unspaced && continues(text[i+size:]):
		default:
			return i
		}
		i += size
	}
	return len(text)
}

// continues reports whether an apostrophe that is followed by rest is inside of
// a word (don't) and no quote or possessive (user's).
func continues(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if !unicode.IsLetter(r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return r != 's' || isWord(next)
}

// pairs emits the overlapping pairs of a run of characters.
func pairs(run string, emit func(word, whole string)) {
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		emit(run, run)
		return
	}
	for begin := 0; ; {
		_, one := utf8.DecodeRuneInString(run[begin:])
		_, two := utf8.DecodeRuneInString(run[begin+one:])
		if two == 0 {
			return
		}
		pair := run[begin : begin+one+two]
		emit(pair, pair)
		begin += one
	}
}

// parts emits the words of a run of letters and digits.
func parts(run string, emit func(word, whole string)) {
	lower := strings.ToLower(run)
	if len(lower) != len(run) || len(lower) > maxWord {
		if len(lower) <= maxWord { // its case changes its length, so positions differ
			emit(lower, lower)
		}
		return
	}
	begin := 0
	for i := 1; i < len(run); {
		r, size := utf8.DecodeRuneInString(run[i:])
		before, _ := utf8.DecodeLastRuneInString(run[:i])
		after, _ := utf8.DecodeRuneInString(run[i+size:])
		if changes(before, r, after) {
			emit(lower[begin:i], lower)
			begin = i
		}
		i += size
	}
	emit(lower[begin:], lower)
}

// changes reports whether a new word begins with r.
func changes(before, r, after rune) bool {
	switch {
	case unicode.IsDigit(before) != unicode.IsDigit(r):
		return true
	case !unicode.IsUpper(r):
		return false
	}
	return unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(after)
}
