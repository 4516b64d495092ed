package executable

import (
	"slices"
	"strings"
)

// passed are the variables of the host that a program gets. Whatever else is in
// the host's environment, tokens above all, stays with the host unless the
// configuration names it.
var (
	passed         = []string{"HOME", "LANG", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"}
	passedPrefixes = []string{"LC_", "XDG_"}
)

// Environment makes a program's environment from the host's, of which it gets a
// few harmless variables, and from what is added for it.
func Environment(host []string, added map[string]string) []string {
	var env []string
	for _, variable := range host {
		name, _, _ := strings.Cut(variable, "=")
		hasPrefix := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if slices.Contains(passed, name) || slices.ContainsFunc(passedPrefixes, hasPrefix) {
			env = append(env, variable)
		}
	}
	for name, value := range added {
		env = append(env, name+"="+value)
	}
	return env
}
