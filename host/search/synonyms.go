package search

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// synonymGroups are words that mean much the same, in groups.
//
//go:embed synonyms.txt
var synonymGroups string

// synonyms maps a stem to the stems of the words in its groups.
var synonyms = sync.OnceValue(func() map[string][]string {
	of := make(map[string][]string)
	for line := range strings.Lines(synonymGroups) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		group := strings.Fields(line)
		for i, word := range group {
			group[i] = english.Stem(word, true)
		}
		for _, word := range group {
			for _, other := range group {
				if word != other && !slices.Contains(of[word], other) {
					of[word] = append(of[word], other)
				}
			}
		}
	}
	return of
})
