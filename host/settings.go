package host

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/policy"
)

// settingChanges tells what differs between two configurations besides the
// providers, one line each; nothing when there was none before. Where something
// is written does not count.
func settingChanges(before, now *config.Config) []string {
	if before == nil {
		return nil
	}
	var lines []string
	if before.Policy.Mode != now.Policy.Mode {
		lines = append(lines, fmt.Sprintf("the configured approval mode is %s, no longer %s", now.Policy.Mode, before.Policy.Mode))
	}
	if before.Policy.ReadOnlyCommands != now.Policy.ReadOnlyCommands {
		word := "ask"
		if now.Policy.ReadOnlyCommands {
			word = "allow"
		}
		lines = append(lines, "read_only_commands is "+word)
	}
	lines = append(lines, listChanges("rule", rulesOf(before), rulesOf(now))...)
	lines = append(lines, listChanges("trusted command", trustedOf(before), trustedOf(now))...)
	lines = append(lines, listChanges("trusted provider", before.Policy.TrustedProviders, now.Policy.TrustedProviders)...)
	lines = append(lines, listChanges("variable for plugins", before.AllowEnv, now.AllowEnv)...)
	lines = append(lines, listChanges("hook", hooksOf(before), hooksOf(now))...)
	if !reflect.DeepEqual(before.Pool, now.Pool) {
		lines = append(lines, "the pool block changed")
	}
	return lines
}

func rulesOf(c *config.Config) []string {
	return texts(c.Policy.Rules, func(r policy.Rule) string { return string(r.Effect) + " " + r.Text })
}

func trustedOf(c *config.Config) []string {
	return texts(c.Policy.Trusted, func(t policy.TrustedCommand) string { return t.Text })
}

// hooksOf tells hooks apart by all that they say.
func hooksOf(c *config.Config) []string {
	return texts(c.Hooks, func(h config.Hook) string {
		return fmt.Sprintf("%s on %s of %q: %q, %s, %s", h.Name, h.Event, h.Matcher, h.Command, h.Timeout, h.OnError)
	})
}

func texts[T any](items []T, text func(T) string) []string {
	lines := make([]string, len(items))
	for i, item := range items {
		lines[i] = text(item)
	}
	return lines
}

func listChanges(what string, before, now []string) []string {
	var lines []string
	for _, item := range now {
		if !slices.Contains(before, item) {
			lines = append(lines, fmt.Sprintf("new %s: %s", what, item))
		}
	}
	for _, item := range before {
		if !slices.Contains(now, item) {
			lines = append(lines, fmt.Sprintf("%s gone: %s", what, item))
		}
	}
	return lines
}
