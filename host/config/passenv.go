package config

import (
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/sdk/environ"
)

// Passed tells which variables of the host's environment, given as NAME=value, the
// plugin gets because it asks for them and the person allows them, and the names
// of those that it asks for and does not get.
func (p Plugin) Passed(host []string) (passed map[string]string, dropped []string) {
	passed = make(map[string]string)
	for _, variable := range host {
		name, value, _ := strings.Cut(variable, "=")
		switch {
		case !fitsAny(p.PassEnv, name), environ.IsPassed(name):
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
