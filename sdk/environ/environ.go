// Package environ tells which variables of its own environment a host passes to
// the programs that it starts.
package environ

import (
	"slices"
	"strings"
)

// Passed are the variables that every program gets, as names or as patterns that
// end with *. Whatever else is there, tokens above all, stays with the host unless
// the person allows it.
func Passed() []string {
	return []string{"HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "XDG_*"}
}

// IsPassed reports whether a variable is one of [Passed].
func IsPassed(name string) bool {
	return slices.ContainsFunc(Passed(), func(pattern string) bool {
		prefix, open := strings.CutSuffix(pattern, "*")
		return name == pattern || open && strings.HasPrefix(name, prefix)
	})
}

// Of is the environment of a program: what is passed of the host's, given as
// NAME=value, and what is added for the program.
func Of(host []string, added map[string]string) []string {
	var env []string
	for _, variable := range host {
		if name, _, _ := strings.Cut(variable, "="); IsPassed(name) {
			env = append(env, variable)
		}
	}
	for name, value := range added {
		env = append(env, name+"="+value)
	}
	return env
}
