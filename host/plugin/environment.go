package plugin

import (
	"slices"
	"strings"
)

// passed are the variables of the host that a provider gets. Whatever else is in
// the host's environment, tokens above all, stays with the host unless the Spec
// names it.
var (
	passed         = []string{"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"}
	passedPrefixes = []string{"LC_", "XDG_"}
)

// environment makes a provider's environment from the host's and its Spec.
func environment(host []string, spec map[string]string) []string {
	var env []string
	for _, variable := range host {
		name, _, _ := strings.Cut(variable, "=")
		hasPrefix := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.Contains(passed, name) || slices.ContainsFunc(passedPrefixes, hasPrefix) {
			env = append(env, variable)
		}
	}
	for name, value := range spec {
		env = append(env, name+"="+value)
	}
	return env
}
