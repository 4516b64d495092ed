package host_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/sdk"
)

// crib is a provider whose tools are deferred, all but one that changes them.
func crib() *sdk.Provider {
	type input struct {
		Channel string `json:"channel,omitempty"`
	}
	deferred := func(name, description string) sdk.Tool {
		return sdk.NewTool(sdk.Spec{Name: name, Description: description, ReadOnly: true, Load: sdk.LoadDeferred},
			func(context.Context, *sdk.Call, struct{}) (string, error) { return name + " done", nil })
	}
	send := sdk.NewTool(sdk.Spec{Name: "send_message", Description: "Post a message to a channel.", ReadOnly: true, Load: sdk.LoadDeferred},
		func(context.Context, *sdk.Call, input) (string, error) { return "send_message done", nil })
	forecast := deferred("forecast", "Rain and temperatures of the coming days.")
	ticket := deferred("create_ticket", "File a bug for a team.")
	scoped := sdk.NewTool(sdk.Spec{Name: "lint_scoped", Description: "Look at some files.", ReadOnly: true, ActivationScope: "*.scoped"},
		func(context.Context, *sdk.Call, struct{}) (string, error) { return "looked", nil })
	p := &sdk.Provider{Name: "crib", Version: "1.0.0"}
	var take sdk.Tool
	take = sdk.NewTool(sdk.Spec{Name: "take", Description: "Take send_message away.", ReadOnly: true},
		func(context.Context, *sdk.Call, struct{}) (string, error) {
			return "taken", p.Update([]sdk.Tool{take, forecast, ticket})
		})
	p.Tools = []sdk.Tool{send, forecast, ticket, take, scoped}
	return p
}

// withCrib opens a host with deferred tools.
func withCrib(t *testing.T, change func(*host.Options)) *opened {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, func(o *host.Options) {
		o.Mode = policy.Auto
		o.Bundled = append(o.Bundled, host.Bundled{Name: "crib", Command: []string{self, "serve-crib"}})
		if change != nil {
			change(o)
		}
	})
}

func (o *opened) search(query string) string {
	o.t.Helper()
	outcome, err := o.invoke("ToolSearch", fields{"query": query})
	if err != nil {
		o.t.Fatalf("ToolSearch %q: %v", query, err)
	}
	return outcome.Text
}

func (o *opened) visible() []string {
	var names []string
	for _, entry := range o.Pool().Visible() {
		names = append(names, entry.Tool.Name)
	}
	return names
}

func TestToolSearchIsThereOnlyWhenSomethingIsDeferred(t *testing.T) {
	t.Parallel()
	if names := open(t, nil).visible(); slices.Contains(names, "ToolSearch") {
		t.Errorf("visible without deferred tools: %q", names)
	}
	h := withCrib(t, nil)
	names := h.visible()
	if !slices.Contains(names, "ToolSearch") || slices.Contains(names, "send_message") {
		t.Errorf("visible with deferred tools: %q", names)
	}
}

func TestFoundToolsAreLoadedAtTheEndInOrder(t *testing.T) {
	t.Parallel()
	h := withCrib(t, nil)
	before := h.visible()
	_, err := h.invoke("send_message", fields{})
	if r := refusal(t, err); r.Code != pipeline.ToolDeferred || !strings.Contains(r.Text(), `"channel"`) {
		t.Errorf("a call before: %s %s, want the schema", r.Code, r.Text())
	}

	text := h.search("send something to a channel")
	if !strings.Contains(text, `"name":"send_message"`) || !strings.Contains(text, `"channel"`) {
		t.Errorf("answer = %s, want the schema of send_message", text)
	}
	h.search("select:create_ticket")
	after := h.visible()
	if want := append(before, "send_message", "create_ticket"); !slices.Equal(after, want) {
		t.Errorf("visible = %q, want %q", after, want)
	}
	outcome, err := h.invoke("send_message", fields{"channel": "x"})
	if err != nil || outcome.Text != "send_message done" {
		t.Errorf("a call after: %v, %v", outcome, err)
	}
	h.search("send something to a channel")
	if again := h.visible(); !slices.Equal(again, after) {
		t.Errorf("after the same search: %q, want %q", again, after)
	}
}

func TestAnEmptyAnswerIsNeverAmbiguous(t *testing.T) {
	t.Parallel()
	t.Run("when all was searched", func(t *testing.T) {
		t.Parallel()
		h := withCrib(t, nil)
		if text := h.search("zzyzx"); !strings.Contains(text, "All servers were searched") {
			t.Errorf("answer = %s", text)
		}
		if text := h.search("select:forecasts"); !strings.Contains(text, "Near it: forecast.") {
			t.Errorf("answer = %s, want the near name", text)
		}
		if text := h.search("server:crab message"); !strings.Contains(text, `There is no server "crab". There are: builtin, crib, probe.`) {
			t.Errorf("answer = %s, want the servers", text)
		}
		if text := h.search("server:crib zzyzx"); strings.Contains(text, "There is no server") {
			t.Errorf("answer = %s, though there is that server", text)
		}
	})
	t.Run("when a provider failed", func(t *testing.T) {
		t.Parallel()
		h := withCrib(t, func(o *host.Options) {
			o.Bundled = append(o.Bundled, host.Bundled{Name: "broken", Command: []string{"/bin/false"}})
		})
		text := h.search("zzyzx")
		if !strings.Contains(text, "\n- broken: ") || strings.Contains(text, "All servers were searched") {
			t.Errorf("answer = %s, want that broken was not searched", text)
		}
	})
}

