package policy

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// maxBraced is how many words a brace expansion may have to be followed.
const maxBraced = 64

// expandBraces makes the words that bash makes of {a,b} and {1..3}. A nil stands
// for what is not followed: too many words, or braces that bash and the parser
// might read in two ways.
func expandBraces(word *syntax.Word, odd func(why string)) []*syntax.Word {
	if !hasOpenBrace(word) {
		return []*syntax.Word{word}
	}
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), word.Parts...)}
	if !syntax.SplitBraces(split) || !slices.ContainsFunc(split.Parts, isBrace) {
		if doubtfulBraces(word) {
			odd("uses brace expansion")
			return []*syntax.Word{nil}
		}
		return []*syntax.Word{word}
	}
	odd("uses brace expansion")
	var words []*syntax.Word
	for braced, err := range expand.BracesSeq(nil, split) {
		if err != nil || len(words) == maxBraced {
			return []*syntax.Word{nil}
		}
		if doubtfulBraces(braced) {
			braced = nil
		}
		words = append(words, braced)
	}
	return words
}

func isBrace(part syntax.WordPart) bool {
	_, ok := part.(*syntax.BraceExp)
	return ok
}

func hasOpenBrace(word *syntax.Word) bool {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			return true
		}
	}
	return false
}

// doubtfulBraces tells whether a word that is taken as it stands has what a brace
// expansion is made of.
func doubtfulBraces(word *syntax.Word) bool {
	open := false
	for _, part := range word.Parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			continue
		}
		value := lit.Value
		if !open {
			i := strings.IndexByte(value, '{')
			if i < 0 {
				continue
			}
			open, value = true, value[i:]
		}
		if strings.Contains(value, ",") || strings.Contains(value, "..") {
			return true
		}
	}
	return false
}
