package executable

import (
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
)

// Environment makes a program's environment from the host's, of which it gets
// those that [config.PassedToAll] names, and from what is added for it.
func Environment(host []string, added map[string]string) []string {
	var env []string
	for _, variable := range host {
		name, _, _ := strings.Cut(variable, "=")
		if config.PassedToAll(name) {
			env = append(env, variable)
		}
	}
	for name, value := range added {
		env = append(env, name+"="+value)
	}
	return env
}