func TestADeniedToolIsNotFoundByItsNameOrItsWords(t *testing.T) {
	t.Parallel()
	h := withCrib(t, func(o *host.Options) {
		o.UserConfig = t.TempDir() + "/config.hcl"
		if err := os.WriteFile(o.UserConfig, []byte("policy {\n  deny = [\"send_*\"]\n}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	for _, query := range []string{"send_message", "select:send_message", "post a message to a channel"} {
		if text := h.search(query); strings.Contains(text, `"name":"send_message"`) {
			t.Errorf("%q found it: %s", query, text)
		}
	}
	if entry, _ := h.Pool().Lookup("send_message"); entry.State != pool.Denied {
		t.Errorf("send_message is %s, want denied", entry.State)
	}
}

func TestALoadedToolThatVanishesIsReportedOnce(t *testing.T) {
	t.Parallel()
	h := withCrib(t, nil)
	h.search("select:send_message")
	if _, err := h.invoke("take", fields{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var notices []string
	for seq := uint64(0); len(notices) == 0; {
		events, err := h.Events().Wait(ctx, seq)
		if err != nil {
			t.Fatalf("no notice came: %v", err)
		}
		for _, event := range events {
			seq = event.Seq
			if notice, ok := event.Body.(session.Notice); ok && strings.Contains(notice.Text, "send_message") {
				notices = append(notices, notice.Text)
			}
		}
	}
	if text := h.search("post a message to a channel"); strings.Contains(text, `"name":"send_message"`) {
		t.Errorf("it is still found: %s", text)
	}
	if len(notices) != 1 {
		t.Errorf("notices = %q, want one", notices)
	}
}

func TestSearchesThatLedToACallAreRememberedByTheWorkspace(t *testing.T) {
	t.Parallel()
	const asked, later = "tell colleagues of the channel umbrella", "umbrella"
	for claim, test := range map[string]struct {
		set      []string
		settings string
		want     bool
	}{
		"by default":                        {nil, "", true},
		"not when switched off":             {[]string{"pool.learn=false"}, "", false},
		"not when the configuration is off": {nil, "pool { learn = false }\n", false},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			dir, state := t.TempDir(), t.TempDir()
			file := filepath.Join(t.TempDir(), "config.hcl")
			put(t, file, test.settings)
			options := func(o *host.Options) {
				o.Dir, o.StateDir, o.Set, o.UserConfig = dir, state, test.set, file
			}
			first := withCrib(t, options)
			first.search(asked)
			if _, err := first.invoke("send_message", fields{}); err != nil {
				t.Fatal(err)
			}
			second := withCrib(t, options)
			outcome, err := second.invoke("ToolSearch", fields{"query": later, "max_results": 1})
			if err != nil {
				t.Fatal(err)
			}
			var answer struct{ Tools []struct{ Name string } }
			if err := json.Unmarshal(outcome.Structured, &answer); err != nil {
				t.Fatal(err)
			}
			if found := len(answer.Tools) == 1 && answer.Tools[0].Name == "send_message"; found != test.want {
				t.Errorf("%q found %v, want it found: %t", later, answer.Tools, test.want)
			}
		})
	}
}

func TestSessionsSideBySideKeepWhatBothLearn(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	options := func(o *host.Options) { o.Dir, o.StateDir = dir, state }
	first, second := withCrib(t, options), withCrib(t, options)
	for h, led := range map[*opened][2]string{
		first: {"tell colleagues umbrella channel", "send_message"}, second: {"temperatures parasol", "forecast"},
	} {
		h.search(led[0])
		if _, err := h.invoke(led[1], fields{}); err != nil {
			t.Fatal(err)
		}
	}
	third := withCrib(t, options)
	for query, want := range map[string]string{"umbrella": "send_message", "parasol": "forecast"} {
		if text := third.search(query); !strings.Contains(text, `"name":"`+want+`"`) {
			t.Errorf("%q finds %s, want %s", query, text, want)
		}
	}
}

func TestASessionThatGoesOnHasItsLoadedToolsAgain(t *testing.T) {
	t.Parallel()
	dir, state := t.TempDir(), t.TempDir()
	session := ""
	reopen := func(o *host.Options) { o.Dir, o.StateDir, o.SessionID = dir, state, session }
	first := withCrib(t, reopen)
	first.search("select:forecast,send_message")
	loaded := first.visible()
	session = first.SessionID()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	second := withCrib(t, reopen)
	if got := second.visible(); !slices.Equal(got, loaded) {
		t.Errorf("visible = %q, want %q", got, loaded)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}

	put(t, filepath.Join(dir, "config.hcl"), "toolcrib {}\nplugin \"crib\" {\n  tools = { \"forecast\" = \"off\" }\n}\n")
	third := withCrib(t, reopen)
	text := third.search("zzyzx")
	if !strings.Contains(text, "the loaded tool forecast is not there any more") || strings.Contains(text, "send_message is not") {
		t.Errorf("a tool that vanished in between: %s", text)
	}
	if again := third.search("zzyzx"); strings.Contains(again, "not there any more") {
		t.Errorf("told again: %s", again)
	}

	session = ""
	other := withCrib(t, reopen)
	if slices.Contains(other.visible(), "send_message") {
		t.Error("another session has it, too")
	}
}

func TestASessionIDThatIsNoNameIsRefused(t *testing.T) {
	t.Parallel()
	_, err := host.Open(t.Context(), host.Options{Dir: t.TempDir(), StateDir: t.TempDir(), SessionID: "../other"})
	if err == nil || !strings.Contains(err.Error(), "../other") {
		t.Errorf("err = %v", err)
	}
}
