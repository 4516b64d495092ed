package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/config"
)

// Survey lists what a configuration would start and allow because the
// workspace's file says so. It reads programs to take their checksums, and starts
// nothing. A program that does not exist is listed as missing.
func Survey(c *config.Config) Set {
	var set Set
	for _, plugin := range c.Plugins {
		if !plugin.Layer.Foreign() {
			continue
		}
		if plugin.Bundled && !plugin.HasConfig() && len(plugin.Env)+len(plugin.PassEnv) == 0 {
			continue
		}
		set.Providers = append(set.Providers, survey(plugin, c.Workspace))
	}
	for _, hook := range c.Hooks {
		if hook.Layer.Foreign() {
			set.Hooks = append(set.Hooks, surveyHook(hook, c.Workspace))
		}
	}
	for _, rule := range c.Policy.Grants.Allow {
		set.Allow = append(set.Allow, rule.Text)
	}
	if c.Policy.Grants.ReadOnlyCommands {
		set.Allow = append(set.Allow, "shell commands that only read, in the workspace")
	}
	for _, provider := range c.Policy.Grants.TrustedProviders {
		set.Allow = append(set.Allow, fmt.Sprintf("what plugin %s says only reads, as of low risk", provider))
	}
	for _, command := range c.Policy.Grants.Trusted {
		set.TrustedCommands = append(set.TrustedCommands, command.Text)
	}
	return set
}

func survey(plugin config.Plugin, workspace string) Provider {
	provider := Provider{Name: plugin.Name, Bundled: plugin.Bundled, Config: plugin.ConfigDigest()}
	provider.PassEnv = slices.Compact(slices.Sorted(slices.Values(plugin.PassEnv)))
	for name, value := range plugin.Env {
		if provider.Env == nil {
			provider.Env = make(map[string]string)
		}
		sum := sha256.Sum256([]byte(value))
		provider.Env[name] = hex.EncodeToString(sum[:])
	}
	if plugin.Bundled {
		provider.Files = filesOf("", nil, plugin.Env, workspace)
		return provider
	}
	provider.Args = plugin.Command[1:]
	provider.Path, provider.SHA256, provider.Missing = surveyProgram(plugin.Command[0], workspace)
	provider.Files = filesOf(provider.Path, provider.Args, plugin.Env, workspace)
	return provider
}

// surveyProgram finds a program and takes its checksum; there is either one, or
// the reason why there is none.
func surveyProgram(program, workspace string) (path, sum, why string) {
	path, err := Resolve(program)
	if err != nil {
		return program, "", missing(program, err)
	}
	path = throughLinks(path, workspace)
	sum, err = checksum(path, maxProgram)
	if err != nil {
		return path, "", missing(path, err)
	}
	return path, sum, ""
}

// throughLinks is the path of a program in the workspace that is the same through
// whichever link the workspace was opened.
func throughLinks(path, workspace string) string {
	relative, ok := within(workspace, path)
	if !ok {
		return path
	}
	resolved, err := resolve(workspace)
	if err != nil {
		return path
	}
	return filepath.Join(resolved, relative)
}

// Resolve finds the absolute path of a program: one with a slash is taken as it
// is, a bare name is looked up in PATH. A program that PATH would find in the
// current folder is an error, since whoever wrote that folder chose it.
func Resolve(program string) (string, error) {
	if strings.Contains(program, "/") {
		return filepath.Abs(program)
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return "", fmt.Errorf("find program %q: %w", program, err)
	}
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("find program %q: %w", program, exec.ErrDot)
	}
	return path, nil
}

// missing says why there is no program, for a person.
func missing(path string, err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, exec.ErrNotFound):
		return path + " does not exist yet"
	case errors.Is(err, exec.ErrDot):
		return path + " would be taken from the current folder; write it with a slash"
	}
	return err.Error()
}
