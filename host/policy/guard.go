package policy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pool"
)

// protected finds a file that asks in every mode: one that other programs run or
// trust, or for reading one with credentials, unless a rule names its path.
func (j *judgement) protected() *Decision {
	for _, t := range j.touches() {
		if t.lost || t.access == "" {
			continue
		}
		for _, path := range t.ends.all() {
			why := protects(path, t.access, j.call.Home)
			if t.access == pool.AccessWrite && j.isConfig(path) {
				why = "it holds the workspace's policy"
			}
			if why == "" {
				continue
			}
			if t.access == pool.AccessRead && (t.lists || j.allowsPath(j.places.of(path), pool.AccessRead, false) != nil) {
				continue
			}
			verb := "writes"
			if t.access == pool.AccessRead {
				verb = "reads"
			}
			return &Decision{Outcome: Ask, Basis: ByProtected, Reason: fmt.Sprintf("it %s a protected path, %s: %s", verb, path, why)}
		}
	}
	return nil
}

// configNames are the files that a workspace's configuration may be in, besides
// those below .toolcrib, which is protected as a whole.
var configNames = []string{"config.hcl", "config.local.hcl", "config.hcl.json", "config.local.hcl.json"}

// isConfig tells whether a path is the configuration in the workspace's root. A
// deny rule would not be worth much if it could be edited away.
func (j *judgement) isConfig(path string) bool {
	return slices.ContainsFunc(j.places.roots, func(root string) bool {
		return slices.ContainsFunc(configNames, func(name string) bool { return strings.EqualFold(path, filepath.Join(root, name)) })
	})
}
