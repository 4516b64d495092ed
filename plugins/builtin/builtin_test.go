package builtin

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// workspace is a folder with the tools configured for it.
type workspace struct {
	*testing.T
	dir   string
	tools map[string]sdk.Tool
}

func newWorkspace(t *testing.T, config string) *workspace {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tools, err := New("test").Config.Configure(t.Context(), sdk.Environment{Workspace: dir}, []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{T: t, dir: dir, tools: make(map[string]sdk.Tool)}
	for _, tool := range tools {
		w.tools[tool.Spec().Name] = tool
	}
	return w
}

func (w *workspace) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workspace) write(name, content string) {
	w.Helper()
	if err := os.WriteFile(w.path(name), []byte(content), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w *workspace) content(name string) string {
	w.Helper()
	data, err := os.ReadFile(w.path(name))
	if err != nil {
		w.Fatal(err)
	}
	return string(data)
}

// call runs a tool as the SDK's server does: an error becomes a result.
func (w *workspace) call(ctx context.Context, tool string, input any, planToken []byte) *sdk.Result {
	w.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		w.Fatal(err)
	}
	call := sdk.Detached(sdk.Environment{Workspace: w.dir})
	call.PlanToken = planToken
	result, err := w.tools[tool].Call(ctx, call, data)
	if err != nil {
		return sdk.Errorf("%v", err)
	}
	return result
}

func (w *workspace) plan(tool string, input any) *sdk.Plan {
	w.Helper()
	data, err := json.Marshal(input)
	if err != nil {
		w.Fatal(err)
	}
	plan, err := w.tools[tool].(sdk.Planner).Plan(w.Context(), data)
	if err != nil {
		w.Fatal(err)
	}
	return plan
}

func text(r *sdk.Result) string {
	var b strings.Builder
	for _, part := range r.Content {
		if text, ok := part.(sdk.Text); ok {
			b.WriteString(string(text))
		}
	}
	return b.String()
}

func structured[T any](t *testing.T, r *sdk.Result) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(r.Structured, &out); err != nil {
		t.Fatalf("structured result %q: %v", r.Structured, err)
	}
	return out
}

// wantError asserts that a result is an error that has all parts.
func wantError(t *testing.T, r *sdk.Result, parts ...string) {
	t.Helper()
	if !r.IsError {
		t.Errorf("got no error but %q", text(r))
	}
	for _, part := range parts {
		if !strings.Contains(text(r), part) {
			t.Errorf("the error %q does not have %q", text(r), part)
		}
	}
}

func TestProviderOffersItsTools(t *testing.T) {
	w := newWorkspace(t, "")
	if err := New("test").Update(slices.Collect(maps.Values(w.tools))); err != nil {
		t.Errorf("the tools cannot be served: %v", err)
	}
	var names []string
	for name, tool := range w.tools {
		names = append(names, name)
		if spec := tool.Spec(); spec.Description == "" || spec.InputSchema == nil || len(spec.Subjects) == 0 {
			t.Errorf("%s is described as %+v", name, spec)
		}
	}
	slices.Sort(names)
	if got := strings.Join(names, " "); got != "Bash Edit Read" {
		t.Errorf("got %s", got)
	}
}

func TestConfig(t *testing.T) {
	for name, tc := range map[string]struct {
		config string
		want   limits
		path   string // of the first fault
	}{
		"nothing":                        {`{}`, limits{2 * time.Minute, 10 * time.Minute, 65536}, ""},
		"everything":                     {`{"bash":{"timeout":"5s","max_timeout":"1m"},"read":{"max_bytes":2048}}`, limits{5 * time.Second, time.Minute, 2048}, ""},
		"a timeout raises the maximum":   {`{"bash":{"timeout":"30m"}}`, limits{30 * time.Minute, 30 * time.Minute, 65536}, ""},
		"a maximum lowers the timeout":   {`{"bash":{"max_timeout":"1m"}}`, limits{time.Minute, time.Minute, 65536}, ""},
		"a timeout that is no duration":  {`{"bash":{"timeout":"soon"}}`, limits{}, "bash timeout"},
		"a timeout of nothing":           {`{"bash":{"max_timeout":"0s"}}`, limits{}, "bash max_timeout"},
		"a timeout beyond the maximum":   {`{"bash":{"timeout":"2m","max_timeout":"1m"}}`, limits{}, "bash timeout"},
		"a Read that shows nothing":      {`{"read":{"max_bytes":1}}`, limits{}, "read max_bytes"},
		"a Read that shows all too much": {`{"read":{"max_bytes":99999999}}`, limits{}, "read max_bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			var c config
			if err := json.Unmarshal([]byte(tc.config), &c); err != nil {
				t.Fatal(err)
			}
			got, err := c.limits()
			var fault *sdk.ConfigError
			switch {
			case tc.path == "" && (err != nil || got != tc.want):
				t.Errorf("got %+v, %v", got, err)
			case tc.path != "" && (!errors.As(err, &fault) || strings.Join(fault.Path, " ") != tc.path):
				t.Errorf("got %v, want a fault of %s", err, tc.path)
			}
		})
	}
}
