// Package hello tests the plugin in Node.js of this folder.
package hello

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/trust"
	"github.com/toolcrib/toolcrib/sdk/proto"
	"github.com/toolcrib/toolcrib/sdk/sdktest"
)

// offline is what npm says when it cannot reach where it gets packages from.
var offline = regexp.MustCompile(`\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH)\b`)

// install copies the plugin to a folder of its own, with what it depends on, and
// returns the program.
func install(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed, and this plugin needs it", program)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"hello.js", "toolcrib.js", "certificate.js", "plugin.proto", "package.json", "package-lock.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	npm.Dir = dir
	if output, err := npm.CombinedOutput(); err != nil {
		if offline.Match(output) {
			t.Skipf("npm cannot reach its packages:\n%s", output)
		}
		t.Fatalf("npm ci: %v\n%s", err, output)
	}
	return filepath.Join(dir, "hello.js")
}

func TestConformance(t *testing.T) {
	sdktest.RunCommand(t, sdktest.Options{
		Config: json.RawMessage(`{"greeting":"Moin"}`),
		Inputs: map[string]json.RawMessage{
			"greet":          json.RawMessage(`{"name":"you"}`),
			"write_greeting": json.RawMessage(`{"path":"new.txt","name":"you"}`),
		},
		LongInputs: map[string]json.RawMessage{"count_down": json.RawMessage(`{"from":6000}`)},
	}, install(t))
}

// person answers what a call asks, and keeps what it tells.
type person struct{ progress, output string }

func (p *person) Progress(message string, _ *float64) { p.progress += message }
func (p *person) Output(_ string, data []byte)        { p.output += string(data) }

func (*person) Question(context.Context, *proto.Question) (*proto.Answer, error) {
	return &proto.Answer{Text: "world"}, nil
}

func (*person) Handoff(_ context.Context, h *proto.Handoff) (*proto.HandoffResult, error) {
	if h.GetCommand() != "echo hello" {
		return nil, errors.New("another command")
	}
	return &proto.HandoffResult{Status: "completed", Output: "hello\n"}, nil
}

func TestHostRunsIt(t *testing.T) {
	workspace := t.TempDir()
	s := plugin.NewSupervisor(plugin.Spec{Name: "hello", Kind: "plugin", Program: trust.Own(install(t)), Workspace: workspace}, plugin.Options{})
	defer s.Stop(context.Background())
	lease, err := s.Lease(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lease.Release()
	for name, c := range map[string]struct{ input, want, progress, output string }{
		"greet":          {`{}`, "Hello, world!", "", ""},
		"count_down":     {`{"from":1}`, "hello", "1", "1\n"},
		"hello_in_shell": {`{}`, "completed: hello", "", ""},
		"no_such_tool":   {`{}`, "the provider's tools are greet", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var p person
			result, err := lease.Call(t.Context(), plugin.CallRequest{
				CallID: name, Tool: name, Input: json.RawMessage(c.input), CanHandoff: true,
			}, &p)
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Content[0].Text; !strings.Contains(got, c.want) {
				t.Errorf("it answers %q, want %q", got, c.want)
			}
			if p.progress != c.progress || p.output != c.output {
				t.Errorf("it told %+v", p)
			}
		})
	}
	changed := filepath.Join(workspace, "letter")
	if err := os.WriteFile(changed, []byte("goodbye"), 0o600); err != nil {
		t.Fatal(err)
	}
	seen, err := lease.Observe(t.Context(), "call", []plugin.FileChange{{Path: changed, Kind: "created"}}, 0)
	if err != nil || seen.State != "issues" {
		t.Errorf("it observes %+v, %v", seen, err)
	}
	event := plugin.HookEvent{Name: "pre_tool_use", Payload: json.RawMessage(`{"tool_name":"Bash","tool_input":{"command":"echo goodbye"}}`)}
	answer, err := s.Hook(t.Context(), event)
	if want := `{"decision":"ask","reason":"Bash is about to say goodbye"}`; err != nil || string(answer.Output) != want {
		t.Errorf("it answers to an event by %s, %v, want %s", answer.Output, err, want)
	}
}

func TestProtocolIsThatOfTheSDK(t *testing.T) {
	ours, err := os.ReadFile("plugin.proto")
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join("..", "..", "sdk", "proto", "plugin.proto"))
	if err != nil {
		t.Fatal(err)
	}
	if string(ours) != string(theirs) {
		t.Error("plugin.proto differs from sdk/proto/plugin.proto; copy it")
	}
}
