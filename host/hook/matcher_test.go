package hook_test

import (
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/hook"
)

func TestMatcher(t *testing.T) {
	tools := []string{"Bash", "BashOutput", "Edit", "NotebookEdit", "Write", "jira__search", "mcp__github__search", "mcp__github__write_file"}
	tests := map[string]string{
		"":                  strings.Join(tools, " "),
		"*":                 strings.Join(tools, " "),
		".*":                strings.Join(tools, " "),
		"Bash":              "Bash",
		"bash":              "",
		"Edit|Write":        "Edit Write",
		"Bash.*":            "Bash BashOutput",
		"Edit.*":            "Edit",
		".*Edit":            "Edit NotebookEdit",
		"^Notebook":         "NotebookEdit",
		"^Bash$":            "Bash",
		"Output$":           "BashOutput",
		"mcp__github":       "",
		"mcp__github__.*":   "mcp__github__search mcp__github__write_file",
		"mcp__.*__write.*":  "mcp__github__write_file",
		"(jira|mcp)__.*":    "jira__search mcp__github__search mcp__github__write_file",
		"Bash|mcp__.*":      "Bash mcp__github__search mcp__github__write_file",
		"(?i)bash":          "Bash",
		"Nothing|AtAll|Bas": "",
	}
	for text, want := range tests {
		matcher, err := hook.ParseMatcher(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, tool := range tools {
			if matcher.Matches(tool) {
				got = append(got, tool)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q matches %q, want %q", text, got, want)
		}
	}
	if _, err := hook.ParseMatcher("(Bash"); err == nil || !strings.Contains(err.Error(), `"(Bash"`) {
		t.Errorf("a broken expression: %v", err)
	}
}
