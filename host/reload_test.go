package host_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/session"
)

// declare is a plugin block that serves the probe; text changes its fingerprint.
func declare(t testing.TB, name, text string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("plugin %q {\n  command = [%q, \"serve-probe\"]\n  env = { TEXT = %q }\n}\n", name, self, text)
}

// configured opens a host whose person's configuration is what the returned
// function writes.
func configured(t testing.TB, blocks ...string) (*opened, func(blocks ...string)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.hcl")
	write := func(blocks ...string) {
		if err := os.WriteFile(file, []byte(strings.Join(blocks, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(blocks...)
	return open(t, func(o *host.Options) { o.UserConfig, o.Bundled = file, nil }), write
}

func TestReloadSwapsAllThatStartedInOnePool(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"), declare(t, "changing", "1"), declare(t, "breaking", "1"), declare(t, "leaving", "1"))
	before := make(map[string]int)
	for _, p := range h.Providers() {
		before[p.Name] = p.PID
	}
	seen := h.Events().Since(0)
	broken := "plugin \"breaking\" {\n  command = [\"/bin/false\"]\n}\n"
	write(declare(t, "steady", "1"), declare(t, "changing", "2"), broken, declare(t, "coming", "1"))
	report, err := h.Reload(t.Context())
	if err != nil {
		t.Fatal(err)
	}

	want := map[string]struct {
		action host.Action
		reason string
	}{
		"steady":   {host.Kept, "nothing that shapes it has changed"},
		"changing": {host.Restarted, "changed: environment"},
		"breaking": {host.KeptOld, "exited with status 1"},
		"coming":   {host.Added, ""},
		"leaving":  {host.Removed, "does not declare it any more"},
	}
	for _, r := range report.Providers {
		w, ok := want[r.Provider]
		delete(want, r.Provider)
		if !ok || r.Action != w.action || !strings.Contains(r.Reason, w.reason) {
			t.Errorf("report is %+v, want %+v", r, w)
		}
	}
	if len(want) > 0 {
		t.Errorf("not reported are %v", want)
	}

	var pools []session.PoolChanged
	for _, event := range h.Events().Since(seen[len(seen)-1].Seq) {
		if changed, ok := event.Body.(session.PoolChanged); ok {
			pools = append(pools, changed)
		}
	}
	if len(pools) != 1 || len(pools[0].Added) != len(pools[0].Removed) || !strings.HasPrefix(pools[0].Added[0], "coming__") {
		t.Errorf("pools are %+v, want one with coming in the place of leaving", pools)
	}
	for _, p := range h.Providers() {
		if same := p.PID == before[p.Name]; same != (p.Name == "steady" || p.Name == "breaking") {
			t.Errorf("provider %s runs as pid %d, before as %d", p.Name, p.PID, before[p.Name])
		}
		if p.Name == "breaking" && (p.Configured.Command[0] != "/bin/false" || p.Configured.SHA256 == p.SHA256) {
			t.Errorf("of breaking, %+v is configured and %v runs", p.Configured, p.Command)
		}
		if outcome, err := h.invoke(p.Name+"__nothing", fields{}); err != nil || outcome.Text != "done" {
			t.Errorf("a call of %s answers %+v, %v", p.Name, outcome, err)
		}
	}
}

func TestReloadOfABrokenFileChangesNothing(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"))
	pid, revision := h.Providers()[0].PID, h.Pool().Revision
	write("plugin {")
	if _, err := h.Reload(t.Context()); err == nil {
		t.Error("a broken file was taken")
	}
	if h.Providers()[0].PID != pid || h.Pool().Revision != revision {
		t.Error("the provider or the pool is another one")
	}
}

func TestCloseEndsAReloadAndWhatItStarted(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"))
	late := filepath.Join(h.dir, "pid")
	write(fmt.Sprintf("plugin \"late\" {\n  command = [\"/bin/sh\", \"-c\", \"echo $$ >%s; exec sleep 600\"]\n}\n", late))
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = h.Reload(t.Context())
	}()
	pid := awaitPID(t, late)
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	<-done
	if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err == nil {
		t.Errorf("process %d is still there", pid)
	}
	if _, err := h.Reload(t.Context()); err == nil {
		t.Error("a closed host was reloaded")
	}
}

func TestReloadKeepsWhatHoldsWhenTheFileLosesItsBlock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.hcl")
	if err := os.WriteFile(file, []byte("toolcrib {}\npolicy {\n  deny = [\"Read\"]\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := open(t, func(o *host.Options) { o.Dir = dir })
	for name, content := range map[string]string{"emptied": "", "a typo in the block": "toolcrb {}\n"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var invalid *host.ConfigError
		if _, err := h.Reload(t.Context()); !errors.As(err, &invalid) {
			t.Errorf("%s: err = %v, want a ConfigError", name, err)
		}
		_, err := h.invoke("Read", fields{"path": "config.hcl"})
		if r := refusal(t, err); r.Code != pipeline.ToolDenied {
			t.Errorf("%s: Read is %s, want it denied as before", name, r.Code)
		}
	}
}
