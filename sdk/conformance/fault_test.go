package conformance

import (
	"context"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// roleEnv names what the test binary plays: a key of roles.
const roleEnv = "TOOLCRIB_TEST_ROLE"

// fault breaks the contract, and with it one claim.
type fault struct {
	claim string
	apply func(*contrary)
}

// roles are providers with the faults that do not get into each other's way.
var roles = map[string][]fault{
	"none":          nil,
	"no handshake":  {{"it starts and shakes hands", func(*contrary) { panic("no hands") }}},
	"never content": {{"it accepts its configuration", refuseAll}},
	"no tools first": {{"it lists its tools first", func(c *contrary) {
		c.first = &proto.WatchResponse{Event: &proto.WatchResponse_Upstream{Upstream: &proto.UpstreamStatus{Name: "up"}}}
	}}},
	"badly described": {
		{"the provider has a name and a version", func(c *contrary) { c.described.Version = "" }},
		{"the schema of its configuration is valid", func(c *contrary) { c.described.ConfigSchema = []byte(`{"type":"string"}`) }},
		{"names of tools are legal", func(c *contrary) { c.tools()[1].Name = "wait a moment" }},
		{"schemas of tools are valid", func(c *contrary) { c.tools()[1].InputSchema = []byte(`{"type":"object","properties":[]}`) }},
		{"tools are described", func(c *contrary) { c.tools()[1].Description = " " }},
		{"every listing is the same", func(c *contrary) { c.relisted = func() { c.tools()[1].Description += "!" } }},
		{"changed files are observed", func(c *contrary) { c.described.Features = []string{sdk.FeatureObserve} }},
		{"revisions of the tool set grow", func(c *contrary) { c.later = []*proto.WatchResponse{c.first} }},
		{"events are answered", func(c *contrary) { c.hook = func(string) string { return `{}` } }}, // and are not described
		{"standard output has the handshake and nothing else", func(*contrary) { _, _ = os.Stdout.WriteString("hello\n") }},
		{"standard input is left alone", func(*contrary) { _, _ = os.Stdin.Read(make([]byte, 1)) }},
	},
	"bad at calls": {
		{"plan look", func(c *contrary) { c.plan = writingPlan }},
		{"call look", func(c *contrary) { c.look = brokenJSON }},
		{"an unknown tool is refused", func(c *contrary) { c.knowsAll = true }},
		{"any text is taken", func(c *contrary) { c.look = asciiOnly(c.look) }},
		{"big messages are taken", func(c *contrary) { c.maxReceive = 4 << 20 }},
		{"calls run at the same time", func(c *contrary) { c.look = alone(c.look) }},
		{"faults of the configuration name their attribute", pathless},
	},
	"bad at events": {
		{"events that it wants are known", func(c *contrary) { c.described.HookEvents = []string{"pre_tool_use", "full_moon"} }},
		{"events are answered", func(c *contrary) { c.hook = func(string) string { return `{"decision":"howl"}` } }},
	},
	"answers events with garbage": {{"events are answered", func(c *contrary) {
		c.described.HookEvents = []string{"stop"}
		c.hook = func(string) string { return `["deny"]` }
	}}},
	"bad at ends": {
		{"a person who starts it is told what it is", func(c *contrary) { c.cookieIgnored = true }},
		{"a long call ends when it is cancelled", func(c *contrary) { c.wait = func(ctx context.Context, _ <-chan struct{}) { <-ctx.Done() } }},
		{"it stops when it is told to", func(c *contrary) { c.exit = 3 }},
		{"it stops while a call runs", func(*contrary) {}}, // for the same reason
		{"it ends with its host", func(c *contrary) { c.ignoreHost = true }},
	},
	"dies": {{"call look", func(c *contrary) {
		c.look = func(callServer, *proto.CallStart) error {
			_, _ = os.NewFile(2, "stderr").WriteString("farewell\n") // go-plugin has replaced os.Stderr
			os.Exit(9)
			return nil
		}
	}}},
	"answers twice": {{"call look", func(c *contrary) {
		c.look = func(stream callServer, start *proto.CallStart) error {
			_ = echo(stream, start)
			return echo(stream, start)
		}
	}}},
}

func refuseAll(c *contrary) {
	c.configure = func(string) []*proto.Diagnostic {
		return []*proto.Diagnostic{{Severity: proto.Diagnostic_ERROR, Summary: "never"}}
	}
}

// pathless refuses a configuration and does not say what is wrong with it.
func pathless(c *contrary) {
	c.described.ConfigSchema = []byte(`{"type":"object","properties":{"limit":{"type":"integer"}}}`)
	c.configure = func(config string) []*proto.Diagnostic {
		if !strings.Contains(config, "-1") {
			return nil
		}
		return []*proto.Diagnostic{{Severity: proto.Diagnostic_ERROR, Summary: "something is wrong"}}
	}
}

func writingPlan(workspace string) *proto.PlanResponse {
	_ = os.WriteFile(workspace+"/plan", nil, 0o600)
	return &proto.PlanResponse{}
}

func brokenJSON(stream callServer, _ *proto.CallStart) error {
	broken := result("look")
	broken.GetResult().Structured = []byte("{")
	return stream.Send(broken)
}

func asciiOnly(look looker) looker {
	return func(stream callServer, start *proto.CallStart) error {
		if strings.Contains(string(start.GetInput()), "日") {
			return io.ErrUnexpectedEOF
		}
		return look(stream, start)
	}
}

// alone fails a call while another runs. Each lasts until that has happened, or
// long enough for it to happen.
func alone(look looker) looker {
	var running atomic.Int32
	collided := make(chan struct{}, 1)
	return func(stream callServer, start *proto.CallStart) error {
		defer running.Add(-1)
		if running.Add(1) > 1 {
			select {
			case collided <- struct{}{}:
			default:
			}
			return status.Error(codes.ResourceExhausted, "one at a time")
		}
		select {
		case <-collided:
		case <-time.After(300 * time.Millisecond):
		}
		return look(stream, start)
	}
}
