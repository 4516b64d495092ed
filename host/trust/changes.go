package trust

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Changes tells a person what differs between the set that was agreed to and the
// one there is now, one line each. It is empty when they are equal.
func Changes(agreed, now Set) []string {
	var lines []string
	was := make(map[string]Provider)
	for _, provider := range agreed.Providers {
		was[provider.Name] = provider
	}
	for _, provider := range now.Providers {
		earlier, known := was[provider.Name]
		if !known {
			lines = append(lines, fmt.Sprintf("plugin %s is new", provider.Name))
			continue
		}
		delete(was, provider.Name)
		lines = append(lines, changesOf(earlier, provider)...)
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		lines = append(lines, fmt.Sprintf("plugin %s is gone", name))
	}
	lines = append(lines, changedHooks(agreed.Hooks, now.Hooks)...)
	lines = append(lines, changedList("allow rule", agreed.Allow, now.Allow)...)
	lines = append(lines, changedList("trusted command", agreed.TrustedCommands, now.TrustedCommands)...)
	if len(lines) == 0 && !agreed.Equal(now) {
		lines = append(lines, "the order changed")
	}
	return lines
}

func changesOf(was, now Provider) []string {
	var lines []string
	change := func(what, from, to string) {
		if from != to {
			lines = append(lines, fmt.Sprintf("plugin %s: %s changed from %s to %s", now.Name, what, from, to))
		}
	}
	change("its program", orNothing(was.Path), orNothing(now.Path))
	change("the program's sha256", orNothing(short(was.SHA256)), orNothing(short(now.SHA256)))
	change("its arguments", quoted(was.Args), quoted(now.Args))
	for _, file := range keys(was.Files, now.Files) {
		change(file, orNothing(short(was.Files[file])), orNothing(short(now.Files[file])))
	}
	for _, name := range keys(was.Env, now.Env) {
		from, had := was.Env[name]
		to, has := now.Env[name]
		switch {
		case !had:
			lines = append(lines, fmt.Sprintf("plugin %s: the environment variable %s is new", now.Name, name))
		case !has:
			lines = append(lines, fmt.Sprintf("plugin %s: the environment variable %s is gone", now.Name, name))
		case from != to:
			lines = append(lines, fmt.Sprintf("plugin %s: the environment variable %s has another value", now.Name, name))
		}
	}
	lines = append(lines, changedList("plugin "+now.Name+": asking for the variable", was.PassEnv, now.PassEnv)...)
	if was.Config != now.Config {
		lines = append(lines, fmt.Sprintf("plugin %s: its configuration changed", now.Name))
	}
	return lines
}

// short is enough of a checksum to compare by eye.
func short(sum string) string { return sum[:min(len(sum), 12)] }

func orNothing(text string) string {
	if text == "" {
		return "nothing"
	}
	return text
}

func quoted(args []string) string {
	if len(args) == 0 {
		return "none"
	}
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = fmt.Sprintf("%q", arg)
	}
	return strings.Join(words, " ")
}

func keys(a, b map[string]string) []string {
	all := maps.Clone(a)
	if all == nil {
		all = make(map[string]string)
	}
	maps.Copy(all, b)
	return slices.Sorted(maps.Keys(all))
}

func changedList(what string, was, now []string) []string {
	var lines []string
	for _, text := range now {
		if !slices.Contains(was, text) {
			lines = append(lines, fmt.Sprintf("%s %s is new", what, text))
		}
	}
	for _, text := range was {
		if !slices.Contains(now, text) {
			lines = append(lines, fmt.Sprintf("%s %s is gone", what, text))
		}
	}
	return lines
}
