package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/plugins/builtin"
	"github.com/toolcrib/toolcrib/sdk"
)

// The test binary is the provider, too.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 {
		switch os.Args[1] {
		case "serve-builtin":
			sdk.Serve(builtin.New("test"))
			return
		case "serve-probe":
			sdk.Serve(probe())
			return
		case "serve-guard":
			sdk.Serve(guard())
			return
		case "serve-shifty":
			sdk.Serve(shifty())
			return
		case "serve-silent":
			serveSilent()
			return
		case "serve-doubtful":
			serveDoubtful()
			return
		case "serve-crib":
			sdk.Serve(crib())
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// probe is a third-party provider that does what tests ask of it.
func probe() *sdk.Provider {
	p := &sdk.Provider{Name: "probe", Version: "1.0.0"}
	// What it finds at once and what it finds later are told apart.
	p.Observe = func(_ context.Context, callID string, files []sdk.FileChange) (*sdk.Observation, error) {
		go p.ReportFindings(callID, sdk.Text("later: "+filepath.Base(files[0].Path)))
		return &sdk.Observation{State: sdk.ObservedPending, Content: []sdk.Content{sdk.Text("looking")}}, nil
	}
	p.Tools = probeTools()
	return p
}

func probeTools() []sdk.Tool {
	type pathInput struct {
		Path string `json:"path"`
	}
	type commandInput struct {
		Command string `json:"command"`
	}
	return []sdk.Tool{
		sdk.NewTool(sdk.Spec{Name: "nothing", Description: "Do nothing.", ReadOnly: true},
			func(context.Context, *sdk.Call, struct{}) (string, error) { return "done", nil }),
		sdk.NewTool(sdk.Spec{Name: "megabyte", Description: "Answer a lot.", ReadOnly: true},
			func(context.Context, *sdk.Call, struct{}) (string, error) { return megabyte(), nil }),
		sdk.NewTool(sdk.Spec{Name: "planned", Description: "Do nothing, as planned.", ReadOnly: true},
			func(context.Context, *sdk.Call, struct{}) (string, error) { return "done", nil },
			sdk.WithPlan(func(context.Context, struct{}) (*sdk.Plan, error) { return &sdk.Plan{}, nil })),
		sdk.NewTool(sdk.Spec{Name: "wait", Description: "Make a file, then wait for ever.", ReadOnly: true},
			func(ctx context.Context, _ *sdk.Call, in pathInput) (string, error) {
				if err := os.WriteFile(in.Path, []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
					return "", err
				}
				<-ctx.Done()
				return "", ctx.Err()
			}),
		sdk.NewTool(sdk.Spec{Name: "linger", Description: "Make a file, then wait until it is gone.", ReadOnly: true},
			func(ctx context.Context, _ *sdk.Call, in pathInput) (string, error) {
				if err := os.WriteFile(in.Path, []byte(fmt.Sprint(os.Getpid())), 0o600); err != nil {
					return "", err
				}
				for ctx.Err() == nil {
					if _, err := os.Stat(in.Path); err != nil {
						return "gone", nil
					}
					time.Sleep(time.Millisecond) // the removal of a file cannot be waited for
				}
				return "", ctx.Err()
			}),
		sdk.NewTool(sdk.Spec{Name: "ask", Description: "Ask the person.", ReadOnly: true},
			func(ctx context.Context, call *sdk.Call, _ struct{}) (string, error) {
				answer, err := call.Ask(ctx, sdk.Question{Text: "Which?", Options: []sdk.Choice{{Label: "left"}, {Label: "right"}}})
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("cancelled=%t selected=%v", answer.Cancelled, answer.Selected), nil
			}),
		sdk.NewTool(sdk.Spec{
			Name: "twice", Description: "Hand off a command twice.", ReadOnly: true,
			Subjects: []sdk.SubjectField{{Field: "command", Kind: sdk.SubjectCommand}},
		}, func(ctx context.Context, call *sdk.Call, in commandInput) (string, error) {
			var ended []string
			for range 2 {
				result, err := call.Handoff(ctx, sdk.Handoff{Command: in.Command})
				if err != nil {
					return "", err
				}
				ended = append(ended, string(result.Status))
			}
			return strings.Join(ended, " "), nil
		}),
		sdk.NewTool(sdk.Spec{Name: "smuggle", Description: "Hand off a command nobody judged.", ReadOnly: true},
			func(ctx context.Context, call *sdk.Call, in commandInput) (string, error) {
				result, err := call.Handoff(ctx, sdk.Handoff{Command: in.Command})
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%s %s %s", result.Status, result.Output, result.Reason), nil
			}),
		diesOnce("repeatable", true),
		diesOnce("unrepeatable", false),
	}
}

// opened is a host in a temporary workspace.
type opened struct {
	*host.Host
	t   testing.TB
	dir string
}

func open(t testing.TB, change func(*host.Options)) *opened {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	options := host.Options{
		Dir:        dir,
		Bundled:    []host.Bundled{{Name: "builtin", Command: []string{self, "serve-builtin"}}, {Name: "probe", Command: []string{self, "serve-probe"}}},
		StateDir:   t.TempDir(),
		UserConfig: filepath.Join(t.TempDir(), "none.hcl"),
	}
	if change != nil {
		change(&options)
	}
	h, err := host.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &opened{Host: h, t: t, dir: dir}
}

func (o *opened) write(name, content string) string {
	o.t.Helper()
	path := filepath.Join(o.dir, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		o.t.Fatal(err)
	}
	return path
}

func (o *opened) invoke(tool string, input any) (*pipeline.Outcome, error) {
	o.t.Helper()
	raw, err := json.Marshal(input)
	if err != nil {
		o.t.Fatal(err)
	}
	return o.Invoke(o.t.Context(), pipeline.Invocation{Tool: tool, Input: raw})
}

type fields map[string]any

// answers lets a person decide every request with the same verdict. It returns
// the requests that came.
func (o *opened) answers(decision approval.Decision) func() []approval.Request {
	detach := o.Approvals().Attach()
	ctx, cancel := context.WithCancel(o.t.Context())
	var seen []approval.Request
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := o.Approvals().Changed()
			for _, request := range o.Approvals().Pending() {
				seen = append(seen, request)
				if err := o.Approvals().Decide(request.ID, decision); err != nil {
					o.t.Errorf("decide: %v", err)
				}
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	stop := func() []approval.Request {
		cancel()
		<-done
		detach()
		return seen
	}
	return stop
}

func refusal(t *testing.T, err error) *pipeline.Refusal {
	t.Helper()
	var r *pipeline.Refusal
	if !errors.As(err, &r) {
		t.Fatalf("err = %v, want a refusal", err)
	}
	if r.Hint == "" {
		t.Errorf("%v has no hint", r)
	}
	return r
}
