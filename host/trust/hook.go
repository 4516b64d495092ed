package trust

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/toolcrib/toolcrib/host/config"
)

// Hook is one hook of a set: a program, and when it runs.
type Hook struct {
	Name    string `json:"name"`
	Event   string `json:"event"`
	Matcher string `json:"matcher,omitempty"`
	// Path, SHA256, Missing, Args and Files are as those of a [Provider].
	Path    string            `json:"path"`
	SHA256  string            `json:"sha256,omitempty"`
	Missing string            `json:"missing,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
	// Timeout is as in "5s"; empty is the default.
	Timeout string `json:"timeout,omitempty"`
	OnError string `json:"on_error,omitempty"`
}

func surveyHook(declared config.Hook, workspace string) Hook {
	hook := Hook{
		Name: declared.Name, Event: declared.Event, Matcher: declared.Matcher,
		Args: declared.Command[1:], OnError: declared.OnError,
	}
	if declared.Timeout > 0 {
		hook.Timeout = declared.Timeout.String()
	}
	hook.Path, hook.SHA256, hook.Missing = surveyProgram(declared.Command[0], workspace)
	hook.Files = filesOf(hook.Path, hook.Args, nil, workspace)
	return hook
}

func (h Hook) describe() []string {
	when := h.Event
	if h.Matcher != "" && h.Matcher != "*" {
		when += " of " + h.Matcher
	}
	lines := []string{fmt.Sprintf("runs hook %s at %s: %s", h.Name, when, commandLine(h.Path, h.Args))}
	if h.SHA256 == "" {
		lines = append(lines, "  program: "+h.Missing)
	} else {
		lines = append(lines, "  sha256 "+h.SHA256)
	}
	for _, file := range slices.Sorted(maps.Keys(h.Files)) {
		lines = append(lines, fmt.Sprintf("  with %s, sha256 %s", file, h.Files[file]))
	}
	if h.OnError == "warn" {
		lines = append(lines, "  only warns when it fails")
	}
	return lines
}

// changedHooks tells what differs between hooks. Their order counts, since one
// that rewrites an input builds on those before it.
func changedHooks(agreed, now []Hook) []string {
	var lines []string
	was := make(map[string]Hook)
	var before, after []string // the names that both have, in order
	for _, hook := range agreed {
		was[hook.Name] = hook
	}
	for _, hook := range now {
		earlier, known := was[hook.Name]
		if !known {
			lines = append(lines, fmt.Sprintf("hook %s is new", hook.Name))
			continue
		}
		after = append(after, hook.Name)
		lines = append(lines, changesOfHook(earlier, hook)...)
	}
	for _, hook := range agreed {
		if slices.Contains(after, hook.Name) {
			before = append(before, hook.Name)
		} else {
			lines = append(lines, fmt.Sprintf("hook %s is gone", hook.Name))
		}
	}
	if !slices.Equal(before, after) {
		lines = append(lines, "the hooks are in another order")
	}
	return lines
}

func changesOfHook(was, now Hook) []string {
	var lines []string
	change := func(what, from, to string) {
		if from != to {
			lines = append(lines, fmt.Sprintf("hook %s: %s changed from %s to %s", now.Name, what, from, to))
		}
	}
	change("its event", was.Event, now.Event)
	change("its matcher", orNothing(was.Matcher), orNothing(now.Matcher))
	change("its program", was.Path, now.Path)
	change("the program's sha256", orNothing(short(was.SHA256)), orNothing(short(now.SHA256)))
	change("its arguments", quoted(was.Args), quoted(now.Args))
	for _, file := range keys(was.Files, now.Files) {
		change(file, orNothing(short(was.Files[file])), orNothing(short(now.Files[file])))
	}
	change("its timeout", orNothing(was.Timeout), orNothing(now.Timeout))
	change("what becomes of a call when it fails", orNothing(was.OnError), orNothing(now.OnError))
	return lines
}

// Hook is the program of a hook, as [Agreement.Plugin] is that of a plugin.
func (a Agreement) Hook(declared config.Hook) (Program, error) {
	if !declared.Layer.Foreign() {
		return personal(declared.Command)
	}
	if a.request != nil {
		return Program{}, errors.New("the workspace is not trusted; agree with `toolcrib trust`")
	}
	i := slices.IndexFunc(a.set.Hooks, func(h Hook) bool { return h.Name == declared.Name })
	if i < 0 {
		return Program{}, errors.New("it is not part of what was agreed to; reload")
	}
	hook := a.set.Hooks[i]
	if hook.SHA256 == "" {
		return Program{}, fmt.Errorf("%s; build or install it, then agree to it with `toolcrib trust`", hook.Missing)
	}
	return a.pinned(hook.Path, hook.SHA256, hook.Args, hook.Files), nil
}
