package host_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
)

// The example of docs/hooks.md does what the page says of it.
func TestTheGuardOfTheDocumentation(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		match := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindSubmatch(page)
		if match == nil {
			t.Fatalf("docs/hooks.md has no block of %s", language)
		}
		return string(match[1])
	}
	h := open(t, func(o *host.Options) {
		put(t, filepath.Join(o.Dir, "config.hcl"), "toolcrib {}\n"+block("hcl"))
		if err := os.WriteFile(filepath.Join(o.Dir, "guard.sh"), []byte(block("sh")), 0o755); err != nil {
			t.Fatal(err)
		}
		agree(t, *o)
	})
	stop := h.answers(approval.Decision{Verdict: approval.Deny})
	for command, want := range map[string]pipeline.Code{
		"git push --force origin main": pipeline.PolicyDenied,
		"git push -f":                  pipeline.PolicyDenied,
		"git push origin main":         pipeline.PersonDenied,
		"git fetch":                    pipeline.PersonDenied,
	} {
		_, err := h.invoke("Bash", fields{"command": command})
		if r := refusal(t, err); r.Code != want {
			t.Errorf("%s: refusal %s: %s", command, r.Code, r.Reason)
		}
	}
	warned := 0
	for _, request := range stop() {
		if contains(request.Warnings, "check the branch") {
			warned++
		}
	}
	if warned != 1 {
		t.Errorf("%d cards warn, want the one of the push", warned)
	}
}
