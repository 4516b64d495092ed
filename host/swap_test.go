package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
)

// A link that is changed while the person looks at the card would let the call
// do what nobody judged.
func TestACallWhoseLinksChangedDoesNotRun(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	h.write("harmless.txt", "harmless\n")
	h.write("secret.txt", "secret\n")
	link := filepath.Join(h.dir, "link.txt")
	if err := os.Symlink("harmless.txt", link); err != nil {
		t.Fatal(err)
	}
	detach := h.Approvals().Attach()
	defer detach()
	done := make(chan error, 1)
	go func() {
		_, err := h.invoke("Bash", fields{"command": "cat link.txt > copied.txt"})
		done <- err
	}()
	for changed := h.Approvals().Changed(); len(h.Approvals().Pending()) == 0; changed = h.Approvals().Changed() {
		<-changed
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("secret.txt", link); err != nil {
		t.Fatal(err)
	}
	if err := h.Approvals().Decide(h.Approvals().Pending()[0].ID, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Fatal(err)
	}
	if r := refusal(t, <-done); r.Code != pipeline.Moved {
		t.Errorf("code = %s, want %s", r.Code, pipeline.Moved)
	}
	if _, err := os.Stat(filepath.Join(h.dir, "copied.txt")); err == nil {
		t.Error("the command ran")
	}
}
