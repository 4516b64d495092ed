package host

import (
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
)

// environment is what a provider gets beside the variables that every one gets:
// what its env sets, and of the host's own what it asks for and the person allows.
// dropped are the names of those that it asks for and does not get.
func (h *Host) environment(declared config.Plugin) (env map[string]string, dropped []string) {
	env, dropped = declared.Passed(os.Environ())
	maps.Copy(env, declared.Env)
	if len(dropped) > 0 {
		h.notice(fmt.Sprintf("provider %q asks for %s, which you do not allow; to give it, list it in environment { allow = [...] } of your own config.hcl",
			declared.Name, strings.Join(dropped, ", ")))
	}
	return env, dropped
}
