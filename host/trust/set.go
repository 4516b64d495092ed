package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Set is what a workspace would start and allow. The zero value is nothing, for
// which no agreement is needed.
type Set struct {
	Providers []Provider `json:"providers,omitempty"`
	Hooks     []Hook     `json:"hooks,omitempty"` // in declared order
	// Allow and TrustedCommands would run without asking.
	Allow           []string `json:"allow,omitempty"`
	TrustedCommands []string `json:"trusted_commands,omitempty"`
}

// Provider is one plugin of a set.
type Provider struct {
	Name string `json:"name"`
	// Bundled providers are the program itself: the workspace only configures
	// them, and Path and SHA256 are empty.
	Bundled bool `json:"bundled,omitempty"`
	// Path is the absolute path of the program.
	Path string `json:"path,omitempty"`
	// SHA256 is the program's checksum in hexadecimal; empty when there is no
	// such program, and then Missing says why.
	SHA256  string   `json:"sha256,omitempty"`
	Missing string   `json:"missing,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Files are the checksums of files that the arguments and Env name, such as
	// the script that an interpreter runs, and of the interpreter that a script
	// names, if it is in the workspace.
	Files map[string]string `json:"files,omitempty"`
	// Env are the names of environment variables, with digests of the values.
	Env map[string]string `json:"env,omitempty"`
	// PassEnv are the names of the person's own variables that it asks for.
	PassEnv []string `json:"pass_env,omitempty"`
	// Config is the digest of the config block.
	Config string `json:"config,omitempty"`
}

// Empty reports whether there is nothing to agree to.
func (s Set) Empty() bool {
	return len(s.Providers) == 0 && len(s.Hooks) == 0 && len(s.Allow) == 0 && len(s.TrustedCommands) == 0
}

// Equal reports whether two sets start and allow the same.
func (s Set) Equal(other Set) bool { return s.Fingerprint() == other.Fingerprint() }

// Fingerprint identifies the set. It changes when anything in the set does.
func (s Set) Fingerprint() string {
	// Maps marshal in the order of their keys.
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings, maps and slices always marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Describe tells a person what the set starts and allows, one line each.
func (s Set) Describe() []string {
	var lines []string
	for _, provider := range s.Providers {
		lines = append(lines, provider.describe()...)
	}
	for _, hook := range s.Hooks {
		lines = append(lines, hook.describe()...)
	}
	for _, rule := range s.Allow {
		lines = append(lines, "lets run without asking: "+rule)
	}
	for _, command := range s.TrustedCommands {
		lines = append(lines, "lets run without asking, with any arguments: "+command)
	}
	return lines
}

// passEnv are the names of the person's variables that providers ask for.
func (s Set) passEnv() []string {
	var names []string
	for _, provider := range s.Providers {
		names = append(names, provider.PassEnv...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (p Provider) describe() []string {
	var lines []string
	switch {
	case p.Bundled:
		lines = append(lines, fmt.Sprintf("configures the bundled plugin %s", p.Name))
	case p.SHA256 == "":
		lines = append(lines, fmt.Sprintf("starts plugin %s: %s", p.Name, commandLine(p.Path, p.Args)), "  program: "+p.Missing)
	default:
		lines = append(lines, fmt.Sprintf("starts plugin %s: %s", p.Name, commandLine(p.Path, p.Args)), "  sha256 "+p.SHA256)
	}
	for _, file := range slices.Sorted(maps.Keys(p.Files)) {
		lines = append(lines, fmt.Sprintf("  with %s, sha256 %s", file, p.Files[file]))
	}
	if len(p.Env) > 0 {
		lines = append(lines, "  environment: "+strings.Join(slices.Sorted(maps.Keys(p.Env)), ", "))
	}
	if len(p.PassEnv) > 0 {
		lines = append(lines, "  asks for these variables of yours: "+strings.Join(p.PassEnv, ", "))
	}
	if p.Config != "" && !p.Bundled {
		lines = append(lines, "  with a config block")
	}
	return lines
}

// commandLine shows the program and its arguments so that they can be told apart.
func commandLine(path string, args []string) string {
	words := []string{path}
	for _, arg := range args {
		if arg == "" || strings.ContainsAny(arg, " \t\n\"'\\") {
			arg = fmt.Sprintf("%q", arg)
		}
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}
