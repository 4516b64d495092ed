package pipeline

import "testing"

func TestCommandsThatWouldEndTheShellAreContained(t *testing.T) {
	for command, want := range map[string]bool{
		"echo hi; exit 3":            true,
		"if false; then exit 1; fi":  true,
		"set -euo pipefail; make":    true,
		"trap 'echo bye' EXIT; true": true,
		"exec ls":                    true,
		"ex\\it":                     true,
		"cd /tmp":                    false,
		"export A=1":                 false,
		"echo exit":                  false,
		"grep -r exit .":             false,
		"cat <<'E'\nexit 3\nE":       false,
		"broken 'quote; exit":        false, // it does not run at all
	} {
		got := contained(command)
		if (got != command) != want {
			t.Errorf("contained(%q) = %q", command, got)
		}
	}
}
