package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
)

func TestOldWholeResultsAreForgottenWhenTheWorkspaceIsOpened(t *testing.T) {
	t.Parallel()
	first := open(t, func(o *host.Options) { o.ResultBytes = 500 })
	stop := first.answers(approval.Decision{Verdict: approval.Allow})
	old, err := first.invoke("Bash", fields{"command": "seq 1 2000"})
	if err != nil {
		t.Fatal(err)
	}
	recent, err := first.invoke("Bash", fields{"command": "seq 1 2000"})
	if err != nil {
		t.Fatal(err)
	}
	stop()
	monthAgo := time.Now().AddDate(0, -1, 0)
	if err := os.Chtimes(old.SpillPath, monthAgo, monthAgo); err != nil {
		t.Fatal(err)
	}
	state, _, _ := strings.Cut(old.SpillPath, string(filepath.Separator)+"workspaces")
	open(t, func(o *host.Options) { o.Dir, o.StateDir = first.dir, state })
	if _, err := os.Stat(old.SpillPath); !os.IsNotExist(err) {
		t.Errorf("the old result: %v", err)
	}
	if _, err := os.Stat(recent.SpillPath); err != nil {
		t.Errorf("the recent result: %v", err)
	}
}
