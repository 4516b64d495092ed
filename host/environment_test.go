package host_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
)

func TestAProviderGetsOnlyVariablesThatThePersonAllows(t *testing.T) {
	for _, name := range []string{"TC_ALLOWED", "TC_DROPPED", "TC_UNASKED", "TC_SET"} {
		t.Setenv(name, "of the host")
	}
	o := open(t, func(options *host.Options) {
		options.Mode, options.Confirm = policy.Trust, true
		text := "plugin \"builtin\" {\n  pass_env = [\"TC_ALLOWED\", \"TC_DROPPED\", \"TC_SET\"]\n  env = { TC_SET = \"of the file\" }\n}\n" +
			"environment {\n  allow = [\"TC_A*\", \"TC_UNASKED\", \"TC_SET\"]\n}\n"
		if err := os.WriteFile(options.UserConfig, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	outcome, err := o.invoke("Bash", fields{"command": "env | grep ^TC_ | sort"})
	if err != nil {
		t.Fatal(err)
	}
	want := "TC_ALLOWED=of the host\nTC_SET=of the file\nexit 0"
	if got := strings.TrimSpace(outcome.Text); got != want {
		t.Errorf("the provider has %q, want %q", got, want)
	}

	i := slices.IndexFunc(o.Providers(), func(s plugin.Status) bool { return s.Name == "builtin" })
	if dropped := o.Providers()[i].DroppedEnv; !slices.Equal(dropped, []string{"TC_DROPPED"}) {
		t.Errorf("dropped = %q", dropped)
	}
	if _, err := o.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, event := range o.Events().Since(0) {
		if notice, ok := event.Body.(session.Notice); ok && strings.Contains(notice.Text, "TC_DROPPED, which you do not allow") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the person was told %d times", told)
	}
}

func TestAnotherValueOfAPassedVariableRestartsTheProvider(t *testing.T) {
	t.Setenv("TC_PASSED", "one")
	o := open(t, func(options *host.Options) {
		options.UserConfig = filepath.Join(t.TempDir(), "user.hcl")
		text := "plugin \"probe\" {\n  pass_env = [\"TC_PASSED\"]\n}\nenvironment {\n  allow = [\"TC_PASSED\"]\n}\n"
		if err := os.WriteFile(options.UserConfig, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	reload := func() host.Action {
		report, err := o.Reload(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(report.Providers, func(p host.ProviderReport) bool { return p.Provider == "probe" })
		return report.Providers[i].Action
	}
	if action := reload(); action != host.Kept {
		t.Errorf("with the same value the provider was %s", action)
	}
	t.Setenv("TC_PASSED", "two")
	if action := reload(); action != host.Restarted {
		t.Errorf("with another value the provider was %s", action)
	}
}
