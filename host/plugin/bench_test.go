package plugin

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// BenchmarkBare is a unary request to the same process over the same connection:
// what go-plugin alone costs, and the measure of BenchmarkCall.
func BenchmarkBare(b *testing.B) {
	l := benchLease(b)
	request := &proto.PlanRequest{Tool: "planned", Input: json.RawMessage(`{}`)}
	for b.Loop() {
		if _, err := l.generation.rpc.Plan(context.Background(), request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCall is a call of a tool that does nothing.
func BenchmarkCall(b *testing.B) {
	l := benchLease(b)
	request := CallRequest{CallID: "call", Tool: "echo", Input: json.RawMessage(`{}`)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for b.Loop() {
		if _, err := l.Call(ctx, request, quietHandler{}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchLease(b *testing.B) *Lease {
	s := NewSupervisor(testSpec("provider"), Options{})
	b.Cleanup(func() { s.Stop(context.Background()) })
	l, err := s.Lease(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(l.Release)
	return l
}
