package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plugin"
)

// state is how a provider is.
func (o *opened) state(name string) plugin.Status {
	o.t.Helper()
	all := o.Providers()
	i := slices.IndexFunc(all, named(name))
	if i < 0 {
		o.t.Fatalf("there is no provider %s", name)
	}
	return all[i]
}

func TestReloadOfOneProviderReplacesItAlone(t *testing.T) {
	t.Parallel()
	h, _ := configured(t, declare(t, "one", "1"), declare(t, "two", "1"))
	one, two := h.state("one").PID, h.state("two").PID
	file := filepath.Join(t.TempDir(), "pid")
	running := make(chan error, 1)
	go func() {
		_, err := h.invoke("one__linger", fields{"path": file})
		running <- err
	}()
	awaitPID(t, file)

	report, err := h.ReloadProvider(t.Context(), "one")
	if err != nil || len(report.Providers) != 1 || report.Providers[0].Action != host.Restarted {
		t.Fatalf("report = %+v, %v", report, err)
	}
	if h.state("one").PID == one || h.state("two").PID != two {
		t.Errorf("one runs as %d, before as %d; two as %d, before as %d", h.state("one").PID, one, h.state("two").PID, two)
	}
	if outcome, err := h.invoke("one__nothing", fields{}); err != nil || outcome.Text != "done" {
		t.Errorf("the new one answers %+v, %v", outcome, err)
	}
	if err := os.Remove(file); err != nil { // lets the call end
		t.Fatal(err)
	}
	if err := <-running; err != nil {
		t.Errorf("the call that was running: %v", err)
	}
}

func TestReloadOfOneProviderEnablesItAgain(t *testing.T) {
	t.Parallel()
	h, _ := configured(t, declare(t, "weak", "1"))
	for h.state("weak").State != plugin.Disabled {
		if pid := h.state("weak").PID; pid != 0 {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				t.Fatal(err)
			}
		}
		_, _ = h.invoke("weak__nothing", fields{}) // starts it again
	}
	if _, err := h.ReloadProvider(t.Context(), "weak"); err != nil {
		t.Fatal(err)
	}
	if outcome, err := h.invoke("weak__nothing", fields{}); err != nil || outcome.Text != "done" {
		t.Errorf("it answers %+v, %v", outcome, err)
	}
}

func TestReloadOfAnUnknownProviderNamesTheOthers(t *testing.T) {
	t.Parallel()
	h, _ := configured(t, declare(t, "one", "1"))
	var unknown *host.UnknownProviderError
	if _, err := h.ReloadProvider(t.Context(), "on"); !errors.As(err, &unknown) || !slices.Contains(unknown.Known, "one") {
		t.Errorf("err = %v, want one that names the provider there is", err)
	}
}
