package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Options are what a suite is told about a provider. The zero value works.
type Options struct {
	// Config is the provider's config block, a JSON object; nil is {}.
	Config json.RawMessage
	// Env is added to the environment that every provider gets.
	Env map[string]string
	// Files are put into the workspace, by path relative to it.
	Files map[string]string

	// Inputs are, by tool, what the tool may be called with: often, several
	// times at once, and in a workspace that is thrown away. The first call must
	// succeed; where a tool changes files, later ones may not.
	Inputs map[string]json.RawMessage
	// LongInputs are, by tool, inputs of calls that last for minutes unless they
	// are cancelled.
	LongInputs map[string]json.RawMessage

	// Hosted tells that the command makes no sense without a host, as a test
	// binary does not, and leaves out the check of starting it by hand.
	Hosted bool
}

// sampleFile is what the suite offers to tools that want to know a path.
const sampleFile = "sample.txt"

// writeFiles fills a workspace.
func (o Options) writeFiles(workspace string) error {
	files := map[string]string{
		sampleFile:         "The first line.\nThe second line.\n",
		"src/grüße/日本.txt": "Grüße, 世界 👋\n",
	}
	for name, content := range o.Files {
		files[name] = content
	}
	for name, content := range files {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("file %q is not within the workspace; give it a relative path", name)
		}
		path := filepath.Join(workspace, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("make workspace: %w", err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return fmt.Errorf("make workspace: %w", err)
		}
	}
	return nil
}
