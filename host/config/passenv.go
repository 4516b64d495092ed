package config

import (
	"slices"
	"strings"
)

// PassedEnv are the variables of the host's environment that every program gets
// which the host starts, as names or as patterns with *. Whatever else is there,
// tokens above all, stays with the host unless the person allows it.
func PassedEnv() []string {
	return []string{"HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER", "XDG_*"}
}

// PassedToAll reports whether a variable is one of [PassedEnv].
func PassedToAll(name string) bool { return fitsAny(PassedEnv(), name) }

// Passed tells which variables of the host's environment, given as NAME=value, the
// plugin gets because it asks for them and the person allows them, and the names
// of those that it asks for and does not get.
func (p Plugin) Passed(environ []string) (passed map[string]string, dropped []string) {
	passed = make(map[string]string)
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case !fitsAny(p.PassEnv, name), PassedToAll(name):
		case fitsAny(p.allowEnv, name):
			passed[name] = value
		default:
			dropped = append(dropped, name)
		}
	}
	slices.Sort(dropped)
	return passed, dropped
}

// AllowsEnv reports whether the person lets providers have an environment
// variable, or every one that fits a pattern.
func (c *Config) AllowsEnv(name string) bool { return fitsAny(c.AllowEnv, name) }

func fitsAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return matchPattern(pattern, name) })
}
