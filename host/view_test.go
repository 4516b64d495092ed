package host_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

func names(p *pool.Pool) []string {
	var list []string
	for _, entry := range p.Visible() {
		list = append(list, entry.Tool.Name)
	}
	return list
}

func TestEachViewHasItsOwnLoadedToolsAndItsOwnSearch(t *testing.T) {
	t.Parallel()
	h := withCrib(t, nil)
	view := h.View(host.ViewOptions{})
	defer view.Close()
	search := func(query string) string {
		outcome, err := view.Invoke(t.Context(), pipeline.Invocation{Tool: "ToolSearch", Input: []byte(`{"query":"` + query + `"}`)})
		if err != nil {
			t.Fatal(err)
		}
		return outcome.Text
	}
	before := h.visible()
	if text := search("select:send_message"); !strings.Contains(text, `"name":"send_message"`) {
		t.Errorf("answer = %s", text)
	}
	if _, err := view.Invoke(t.Context(), pipeline.Invocation{Tool: "send_message"}); err != nil {
		t.Errorf("a call of what the view loaded: %v", err)
	}
	if got := h.visible(); !slices.Equal(got, before) {
		t.Errorf("the host's own list became %q", got)
	}
	_, err := h.invoke("send_message", fields{})
	if r := refusal(t, err); r.Code != pipeline.ToolDeferred {
		t.Errorf("a call from the host's own list: %s", r.Code)
	}
	if _, err := h.invoke("take", fields{}); err != nil {
		t.Fatal(err)
	}
	h.awaitPool(has("send_message", ""))
	if text := search("forecast"); !strings.Contains(text, "the loaded tool send_message is not there any more") {
		t.Errorf("the view is not told that it lost a tool: %s", text)
	}
	if text := h.search("forecast"); strings.Contains(text, "not there any more") {
		t.Errorf("the host is told of a tool that it had not loaded: %s", text)
	}
}

func TestAnUnattendedViewHasNoToolsThatAlwaysAsk(t *testing.T) {
	t.Parallel()
	h, _ := withShifty(t, "")
	view := h.View(host.ViewOptions{Unattended: true})
	defer view.Close()
	if slices.Contains(names(view.Pool()), "shifty__target") || !slices.Contains(h.visible(), "shifty__target") {
		t.Errorf("unattended: %q, else: %q", names(view.Pool()), h.visible())
	}
	if err := h.SetMode(policy.Recommend, false); err != nil {
		t.Fatal(err)
	}
	if got := names(view.Pool()); len(got) > 0 {
		t.Errorf("in mode recommend: %q", got)
	}
	if err := h.SetMode(policy.Trust, true); err != nil {
		t.Fatal(err)
	}
	if got := names(view.Pool()); !slices.Contains(got, "shifty__target") {
		t.Errorf("in mode trust: %q", got)
	}
}

func TestAClosedViewIsNotAssembledAnyMore(t *testing.T) {
	t.Parallel()
	h := withCrib(t, nil)
	view := h.View(host.ViewOptions{})
	view.Close()
	before := view.Pool()
	h.search("select:send_message")
	if _, err := h.invoke("take", fields{}); err != nil {
		t.Fatal(err)
	}
	h.awaitPool(has("send_message", ""))
	if view.Pool() != before {
		t.Error("it has another pool")
	}
}

func TestAToolForFilesIsThereOnceThereAreSome(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for claim, file := range map[string]string{"before it opens": "main.scoped", "by a call": ""} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if file != "" {
				put(t, filepath.Join(dir, "deep", file), "")
			}
			h := open(t, func(o *host.Options) {
				o.Dir, o.Mode, o.Confirm = dir, policy.Trust, true
				o.Bundled = append(o.Bundled, host.Bundled{Name: "crib", Command: []string{self, "serve-crib"}})
			})
			if file == "" {
				if entry, _ := h.Pool().Lookup("lint_scoped"); entry.State != pool.Hidden || !strings.Contains(entry.Reason, "*.scoped") {
					t.Fatalf("before: %s: %s", entry.State, entry.Reason)
				}
				if _, err := h.invoke("Edit", fields{"path": filepath.Join(dir, "new.scoped"), "old_string": "", "new_string": "x\n"}); err != nil {
					t.Fatal(err)
				}
			}
			h.awaitPool(has("lint_scoped", pool.Visible))
		})
	}
}
