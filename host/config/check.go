package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/toolcrib/toolcrib/host/hook"
)

// nameFault says what is wrong with a plugin's name, which is the first part of
// the names of its tools.
func nameFault(name string) string {
	if name == "" {
		return "The name is empty. It is what the plugin's tools start with, as in words__count."
	}
	if fault := labelFault("A plugin's name", name); fault != "" {
		return fault
	}
	if strings.Contains(name, "__") {
		return "A plugin's name has no double underscore, since that ends it in the names of its tools."
	}
	return ""
}

func hookNameFault(name string) string {
	if name == "" {
		return "The name is empty. It is what people know the hook by."
	}
	return labelFault("A hook's name", name)
}

// maxName leaves room for the tool's own name in the 64 characters of both.
const maxName = 32

func labelFault(what, name string) string {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-') {
			return fmt.Sprintf("%s has letters, digits, _ and -, and no %q.", what, r)
		}
	}
	if len(name) > maxName {
		return fmt.Sprintf("%s has at most %d characters.", what, maxName)
	}
	return ""
}

func identifierFault(name string) string {
	if !hclsyntax.ValidIdentifier(name) {
		return fmt.Sprintf("A variable's name is a word, since it is written as var.name, and %q is none.", name)
	}
	return ""
}

func checkPluginCommand(r *reader, w *written, s *setting) bool {
	if slices.Contains(r.bundled, w.label) {
		r.fault("A bundled plugin has no command",
			fmt.Sprintf("%q is served by toolcrib itself. Remove the command, or choose another name for your plugin.", w.label), s.at)
		return false
	}
	return r.command(s, "./bin/words")
}

func checkHookCommand(r *reader, _ *written, s *setting) bool { return r.command(s, "./guard.sh") }

// command checks the program and its arguments. A program with a slash is made
// absolute; a bare name stays one.
func (r *reader) command(s *setting, example string) bool {
	if len(s.items) == 0 || s.items[0].text == "" {
		r.fault("Empty command", fmt.Sprintf("Name the program and its arguments, as in command = [%q].", example), s.expr.Range())
		return false
	}
	for _, item := range s.items {
		if strings.ContainsRune(item.text, 0) {
			r.fault("Invalid command", "An argument has no NUL character.", item.at)
			return false
		}
	}
	if program := s.items[0].text; strings.Contains(program, "/") && !filepath.IsAbs(program) {
		s.items[0].text = filepath.Join(r.layer.root, program)
	}
	return true
}

func checkEnv(r *reader, _ *written, s *setting) bool {
	s.items = slices.DeleteFunc(s.items, func(item textAt) bool {
		switch {
		case item.key == "" || strings.ContainsAny(item.key, "=\x00"):
			r.fault("Invalid environment name", "A name is not empty and has no = in it.", item.keyAt)
			return true
		case strings.ContainsRune(item.text, 0):
			r.fault("Invalid environment value", "A value has no NUL character.", item.at)
			return true
		}
		return false
	})
	return true
}

// checkPassEnv checks names of environment variables, or patterns of them.
func checkPassEnv(r *reader, _ *written, s *setting) bool {
	s.items = slices.DeleteFunc(s.items, func(item textAt) bool {
		fault := item.text == "" || strings.ContainsAny(item.text, "=\x00")
		if fault {
			r.fault("Invalid environment name", `Write the name of a variable, as in "GITHUB_TOKEN", or a pattern, as in "JIRA_*".`, item.at)
		}
		return fault
	})
	return true
}

// maxToolName is more than a tool's own name and its server's may have.
const maxToolName = 128

func checkToolNames(r *reader, _ *written, s *setting) bool {
	s.items = slices.DeleteFunc(s.items, func(item textAt) bool {
		fault := item.key == "" || len(item.key) > maxToolName
		if fault {
			r.fault("Invalid key", fmt.Sprintf("Write the name of a tool, or a pattern with *, of at most %d characters.", maxToolName), item.keyAt)
		}
		return fault
	})
	return true
}

func checkMatcher(r *reader, _ *written, s *setting) bool {
	if _, err := hook.ParseMatcher(s.text()); err != nil {
		r.fault("Invalid matcher", sentence(err.Error()), s.expr.Range())
		return false
	}
	return true
}

// maxHookTimeout is how long a call may wait for one hook.
const maxHookTimeout = 10 * time.Minute

func checkTimeout(r *reader, _ *written, s *setting) bool {
	timeout := s.scalar.(time.Duration)
	if timeout > 0 && timeout <= maxHookTimeout {
		return true
	}
	r.fault("Timeout out of range", "It must be more than 0 and at most 10m.", s.expr.Range())
	return false
}

func checkTokens(r *reader, _ *written, s *setting) bool {
	if s.scalar.(int) >= 1 {
		return true
	}
	r.fault("Number out of range", "It must be at least 1. To have no bound, take the line out.", s.expr.Range())
	return false
}
