package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/agext/levenshtein"
)

const (
	// maxNear is how long a name may be that is compared with others, in bytes.
	maxNear = 100
	// maxKnown is how many names one is compared with. A file may have thousands,
	// and as many that are wrong.
	maxKnown = 200
)

// nearest finds what was probably meant, or nothing. The distance is the one
// that HCL itself allows for its suggestions.
func nearest(given string, known []string) string {
	best, distance := "", 3
	if len(given) > maxNear || len(known) > maxKnown {
		return ""
	}
	for _, candidate := range known {
		if len(candidate) > maxNear {
			continue
		}
		if d := levenshtein.Distance(strings.ToLower(given), strings.ToLower(candidate), nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}

// suggestible are the names that one may have meant; none when there are too
// many to compare with.
func suggestible[V any](all map[string]V) []string {
	if len(all) > maxKnown {
		return nil
	}
	return slices.Sorted(maps.Keys(all))
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
