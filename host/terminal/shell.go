package terminal

import (
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed integration
var integration embed.FS

// shellKind is a family of shells that the integration speaks to.
type shellKind string

const (
	bash shellKind = "bash"
	zsh  shellKind = "zsh"
)

// shell is a program to start and how to start it with the integration.
type shell struct {
	path string
	kind shellKind
}

// UnsupportedShellError says that a shell was asked for by name and cannot
// take the integration.
type UnsupportedShellError struct{ Path string }

func (e *UnsupportedShellError) Error() string {
	return fmt.Sprintf("shell %q is not supported: set shell to bash or zsh", e.Path)
}

// findShell resolves the configured shell. An unsupported configured shell is
// an error; an unsupported $SHELL, which nobody chose for this, gives bash.
func findShell(configured string, env []string) (shell, error) {
	if configured != "" {
		kind, ok := kindOf(configured)
		if !ok {
			return shell{}, &UnsupportedShellError{Path: configured}
		}
		path, err := exec.LookPath(configured)
		if err != nil {
			return shell{}, fmt.Errorf("find shell %q: %w; install it or set another shell", configured, err)
		}
		return shell{path: path, kind: kind}, nil
	}
	if path := lookupEnv(env, "SHELL"); path != "" {
		if kind, ok := kindOf(path); ok {
			if _, err := exec.LookPath(path); err == nil {
				return shell{path: path, kind: kind}, nil
			}
		}
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		return shell{}, fmt.Errorf("find a shell: %w; install bash or set shell to a bash or zsh", err)
	}
	return shell{path: path, kind: bash}, nil
}

func kindOf(path string) (shellKind, bool) {
	switch base := filepath.Base(path); {
	case strings.HasPrefix(base, "bash"):
		return bash, true
	case strings.HasPrefix(base, "zsh"):
		return zsh, true
	}
	return "", false
}

// lookupEnv returns the last value of name, as the started process sees it.
func lookupEnv(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if key, value, ok := strings.Cut(env[i], "="); ok && key == name {
			return value
		}
	}
	return ""
}

// command writes the shell's startup files into dir, which is private, and
// returns what starts it. env is the complete environment. aid marks this
// shell's prompts apart from those of anything else that draws into its
// terminal.
func (s shell) command(dir, aid string, env []string) (*exec.Cmd, error) {
	header := fmt.Sprintf("__crib_dir=%s\n__crib_aid=%s\n", quote(dir), quote(aid))
	switch s.kind {
	case zsh:
		return s.zshCommand(dir, header, env)
	default:
		return s.bashCommand(dir, header, env)
	}
}

func (s shell) bashCommand(dir, header string, env []string) (*exec.Cmd, error) {
	script, err := integration.ReadFile("integration/bash.sh")
	if err != nil {
		return nil, fmt.Errorf("read bash integration: %w", err)
	}
	// bash itself reads the system's bashrc, where it was built with one,
	// before the file that --rcfile names.
	rc := header + string(script) +
		"if [ -r ~/.bashrc ]; then\n. ~/.bashrc\nfi\n" +
		"{ __crib_install; } 2>/dev/null\n"
	path := filepath.Join(dir, "bashrc")
	if err := os.WriteFile(path, []byte(rc), 0o600); err != nil {
		return nil, fmt.Errorf("write bash startup file: %w", err)
	}
	cmd := exec.Command(s.path, "--rcfile", path, "-i")
	cmd.Env = env
	return cmd, nil
}

// zshCommand points ZDOTDIR at files that give it back to the person's own
// ones. Their .zshenv may move ZDOTDIR, so it is read again after each.
func (s shell) zshCommand(dir, header string, env []string) (*exec.Cmd, error) {
	script, err := integration.ReadFile("integration/zsh.zsh")
	if err != nil {
		return nil, fmt.Errorf("read zsh integration: %w", err)
	}
	zdotdir := lookupEnv(env, "ZDOTDIR")
	restore := "unset ZDOTDIR\n"
	if zdotdir != "" {
		restore = fmt.Sprintf("export ZDOTDIR=%s\n", quote(zdotdir))
	}
	files := map[string]string{
		".zshenv": restore +
			"if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then\n. ${ZDOTDIR:-$HOME}/.zshenv\nfi\n" +
			"typeset -g __crib_zdotdir=${ZDOTDIR-}\n" +
			fmt.Sprintf("ZDOTDIR=%s\n", quote(dir)),
		".zshrc": header + string(script) +
			// A system zshrc (macOS) may have put the history beside this file.
			"[[ ${HISTFILE-} == $ZDOTDIR/* ]] && HISTFILE=${__crib_zdotdir:-$HOME}/${HISTFILE:t}\n" +
			"if [[ -n $__crib_zdotdir ]]; then\nexport ZDOTDIR=$__crib_zdotdir\nelse\nunset ZDOTDIR\nfi\n" +
			"if [[ -r ${ZDOTDIR:-$HOME}/.zshrc ]]; then\n. ${ZDOTDIR:-$HOME}/.zshrc\nfi\n" +
			"{ __crib_install; } 2>/dev/null\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, fmt.Errorf("write zsh startup file: %w", err)
		}
	}
	cmd := exec.Command(s.path, "-i")
	cmd.Env = append(env[:len(env):len(env)], "ZDOTDIR="+dir)
	return cmd, nil
}

// quote makes s one word of a POSIX shell.
func quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
