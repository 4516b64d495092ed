package config

import (
	"strings"

	"github.com/agext/levenshtein"
)

// nearest finds what was probably meant, or nothing. The distance is the one
// that HCL itself allows for its suggestions.
func nearest(given string, known []string) string {
	best, distance := "", 3
	for _, candidate := range known {
		if d := levenshtein.Distance(strings.ToLower(given), strings.ToLower(candidate), nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// capital is a word with a capital letter.
func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// sentence is a message of an error as a sentence.
func sentence(message string) string {
	if message == "" {
		return ""
	}
	return strings.TrimSuffix(capital(message), ".") + "."
}
