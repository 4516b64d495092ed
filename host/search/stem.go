package search

import (
	"sync"

	"github.com/kljensen/snowball/english"
)

// maxStems bounds the memory of a stemmer.
const maxStems = 1 << 16

// stemmer reduces English words to their stems (Porter 2) and remembers them. The
// zero value is ready; it is safe for concurrent use.
type stemmer struct {
	mu    sync.RWMutex
	known map[string]string
}

// stem returns what all forms of a word in lower case have in common. A word that
// is not ASCII is returned as it is.
func (s *stemmer) stem(word string) string {
	if len(word) < 3 || !isASCIIWord(word) {
		return word
	}
	s.mu.RLock()
	stem, ok := s.known[word]
	s.mu.RUnlock()
	if ok {
		return stem
	}
	stem = english.Stem(word, true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= maxStems {
		s.known = make(map[string]string)
	}
	s.known[word] = stem
	return stem
}

// isASCIIWord reports whether a word is made of the letters a to z.
func isASCIIWord(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}
