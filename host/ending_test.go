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

func TestCancelledCallEndsAndSaysSo(t *testing.T) {
	t.Parallel()
	h := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	mark := filepath.Join(h.dir, "pid")
	failed := make(chan error, 1)
	go func() {
		_, err := h.Invoke(ctx, pipeline.Invocation{Tool: "wait", Input: json.RawMessage(fmt.Sprintf(`{"path":%q}`, mark))})
		failed <- err
	}()
	awaitPID(t, mark)
	cancel()
	if r := refusal(t, <-failed); r.Code != pipeline.Cancelled {
		t.Errorf("code = %s: %s", r.Code, r.Reason)
	}
}
