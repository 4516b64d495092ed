package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/trust"
)

// Spec says how to run a provider.
type Spec struct {
	// Name is what the workspace calls the provider.
	Name string
	Kind pool.OriginKind
	// Program is what to start, and the checksum that it must have, if any.
	// [Status] tells the checksum of what runs.
	Program trust.Program
	// Dir is the working directory; empty is Workspace.
	Dir string
	// Env is added to the environment that every provider gets.
	Env map[string]string
	// DroppedEnv are the names of variables that it asks for and does not get.
	// They are for [Status] only.
	DroppedEnv []string
	// Workspace is the absolute path of the workspace.
	Workspace string
	// Config makes the provider's configuration, a JSON object, after the
	// schema it reports; the schema is empty when it takes none. Its error is
	// returned as it is, wrapped. Nil configures with an empty object.
	Config func(schema json.RawMessage) (json.RawMessage, error)
	// ConfigDigest changes when what Config returns may have changed.
	ConfigDigest string
}

func (s Spec) validate() error {
	switch {
	case s.Name == "":
		return fmt.Errorf("start plugin: it has no name")
	case s.Program.Path() == "":
		return fmt.Errorf("start plugin %q: it has no command; declare one in config.hcl", s.Name)
	case !filepath.IsAbs(s.Program.Path()):
		return fmt.Errorf("start plugin %q: %q is not an absolute path", s.Name, s.Program.Path())
	}
	return nil
}

// fingerprint identifies everything that shapes a generation; sum is the
// checksum of the program.
func (s Spec) fingerprint(sum string) (string, error) {
	identity, err := json.Marshal(struct {
		Name, Kind, Dir, Workspace, ConfigDigest, Sum string
		Command                                       []string
		Env, Files                                    map[string]string // marshal in order
	}{s.Name, string(s.Kind), s.Dir, s.Workspace, s.ConfigDigest, sum, s.Program.Command(), s.Env, s.Program.Files()})
	if err != nil {
		return "", fmt.Errorf("fingerprint of plugin %q: %w", s.Name, err)
	}
	digest := sha256.Sum256(identity)
	return hex.EncodeToString(digest[:]), nil
}
