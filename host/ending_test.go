package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/pipeline"
)

func TestKilledProviderFailsItsCallWithTheReasonAndTheNextCallWorks(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	mark := filepath.Join(h.dir, "pid")
	failed := make(chan error, 1)
	go func() {
		_, err := h.invoke("wait", fields{"path": mark})
		failed <- err
	}()
	pid := awaitPID(t, mark)
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	r := refusal(t, <-failed)
	t.Logf("the caller knew after %v", time.Since(killed))
	if r.Code != pipeline.ProviderFailed || !strings.Contains(r.Reason, "killed") || !strings.Contains(r.Reason, "probe") {
		t.Errorf("refusal %s: %s", r.Code, r.Reason)
	}
	outcome, err := h.invoke("nothing", fields{})
	if err != nil || outcome.Text != "done" {
		t.Errorf("next call: %+v, %v", outcome, err)
	}
	crashes, err := h.Crashes()
	if err != nil || len(crashes) != 1 || crashes[0].PID != pid || crashes[0].Provider != "probe" {
		t.Errorf("crashes = %+v, %v", crashes, err)
	}
}

// awaitPID waits for a file that holds a process id.
func awaitPID(t *testing.T, path string) int {
	t.Helper()
	for t.Context().Err() == nil {
		data, err := os.ReadFile(path)
		var pid int
		if err == nil {
			if _, err := fmt.Sscan(string(data), &pid); err == nil {
				return pid
			}
		}
		time.Sleep(time.Millisecond) // a file cannot be waited for
	}
	t.Fatal("no pid")
	return 0
}

// givenUp is the error of a call that ends because its caller gives it up while
// it runs.
func (o *opened) givenUp(t *testing.T) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	mark := filepath.Join(o.dir, "pid")
	failed := make(chan error, 1)
	go func() {
		_, err := o.Invoke(ctx, pipeline.Invocation{Tool: "wait", Input: json.RawMessage(fmt.Sprintf(`{"path":%q}`, mark))})
		failed <- err
	}()
	awaitPID(t, mark)
	cancel()
	return <-failed
}

func TestCancelledCallEndsAndSaysSo(t *testing.T) {
	t.Parallel()
	if r := refusal(t, open(t, nil).givenUp(t)); r.Code != pipeline.Cancelled {
		t.Errorf("code = %s: %s", r.Code, r.Reason)
	}
}
