package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk"
)

// roleEnv makes the test binary play something other than the tests.
const roleEnv = "TOOLCRIB_TEST_ROLE"

// roles are the programs that the tests start; see misbehaving, too.
var roles = map[string]func(){
	"provider": serveTestProvider,
	"configured": func() {
		sdk.Serve(&sdk.Provider{Name: "configured", Config: sdk.NewConfig(configureTestProvider)})
	},
	"guards": serveGuard,
	"panics": func() { panic("no such luck") },
	"says it exits": func() {
		fmt.Println("hello, I am no plugin")
	},
	"never answers": func() { select {} },
	"prints": func() {
		fmt.Println("warming up")
		fmt.Println(strings.Repeat("x", 1<<20))
		stdout := os.Stdout // go-plugin is about to replace it
		go func() {
			for {
				if _, err := fmt.Fprintln(stdout, strings.Repeat("y", 1<<16)); err != nil {
					return
				}
			}
		}()
		serveTestProvider()
	},
	"sleeps": func() {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	},
	"host": hostToBeKilled,
}

func TestMain(m *testing.M) {
	for _, plays := range []map[string]func(){roles, misbehaving} {
		if role, ok := plays[os.Getenv(roleEnv)]; ok {
			role()
			return
		}
	}
	goleak.VerifyTestMain(m)
}

type testConfig struct {
	Limits struct {
		MaxBytes int `json:"max_bytes"`
	} `json:"limits"`
}

func configureTestProvider(_ context.Context, env sdk.Environment, config testConfig) ([]sdk.Tool, error) {
	if config.Limits.MaxBytes < 1 {
		return nil, &sdk.ConfigError{Path: []string{"limits", "max_bytes"}, Summary: "must be at least 1"}
	}
	return []sdk.Tool{textTool("limit", func(context.Context, *sdk.Call, string) (string, error) {
		return fmt.Sprintf("%d in %s", config.Limits.MaxBytes, env.Workspace), nil
	})}, nil
}

type textInput struct {
	Text string `json:"text,omitempty"`
}

func textTool(name string, run func(ctx context.Context, call *sdk.Call, text string) (string, error)) sdk.Tool {
	return sdk.NewTool(sdk.Spec{Name: name, Description: name},
		func(ctx context.Context, call *sdk.Call, in textInput) (string, error) {
			return run(ctx, call, in.Text)
		})
}

func serveTestProvider() {
	provider := &sdk.Provider{Name: "test", Version: "1.2.3"}
	provider.Tools = []sdk.Tool{
		textTool("echo", func(_ context.Context, _ *sdk.Call, text string) (string, error) { return text, nil }),
		textTool("binary", func(context.Context, *sdk.Call, string) (string, error) { return "\xff", nil }),
		textTool("fail", func(_ context.Context, _ *sdk.Call, text string) (string, error) {
			return "", fmt.Errorf("cannot %s; try something else", text)
		}),
		textTool("panic", func(_ context.Context, _ *sdk.Call, text string) (string, error) { panic(text) }),
		textTool("exit", func(context.Context, *sdk.Call, string) (string, error) {
			fmt.Fprintln(os.Stderr, "these are my last words")
			os.Exit(7)
			return "", nil
		}),
		textTool("wait", func(ctx context.Context, call *sdk.Call, _ string) (string, error) {
			_ = call.Progress("waiting", -1)
			<-ctx.Done()
			return "stopped: " + context.Cause(ctx).Error(), nil
		}),
		textTool("hang", func(_ context.Context, call *sdk.Call, _ string) (string, error) {
			_ = call.Progress("hanging", -1)
			select {}
		}),
		textTool("flood", func(_ context.Context, call *sdk.Call, _ string) (string, error) {
			data := make([]byte, 1<<20)
			for range floodMiB {
				if err := call.Output(sdk.Stdout, data); err != nil {
					return "", err
				}
			}
			return "done", nil
		}),
		textTool("large", func(context.Context, *sdk.Call, string) (string, error) {
			return strings.Repeat("z", sdk.MaxMessageBytes+1), nil
		}),
		textTool("handoff", func(ctx context.Context, call *sdk.Call, text string) (string, error) {
			result, err := call.Handoff(ctx, sdk.Handoff{Command: text})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%s %d %q", result.Status, *result.ExitCode, result.Output), nil
		}),
		textTool("ask", func(ctx context.Context, call *sdk.Call, text string) (string, error) {
			answer, err := call.Ask(ctx, sdk.Question{Text: text, Options: []sdk.Choice{{Label: "yes"}, {Label: "no"}}})
			if err != nil {
				return "", err
			}
			return fmt.Sprintf("%v %q", answer.Selected, answer.Text), nil
		}),
		textTool("environment", func(context.Context, *sdk.Call, string) (string, error) {
			return strings.Join(os.Environ(), "\n"), nil
		}),
		textTool("stdin", func(context.Context, *sdk.Call, string) (string, error) {
			data, err := io.ReadAll(os.Stdin)
			return fmt.Sprintf("%d bytes", len(data)), err
		}),
		textTool("spawn", func(_ context.Context, _ *sdk.Call, text string) (string, error) { return spawn(text) }),
		textTool("learn", func(_ context.Context, _ *sdk.Call, text string) (string, error) {
			learned := textTool(text, func(context.Context, *sdk.Call, string) (string, error) { return "learned", nil })
			return "", provider.Update([]sdk.Tool{learned})
		}),
		plannedTool(),
	}
	sdk.Serve(provider)
}

