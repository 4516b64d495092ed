package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/pool"
)

func TestAReloadThatChangesOverridesRestartsNothing(t *testing.T) {
	t.Parallel()
	h, reload := withShifty(t, `tools = { "later_*" = "off", "later_2" = "always", "target" = "deferred" }`)
	pid := h.Providers()[0].PID
	if got, want := h.visible(), []string{"ToolSearch", "shifty__become", "shifty__later_2"}; !slices.Equal(got, want) {
		t.Errorf("visible: %q, want %q", got, want)
	}
	_, err := h.invoke("shifty__later_1", fields{})
	if r := refusal(t, err); r.Code != pipeline.ToolHidden || !strings.Contains(r.Reason, `tools = { "later_*" = "off" }`) {
		t.Errorf("a call of what is off: %s: %s", r.Code, r.Reason)
	}
	for _, query := range []string{"brew coffee", "select:shifty__later_1", "shifty__later_1", "server:shifty"} {
		if text := h.search(query); strings.Contains(text, `"name":"shifty__later_1"`) {
			t.Errorf("%q finds what is off: %s", query, text)
		}
	}
	reload(`load = "always"`)
	want := []string{"shifty__become", "shifty__later_1", "shifty__later_2", "shifty__later_3", "shifty__later_4", "shifty__target"}
	if got := h.visible(); !slices.Equal(got, want) {
		t.Errorf("after the reload: %q, want %q", got, want)
	}
	if now := h.Providers()[0].PID; now != pid {
		t.Errorf("process %d serves instead of %d", now, pid)
	}
}

func TestAnOverrideOfNoToolIsTold(t *testing.T) {
	t.Parallel()
	h, _ := withShifty(t, `tools = { "taget" = "off", "gone_*" = "off" }`)
	var found []string
	for _, d := range h.Diagnostics() {
		found = append(found, d.Summary+" "+d.Detail)
	}
	all := strings.Join(found, "\n")
	if len(found) != 2 || !strings.Contains(all, `no tool "taget"`) || !strings.Contains(all, `Did you mean "target"?`) || !strings.Contains(all, `no tool like "gone_*"`) {
		t.Errorf("diagnostics:\n%s", all)
	}
	told := 0
	for _, text := range h.notices(0) {
		if strings.Contains(text, "taget") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the session is told %d times, want once: %q", told, h.notices(0))
	}
}

// sparing opens a host whose list has room for few of the shifty tools.
func sparing(t *testing.T, dir, state string, tokens int) *opened {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "config.hcl")
	put(t, file, fmt.Sprintf("plugin \"shifty\" {\n  command = [%q, \"serve-shifty\"]\n}\npolicy {\n  approval_mode = \"auto\"\n}\npool {\n  visible_tokens = %d\n}\n", self, tokens))
	return open(t, func(o *host.Options) { o.Dir, o.StateDir, o.UserConfig, o.Bundled = dir, state, file, nil })
}

func TestWhatWasUsedBeforeStaysWithinTheBoundOfTokens(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	first := sparing(t, dir, state, 290)
	if got, want := first.visible(), []string{"ToolSearch", "shifty__become"}; !slices.Equal(got, want) {
		t.Fatalf("without uses: %q, want %q", got, want)
	}
	first.search("select:shifty__target")
	digest := first.Pool().Digest()
	stop := first.answers(approval.Decision{Verdict: approval.Allow})
	for range 3 {
		if _, err := first.invoke("shifty__target", fields{"a": "x"}); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if first.Pool().Digest() != digest {
		t.Error("the list changed by what was called")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	second := sparing(t, dir, state, 290)
	if got, want := second.visible(), []string{"ToolSearch", "shifty__target"}; !slices.Equal(got, want) {
		t.Errorf("in the next session: %q, want %q", got, want)
	}
	if entry, _ := second.Pool().Lookup("shifty__become"); entry.State != pool.Deferred || entry.Setting != "pool { visible_tokens = 290 }" {
		t.Errorf("the other is %s by %q: %s", entry.State, entry.Setting, entry.Reason)
	}
	if text := second.search("change the tools"); !strings.Contains(text, `"name":"shifty__become"`) {
		t.Errorf("what the bound deferred is not found: %s", text)
	}
	if got, want := second.visible(), []string{"ToolSearch", "shifty__target", "shifty__become"}; !slices.Equal(got, want) {
		t.Errorf("loaded: %q, want %q", got, want)
	}
}
