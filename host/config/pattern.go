package config

import "strings"

// matchPattern reports whether a name fits a pattern, in which * is any number
// of any characters. A narrower pattern fits a wider one as if it were a name.
func matchPattern(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, last)
}

// overlap reports whether some text fits both patterns, in which * is any number
// of any characters. A pattern without * is the text itself.
func overlap(a, b string) bool {
	// fits[j] tells whether the rest of a, from i, and the rest of b, from j,
	// have a text in common; i runs backwards.
	var fits, next []bool
	for i := len(a); i >= 0; i-- {
		fits, next = make([]bool, len(b)+1), fits
		for j := len(b); j >= 0; j-- {
			starA, starB := i < len(a) && a[i] == '*', j < len(b) && b[j] == '*'
			switch {
			case i == len(a) && j == len(b):
				fits[j] = true
			case starA && next[j], starB && fits[j+1]: // the star is nothing
				fits[j] = true
			case starA && j < len(b):
				fits[j] = fits[j+1] // the star takes what b has here
			case starB && i < len(a):
				fits[j] = next[j]
			case i < len(a) && j < len(b) && a[i] == b[j]:
				fits[j] = next[j+1]
			}
		}
	}
	return fits[0]
}

// overrides reports whether an entry of tools counts before another for a tool
// that both are about: a name before a pattern, a longer one before a shorter.
func overrides(name, other string) bool {
	if pattern, otherPattern := strings.Contains(name, "*"), strings.Contains(other, "*"); pattern != otherPattern {
		return otherPattern
	}
	return len(name) >= len(other)
}

// sameTool reports whether two entries of tools can be about one tool. That of a
// server may be written with the server's name in front.
func sameTool(a, b string) bool {
	return overlap(a, b) || overlap(a, "*__"+b) || overlap("*__"+a, b)
}