func plannedTool() sdk.Tool {
	plan := func(_ context.Context, in textInput) (*sdk.Plan, error) {
		return &sdk.Plan{
			Subjects: []sdk.Subject{{Kind: sdk.SubjectCommand, Value: in.Text}},
			Risk:     sdk.Risk{Level: sdk.RiskHigh, Reason: "it is a test"},
			Preview:  sdk.Preview{Kind: sdk.PreviewCommand, Text: in.Text},
			Token:    []byte("token of " + in.Text),
		}, nil
	}
	call := func(_ context.Context, call *sdk.Call, _ textInput) (string, error) {
		return string(call.PlanToken), nil
	}
	return sdk.NewTool(sdk.Spec{Name: "planned", Description: "planned", Destructive: true}, call, sdk.WithPlan(plan))
}

// spawn starts a process that ignores SIGTERM and holds the provider's standard
// streams, in its group or in one of its own, and returns its id.
func spawn(group string) (string, error) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleEnv+"=sleeps")
	// The descriptors, not what go-plugin made of them.
	cmd.Stdout, cmd.Stderr = os.NewFile(1, "stdout"), os.NewFile(2, "stderr")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: group == "own group"}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	go func() { _ = cmd.Wait() }()
	return fmt.Sprint(cmd.Process.Pid), nil
}

// hostToBeKilled is a host that starts a provider, which starts two processes of
// its own, prints the ids of all three, and waits for its end.
func hostToBeKilled() {
	s := NewSupervisor(testSpec("provider"), Options{})
	lease, err := s.Lease(context.Background())
	if err != nil {
		panic(err)
	}
	pids := []string{fmt.Sprint(s.Status().PID)}
	for _, group := range []string{"", "own group"} {
		input, _ := json.Marshal(textInput{group})
		result, err := lease.Call(context.Background(), CallRequest{Tool: "spawn", Input: input}, quietHandler{})
		if err != nil {
			panic(err)
		}
		pids = append(pids, result.Content[0].Text)
	}
	fmt.Println(strings.Join(pids, " "))
	select {}
}

// testSpec runs the test binary in a role.
func testSpec(role string) Spec {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Spec{
		Name: "test", Kind: "plugin", Program: trust.Own(program), Workspace: os.TempDir(),
		// The race detector would keep every provider for a second after its end.
		Env: map[string]string{roleEnv: role, "GORACE": "atexit_sleep_ms=0"},
	}
}
