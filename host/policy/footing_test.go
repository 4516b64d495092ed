package policy_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
)

func TestFootingTellsWhenALinkWasChanged(t *testing.T) {
	s := situation{allow: []string{"Edit(/src/**)"}, setup: files()}
	opened := s.open(t)
	link := filepath.Join(opened.box.project, "src", "current")
	swap := func(target string) {
		os.Remove(link)
		if err := os.Symlink(filepath.Join(opened.box.project, target), link); err != nil {
			t.Fatal(err)
		}
	}
	swap("src")
	judge := func(tool string, input map[string]any) policy.Decision { return opened.judge(t, tool, input) }
	calls := map[string]policy.Decision{
		"a path":                judge("Edit", map[string]any{"path": "src/current/app.ts"}),
		"a path to a new file":  judge("Write", map[string]any{"path": "src/current/new.ts"}),
		"a file of a command":   judge("Bash", map[string]any{"command": "cat src/current/app.ts"}),
		"a file of redirection": judge("Bash", map[string]any{"command": "echo hi > src/current/x"}),
	}
	for name, decision := range calls {
		if decision.Outcome != policy.Allow {
			t.Errorf("%s: %s because %s, want allow", name, decision.Outcome, decision.Reason)
		}
		if path, moved := decision.Footing.Moved(); moved {
			t.Errorf("%s: %s moved, and nothing was changed", name, path)
		}
	}
	swap("secrets")
	for name, decision := range calls {
		if _, moved := decision.Footing.Moved(); !moved {
			t.Errorf("%s: the link leads elsewhere, and nothing moved", name)
		}
	}
	swap("src")
	for name, decision := range calls {
		if path, moved := decision.Footing.Moved(); moved {
			t.Errorf("%s: %s moved, and leads where it did", name, path)
		}
	}
}

func TestKnownSubjectsOfPatterns(t *testing.T) {
	for pattern, want := range map[string]string{"/etc/*.conf": "/etc", "sub/*.go": "./sub", "../*": "./..", "*.go": ""} {
		raw, err := json.Marshal(map[string]string{"pattern": pattern})
		if err != nil {
			t.Fatal(err)
		}
		subjects := policy.KnownSubjects("Glob", raw)
		got := ""
		if len(subjects) > 1 {
			got = subjects[1].Value
		}
		if got != want {
			t.Errorf("the folder of %q is %q, want %q", pattern, got, want)
		}
	}
}
