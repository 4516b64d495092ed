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
	if count := countBraced(split); count > maxBraced {
		return []*syntax.Word{nil}
	}
	words := expand.Braces(split)
	for i, w := range words {
		if doubtfulBraces(w) {
			words[i] = nil
		}
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

// countBraced is how many words there will be, or more than maxBraced.
func countBraced(word *syntax.Word) int {
	count := 1
	for _, part := range word.Parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if brace.Sequence {
			// How long a sequence is takes its arithmetic; few need it.
			count *= sequenceLength(brace)
		} else {
			sum := 0
			for _, elem := range brace.Elems {
				sum = min(sum+countBraced(elem), maxBraced+1)
			}
			count *= sum
		}
		count = min(count, maxBraced+1)
	}
	return count
}

// sequenceLength bounds {x..y} from above, without its increment.
func sequenceLength(brace *syntax.BraceExp) int {
	if len(brace.Elems) < 2 {
		return maxBraced + 1
	}
	from, to := brace.Elems[0].Lit(), brace.Elems[1].Lit()
	if len(from) == 1 && len(to) == 1 {
		return distance(int(from[0]), int(to[0]))
	}
	a, okA := smallNumber(from)
	b, okB := smallNumber(to)
	if !okA || !okB {
		return maxBraced + 1
	}
	return distance(a, b)
}

func distance(a, b int) int { return max(a-b, b-a) + 1 }

// smallNumber reads a number of at most four digits.
func smallNumber(text string) (n int, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || len(digits) > 4 {
		return 0, false
	}
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = n*10 + int(digits[i]-'0')
	}
	if digits != text {
		n = -n
	}
	return n, true
}
