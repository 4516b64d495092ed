package config_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolcrib/toolcrib/host/config"
)

func TestAPluginGetsWhatItAsksForAndThePersonAllows(t *testing.T) {
	environ := []string{"GITHUB_TOKEN=a=b", "JIRA_URL=c", "JIRA_KEY=d", "SECRET=e", "HOME=/h"}
	tests := map[string]struct {
		asks, allowed   string
		passed, dropped []string
	}{
		"nothing is asked for":             {``, `"*"`, nil, nil},
		"nothing is allowed":               {`"SECRET", "GITHUB_TOKEN"`, ``, nil, []string{"GITHUB_TOKEN", "SECRET"}},
		"asked for and allowed":            {`"GITHUB_TOKEN", "SECRET"`, `"GITHUB_TOKEN"`, []string{"GITHUB_TOKEN"}, []string{"SECRET"}},
		"allowed by a pattern":             {`"JIRA_URL"`, `"JIRA_*"`, []string{"JIRA_URL"}, nil},
		"asked for by a pattern":           {`"JIRA_*"`, `"JIRA_URL"`, []string{"JIRA_URL"}, []string{"JIRA_KEY"}},
		"what every program gets":          {`"HOME"`, ``, nil, nil},
		"a variable that is not set":       {`"NONE"`, `"NONE"`, nil, nil},
		"a name that starts with an other": {`"JIRA_URLS", "JIRA"`, `"*"`, nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			user := filepath.Join(t.TempDir(), "user.hcl")
			write := func(path, text string) {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write(user, "environment {\n  allow = ["+test.allowed+"]\n}\n")
			write(filepath.Join(root, "config.hcl"), "toolcrib {}\nplugin \"words\" {\n  command = [\"./words\"]\n  pass_env = ["+test.asks+"]\n}\n")
			c, diags := config.Load(root, config.Options{UserFile: user})
			if len(diags) > 0 {
				t.Fatalf("%+v", diags)
			}
			words, _ := c.Plugin("words")
			passed, dropped := words.Passed(environ)
			if got := slices.Sorted(maps.Keys(passed)); !slices.Equal(got, test.passed) || !slices.Equal(dropped, test.dropped) {
				t.Errorf("passed %q and dropped %q, want %q and %q", got, dropped, test.passed, test.dropped)
			}
			if value, ok := passed["GITHUB_TOKEN"]; ok && value != "a=b" {
				t.Errorf("GITHUB_TOKEN = %q, want all that is behind the first =", value)
			}
		})
	}
}
