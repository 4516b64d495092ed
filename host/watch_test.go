package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
)

// awaitNotice blocks until the session is told what contains text, after an
// event, and returns the number of that one.
func (o *opened) awaitNotice(after uint64, text string) (seq uint64, notice session.Notice) {
	o.t.Helper()
	ctx, cancel := context.WithTimeout(o.t.Context(), time.Minute)
	defer cancel()
	for {
		events, err := o.Events().Wait(ctx, after)
		if err != nil {
			o.t.Fatalf("waiting for a notice of %q: %v", text, err)
		}
		for _, event := range events {
			after = event.Seq
			if notice, ok := event.Body.(session.Notice); ok && strings.Contains(notice.Text, text) {
				return after, notice
			}
		}
	}
}

func named(name string) func(plugin.Status) bool {
	return func(s plugin.Status) bool { return s.Name == name }
}

// last is the number of the last event.
func (o *opened) last() uint64 {
	events := o.Events().Since(0)
	return uint64(len(events))
}

// notices are what the session was told after an event.
func (o *opened) notices(after uint64) []string {
	var texts []string
	for _, event := range o.Events().Since(after) {
		if notice, ok := event.Body.(session.Notice); ok {
			texts = append(texts, notice.Text)
		}
	}
	return texts
}

func put(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

const denyRead = "policy {\n  deny = [\"Read\"]\n}\n"

func TestAChangedFileIsTakenOver(t *testing.T) {
	t.Parallel()
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	link := func(t *testing.T, target, name string) {
		t.Helper()
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	tests := map[string]struct {
		before func(t *testing.T, dir string) // dir/home/config.hcl is the person's file
		change func(t *testing.T, dir string)
	}{
		"when it is written over": {
			func(t *testing.T, dir string) { put(t, dir+"/home/config.hcl", "") },
			func(t *testing.T, dir string) { put(t, dir+"/home/config.hcl", denyRead) },
		},
		"when another takes its place": {
			func(t *testing.T, dir string) { put(t, dir+"/home/config.hcl", "") },
			func(t *testing.T, dir string) {
				put(t, dir+"/home/.config.hcl.swp", denyRead)
				rename(t, dir+"/home/.config.hcl.swp", dir+"/home/config.hcl")
			},
		},
		"when it comes to be": {
			func(t *testing.T, dir string) { put(t, dir+"/home/other", "") },
			func(t *testing.T, dir string) { put(t, dir+"/home/config.hcl", denyRead) },
		},
		"when it comes to be with its folder": {
			func(*testing.T, string) {},
			func(t *testing.T, dir string) {
				put(t, dir+"/made/config.hcl", denyRead)
				rename(t, dir+"/made", dir+"/home")
			},
		},
		"when what its link leads to is written": {
			func(t *testing.T, dir string) {
				put(t, dir+"/dotfiles/toolcrib.hcl", "")
				put(t, dir+"/home/other", "")
				link(t, "../dotfiles/toolcrib.hcl", dir+"/home/config.hcl")
			},
			func(t *testing.T, dir string) { put(t, dir+"/dotfiles/toolcrib.hcl", denyRead) },
		},
		"when its link leads elsewhere": {
			func(t *testing.T, dir string) {
				put(t, dir+"/a.hcl", "")
				put(t, dir+"/b.hcl", denyRead)
				put(t, dir+"/home/other", "")
				link(t, "../a.hcl", dir+"/home/config.hcl")
			},
			func(t *testing.T, dir string) {
				link(t, "../b.hcl", dir+"/home/next")
				rename(t, dir+"/home/next", dir+"/home/config.hcl")
			},
		},
		"in a folder that is a link": {
			func(t *testing.T, dir string) {
				put(t, dir+"/dotfiles/config.hcl", "")
				link(t, "dotfiles", dir+"/home")
			},
			func(t *testing.T, dir string) { put(t, dir+"/dotfiles/config.hcl", denyRead) },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			tt.before(t, dir)
			h := open(t, func(o *host.Options) {
				o.UserConfig, o.WatchConfig = filepath.Join(dir, "home", "config.hcl"), true
			})
			// Once a first change was noticed, it is sure that files are watched.
			h.write("config.hcl", "toolcrib {}\npolicy {\n  ask = [\"Bash(first)\"]\n}\n")
			h.awaitNotice(0, "new rule: ask Bash(first)")
			tt.change(t, dir)
			h.awaitNotice(0, "new rule: deny Read")
			_, err := h.invoke("Read", fields{"path": "x"})
			if r := refusal(t, err); r.Code != pipeline.ToolDenied {
				t.Errorf("Read is %s, want it denied", r.Code)
			}
		})
	}
}

func TestABrokenEditIsToldOnceAndLastGoodGoesOn(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"))
	pid := h.Providers()[0].PID
	seen := h.last()
	for _, broken := range []string{"plugin {", "\n# moved down\nplugin {"} {
		write(broken)
		h.ConfigTouched()
	}
	told := h.notices(seen)
	if len(told) != 1 || !strings.Contains(told[0], "refused") || !strings.Contains(told[0], "plugin {") {
		t.Errorf("told %q, want the refusal with its line once", told)
	}
	if outcome, err := h.invoke("steady__nothing", fields{}); err != nil || outcome.Text != "done" || h.Providers()[0].PID != pid {
		t.Errorf("the provider answers %+v, %v", outcome, err)
	}

	seen = h.last()
	write("polcy {}")
	h.ConfigTouched()
	if told := h.notices(seen); len(told) != 1 || !strings.Contains(told[0], "polcy") {
		t.Errorf("told %q of another fault", told)
	}
	seen = h.last()
	write(declare(t, "steady", "1"))
	h.ConfigTouched()
	if told := h.notices(seen); len(told) != 1 || !strings.Contains(told[0], "good again") {
		t.Errorf("told %q, want that it is good again", told)
	}
}

func TestAnEditThatSaysTheSameDoesNothing(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"), denyRead)
	pid, revision, seen := h.Providers()[0].PID, h.Pool().Revision, h.last()
	h.ConfigTouched()
	write("# a comment\n\n", declare(t, "steady", "1"), "# another", denyRead)
	h.ConfigTouched()
	if events := h.Events().Since(seen); len(events) != 0 || h.Pool().Revision != revision || h.Providers()[0].PID != pid {
		t.Errorf("it caused %+v", events)
	}
}

func TestACommittedEditTellsWhatItDidToEachProvider(t *testing.T) {
	t.Parallel()
	h, write := configured(t, declare(t, "steady", "1"), declare(t, "changing", "1"), declare(t, "leaving", "1"))
	seen := h.last()
	write(declare(t, "steady", "1"), declare(t, "changing", "2"), declare(t, "coming", "1"), denyRead)
	h.ConfigTouched()
	told := h.notices(seen)
	want := []string{"changing restarted: changed: environment", "coming added", "leaving removed", "new rule: deny Read"}
	for _, line := range want {
		if len(told) != 1 || !strings.Contains(told[0], line) || strings.Contains(told[0], "steady") {
			t.Errorf("told %q, want once and with %q", told, line)
		}
	}
}

// workspaceBlock is a workspace's file that declares probes of these names.
func workspaceBlock(t testing.TB, rules string, names ...string) string {
	text := "toolcrib {}\n" + rules
	for _, name := range names {
		text += declare(t, name, "1")
	}
	return text
}

func TestAnEditThatNeedsTrustAsksAndLeavesWhatWasAgreedTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.hcl")
	put(t, file, workspaceBlock(t, "", "first"))
	h := open(t, func(o *host.Options) { o.Dir = dir })
	if err := h.Trust(t.Context(), h.TrustRequest()); err != nil {
		t.Fatal(err)
	}
	put(t, file, workspaceBlock(t, denyRead, "first", "second"))
	h.ConfigTouched()

	request := h.TrustRequest()
	if request == nil || !slices.Contains(request.Changes, "plugin second is new") {
		t.Fatalf("request = %+v, want one for second", request)
	}
	if outcome, err := h.invoke("first__nothing", fields{}); err != nil || outcome.Text != "done" {
		t.Errorf("first answers %+v, %v, though it was agreed to", outcome, err)
	}
	if slices.ContainsFunc(h.Providers(), named("second")) {
		t.Error("second was started")
	}
	_, err := h.invoke("Read", fields{"path": "x"})
	if r := refusal(t, err); r.Code != pipeline.ToolDenied {
		t.Errorf("Read is %s, want the new deny rule to hold at once", r.Code)
	}

	if err := h.Trust(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if outcome, err := h.invoke("second__nothing", fields{}); err != nil || outcome.Text != "done" {
		t.Errorf("second answers %+v, %v, once it is agreed to", outcome, err)
	}
}

func TestAReloadAfterTrustWasRevokedStopsWhatTheWorkspaceDeclares(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "config.hcl"), workspaceBlock(t, "", "first"))
	h := open(t, func(o *host.Options) { o.Dir = dir })
	if err := h.Trust(t.Context(), h.TrustRequest()); err != nil {
		t.Fatal(err)
	}
	if err := h.RevokeTrust(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(h.Providers(), named("first")) {
		t.Error("first goes on")
	}
}

func TestAFileThatMovesTheWorkspaceIsRefused(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	dir := filepath.Join(above, "below")
	put(t, filepath.Join(dir, "notes.txt"), "")
	h := open(t, func(o *host.Options) { o.Dir = dir })
	put(t, filepath.Join(above, "config.hcl"), "toolcrib {}\n")
	if _, err := h.Reload(t.Context()); err == nil {
		t.Error("the open workspace became another one")
	}
}

func TestAHostThatFollowsItsFilesClosesWhileTheyChange(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "config.hcl")
	put(t, file, "")
	h := open(t, func(o *host.Options) { o.UserConfig, o.WatchConfig = file, true })
	for i := range 50 {
		put(t, file, fmt.Sprintf("policy {\n  deny = [\"Bash(x%d)\"]\n}\n", i))
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
