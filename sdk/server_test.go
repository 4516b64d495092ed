package sdk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// connect serves p on a socket and returns a host's client.
func connect(t *testing.T, p *Provider) proto.ProviderClient {
	t.Helper()
	if err := p.Update(p.Tools); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	g := grpc.NewServer()
	s := newServer(p, os.Stderr)
	s.adopt = func() {} // this is no process of its own
	s.transport = g
	proto.RegisterProviderServer(g, s)
	served := make(chan error, 1)
	go func() { served <- g.Serve(listener) }()
	conn, err := grpc.NewClient("unix:"+socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		g.Stop()
		<-served
	})
	return proto.NewProviderClient(conn)
}

// begin starts a call and returns once the tool has told of its progress.
func begin(t *testing.T, client proto.ProviderClient, tool string) proto.Provider_CallClient {
	t.Helper()
	stream, err := client.Call(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	start := &proto.CallStart{CallId: "c1", Tool: tool, Input: []byte("{}")}
	if err := stream.Send(&proto.CallRequest{Message: &proto.CallRequest_Start{Start: start}}); err != nil {
		t.Fatal(err)
	}
	if first, err := stream.Recv(); err != nil || first.GetProgress() == nil {
		t.Fatalf("the call begins with %v, %v", first, err)
	}
	return stream
}

func cancel(t *testing.T, stream proto.Provider_CallClient, grace time.Duration) {
	t.Helper()
	message := &proto.CallCancel{Reason: "enough", Grace: durationpb.New(grace)}
	if err := stream.Send(&proto.CallRequest{Message: &proto.CallRequest_Cancel{Cancel: message}}); err != nil {
		t.Fatal(err)
	}
}

func textOf(t *testing.T, stream proto.Provider_CallClient) string {
	t.Helper()
	response, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	return response.GetResult().GetContent()[0].GetText()
}

// wait is a tool that runs until it is cancelled.
func wait(name string, options ...Option[struct{}]) Tool {
	return NewTool(Spec{Name: name, Description: "wait"}, func(ctx context.Context, call *Call, _ struct{}) (string, error) {
		_ = call.Progress("waiting", 0.5)
		<-ctx.Done()
		return context.Cause(ctx).Error(), nil
	}, options...)
}

func TestInterrupterHearsOfACancellationBeforeItsContextEnds(t *testing.T) {
	heard := make(chan string, 1)
	tool := wait("wait", WithInterrupt[struct{}](func(callID, reason string) { heard <- callID + ": " + reason }))
	stream := begin(t, connect(t, &Provider{Name: "p", Tools: []Tool{tool}}), "wait")
	cancel(t, stream, time.Minute)
	if got := textOf(t, stream); got != "enough" {
		t.Errorf("the tool was ended by %q", got)
	}
	select {
	case got := <-heard:
		if got != "c1: enough" {
			t.Errorf("it heard %q", got)
		}
	default:
		t.Error("it heard nothing before its context ended")
	}
}

func TestInterrupterThatHangsHasItsGraceOnly(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	tool := wait("wait", WithInterrupt[struct{}](func(string, string) { <-release }))
	stream := begin(t, connect(t, &Provider{Name: "p", Tools: []Tool{tool}}), "wait")
	cancel(t, stream, time.Millisecond)
	if got := textOf(t, stream); got != "enough" {
		t.Errorf("the tool was ended by %q", got)
	}
}

func TestStopFinishesCallsAndTakesNoMore(t *testing.T) {
	client := connect(t, &Provider{Name: "p", Tools: []Tool{wait("wait")}})
	running := begin(t, client, "wait")
	watch, err := client.Watch(t.Context(), &proto.WatchRequest{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	go func() {
		_, err := client.Stop(t.Context(), &proto.StopRequest{Grace: durationpb.New(time.Minute)})
		stopped <- err
	}()
	for err == nil { // the end of Watch tells that Stop has begun
		_, err = watch.Recv()
	}
	late, err := client.Call(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := late.Send(&proto.CallRequest{Message: &proto.CallRequest_Start{Start: &proto.CallStart{Tool: "wait"}}}); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, late); got != errStopping.Error() {
		t.Errorf("a call that comes late answers %q", got)
	}
	cancel(t, running, time.Minute)
	if got := textOf(t, running); got != "enough" {
		t.Errorf("the running call answers %q", got)
	}
	if err := <-stopped; err != nil {
		t.Errorf("stop: %v", err)
	}
}

func TestWatchTellsOfEveryChange(t *testing.T) {
	p := &Provider{Name: "p", Tools: []Tool{wait("one")}}
	watch, err := connect(t, p).Watch(t.Context(), &proto.WatchRequest{})
	if err != nil {
		t.Fatal(err)
	}
	next := func() *proto.WatchResponse {
		event, err := watch.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return event
	}
	first := next().GetTools()
	if first.GetRevision() == 0 || len(first.GetTools()) != 1 {
		t.Errorf("first there is %v", first)
	}
	p.SetUpstream(Upstream{Name: "server", State: UpstreamFailed, Reason: "no route"})
	if u := next().GetUpstream(); u.GetName() != "server" || u.GetState() != "failed" || u.GetReason() != "no route" {
		t.Errorf("the upstream is %v", u)
	}
	if err := p.Update([]Tool{wait("one"), wait("two")}); err != nil {
		t.Fatal(err)
	}
	second := next().GetTools()
	if second.GetRevision() <= first.GetRevision() || len(second.GetTools()) != 2 {
		t.Errorf("then there is %v", second)
	}
}

func TestToolIsDescribedWithItsSchemas(t *testing.T) {
	type in struct {
		Path  string `json:"path" jsonschema:"the file"`
		Limit int    `json:"limit,omitempty"`
	}
	type out struct{ Lines int }
	tool := NewTool(Spec{Name: "read", Description: "Read.", ReadOnly: true, Timeout: time.Second,
		Subjects: []SubjectField{{Field: "path", Kind: SubjectPath, Access: AccessRead}}},
		func(context.Context, *Call, in) (out, error) { return out{}, nil },
		WithPlan(func(context.Context, in) (*Plan, error) { return nil, nil }))
	d, err := describeTool(tool, tool.Spec())
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Type       string
		Required   []string
		Properties map[string]struct{ Description string }
	}
	if err := json.Unmarshal(d.GetInputSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Type != "object" || !slices.Equal(schema.Required, []string{"path"}) || schema.Properties["path"].Description != "the file" {
		t.Errorf("input schema is %s", d.GetInputSchema())
	}
	if !strings.Contains(string(d.GetOutputSchema()), `"Lines"`) {
		t.Errorf("output schema is %s", d.GetOutputSchema())
	}
	a := d.GetAnnotations()
	if !d.GetPlans() || a.ReadOnly == nil || a.Destructive != nil || d.GetTimeout().AsDuration() != time.Second || len(d.GetSubjects()) != 1 {
		t.Errorf("description is %v", d)
	}
}

func TestConfigErrorsBecomeDiagnosticsOfTheirAttributes(t *testing.T) {
	fault := func(path ...string) error { return &ConfigError{Path: path, Summary: "bad " + strings.Join(path, ".")} }
	for claim, c := range map[string]struct {
		err  error
		want string
	}{
		"one":                 {fault("a", "b"), "a.b: bad a.b"},
		"one that is wrapped": {fmt.Errorf("look: %w", fault("a")), "a: bad a"},
		"several":             {errors.Join(fault("a"), fault("b")), "a: bad a; b: bad b"},
		"nested":              {errors.Join(errors.Join(fault("a"), fault("b")), errors.New("and more")), "a: bad a; b: bad b; : and more"},
		"any other":           {errors.New("no network"), ": no network"},
	} {
		t.Run(claim, func(t *testing.T) {
			var got []string
			for _, d := range diagnostics(c.err) {
				got = append(got, strings.Join(d.GetPath(), ".")+": "+d.GetSummary())
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("diagnostics are %q, want %q", got, c.want)
			}
		})
	}
}
