package policy

import "strings"

// starred is a pattern as it is written, in which * is a star.
func starred(text string) string { return strings.ReplaceAll(text, "*", string(anyText)) }

// matchWildcard tells whether a pattern, in which anyText is a star, covers a
// text. The marks of a shape in the text stand for something, and only a star
// covers them.
func matchWildcard(pattern, text string) bool {
	p, t := 0, 0
	star, resume := -1, 0
	for t < len(text) {
		switch {
		case p < len(pattern) && pattern[p] == anyText:
			star, resume = p, t
			p++
		case p < len(pattern) && pattern[p] == text[t] && text[t] != anyChar:
			p++
			t++
		case star >= 0:
			resume++
			p, t = star+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == anyText {
		p++
	}
	return p == len(pattern)
}

// overlaps tells whether a pattern covers some text of the given shape.
func overlaps(pattern, shape string) bool {
	// reached[j] tells that what was read of pattern fits shape[:j].
	reached := make([]bool, len(shape)+1)
	reached[0] = true
	closeOver(reached, shape)
	for i := range len(pattern) {
		next := make([]bool, len(shape)+1)
		for j := range reached {
			if !reached[j] {
				continue
			}
			switch {
			case pattern[i] == anyText:
				for k := j; k <= len(shape); k++ {
					next[k] = true
				}
			case j < len(shape) && shape[j] == anyText:
				next[j] = true // it takes this character, and may take more
			case j < len(shape) && (shape[j] == pattern[i] || shape[j] == anyChar):
				next[j+1] = true
			}
		}
		closeOver(next, shape)
		reached = next
	}
	return reached[len(shape)]
}

// closeOver lets every star of the shape stand for nothing more.
func closeOver(reached []bool, shape string) {
	for j := range len(shape) {
		if reached[j] && shape[j] == anyText {
			reached[j+1] = true
		}
	}
}
