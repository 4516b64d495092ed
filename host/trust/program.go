package trust

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/toolcrib/toolcrib/host/config"
)

// Program is a program that may be started, with its arguments. Whatever starts a
// process for a workspace takes one, and there are two ways to get it: by an
// [Agreement], or by [Own]. The zero value is no program.
type Program struct {
	command []string
	sha256  string
	files   map[string]string // checksums, by absolute path
}

// Own is a program that needs nobody's agreement: toolcrib itself, or what the
// person names on the command line. The first word is its absolute path.
func Own(command ...string) Program { return Program{command: slices.Clone(command)} }

// Pinned is the program with the hexadecimal checksum that it must have.
func (p Program) Pinned(sha256 string) Program {
	p.sha256 = sha256
	return p
}

// Command is the absolute path of the program and its arguments.
func (p Program) Command() []string { return slices.Clone(p.command) }

// Path is the absolute path of the program; empty for the zero value.
func (p Program) Path() string {
	if len(p.command) == 0 {
		return ""
	}
	return p.command[0]
}

// Args are the arguments after the program.
func (p Program) Args() []string {
	if len(p.command) == 0 {
		return nil
	}
	return slices.Clone(p.command[1:])
}

// SHA256 is the checksum that the program must have; empty accepts any.
func (p Program) SHA256() string { return p.sha256 }

// Files are the checksums, by absolute path, of the files that were agreed to along
// with the program.
func (p Program) Files() map[string]string { return maps.Clone(p.files) }

// Check fails when a file that was agreed to along with the program, such as the
// script that it runs, is not the same any more.
func (p Program) Check() error {
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		sum, err := fileSum(path)
		if err != nil {
			return fmt.Errorf("check %s: %w", path, err)
		}
		if sum != p.files[path] {
			return fmt.Errorf("%s is not what was agreed to; look at what changed and agree with `toolcrib trust`", path)
		}
	}
	return nil
}

// Agreement is what a configuration would start and allow, held against what the
// person agreed to. The zero value agrees to nothing.
type Agreement struct {
	set       Set
	workspace string
	request   *Request
}

// Agree surveys a configuration and looks up what the person agreed to for its
// workspace.
func (s *Store) Agree(c *config.Config) Agreement {
	set := Survey(c)
	request := s.Check(c.Workspace, set).Request
	if request != nil {
		request.AllowedEnv = slices.DeleteFunc(set.passEnv(), func(name string) bool { return !c.AllowsEnv(name) })
	}
	return Agreement{set: set, workspace: c.Workspace, request: request}
}

// Stands reports whether an agreement to all that a workspace would start and
// allow is still on record.
func (s *Store) Stands(workspace string, a Agreement) bool {
	return a.request == nil && s.Check(workspace, a.set).Trusted
}

// Request is what to ask the person; nil when they have agreed to all of it.
func (a Agreement) Request() *Request { return a.request }

// Holds is the part of the configuration that may be used.
func (a Agreement) Holds(c *config.Config) *config.Config {
	if a.request != nil {
		return c.Restricted()
	}
	return c
}

// Plugin is the program of a plugin that is not bundled. One that the workspace
// declares has the checksum that was agreed to; one of the person's own may be
// replaced at will.
func (a Agreement) Plugin(declared config.Plugin) (Program, error) {
	// By layer, not by name: the workspace may declare a name that the person
	// has declared, too, and of the two this may be the person's.
	if declared.Layer.Foreign() {
		return a.agreed(declared)
	}
	return personal(declared.Command)
}

// personal is a program that the person declares, who may replace it at will.
func personal(command []string) (Program, error) {
	path, err := Resolve(command[0])
	if err != nil {
		return Program{}, err
	}
	return Own(append([]string{path}, command[1:]...)...), nil
}

// agreed fails for a program that does not exist, since nobody can have agreed to
// it.
func (a Agreement) agreed(declared config.Plugin) (Program, error) {
	if a.request != nil {
		return Program{}, errors.New("the workspace is not trusted; agree with `toolcrib trust`")
	}
	i := slices.IndexFunc(a.set.Providers, func(p Provider) bool { return p.Name == declared.Name })
	if i < 0 {
		return Program{}, errors.New("it is not part of what was agreed to; reload")
	}
	provider := a.set.Providers[i]
	if provider.SHA256 == "" {
		return Program{}, fmt.Errorf("%s; build or install it, then reload", provider.Missing)
	}
	return a.pinned(provider.Path, provider.SHA256, provider.Args, provider.Files), nil
}

// pinned is a program as it was agreed to.
func (a Agreement) pinned(path, sum string, args []string, files map[string]string) Program {
	program := Own(append([]string{path}, args...)...).Pinned(sum)
	program.files = absoluteFiles(a.workspace, files)
	return program
}

func absoluteFiles(workspace string, named map[string]string) map[string]string {
	files := make(map[string]string, len(named))
	for name, sum := range named {
		files[absolute(workspace, name)] = sum
	}
	return files
}
