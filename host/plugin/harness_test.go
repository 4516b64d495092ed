package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

const floodMiB = 16

// quietHandler takes everything and answers nothing.
type quietHandler struct{}

func (quietHandler) Progress(string, *float64) {}
func (quietHandler) Output(string, []byte)     {}
func (quietHandler) Handoff(context.Context, *proto.Handoff) (*proto.HandoffResult, error) {
	return nil, errors.New("nobody is there")
}
func (quietHandler) Question(context.Context, *proto.Question) (*proto.Answer, error) {
	return nil, errors.New("nobody is there")
}

// progressHandler tells of the first progress.
type progressHandler struct {
	quietHandler
	started chan struct{}
	once    sync.Once
}

func newProgressHandler() *progressHandler { return &progressHandler{started: make(chan struct{})} }

func (h *progressHandler) Progress(string, *float64) { h.once.Do(func() { close(h.started) }) }

// startTest starts a provider in a role and stops it with the test.
func startTest(t *testing.T, role string, options Options) (*Supervisor, *Lease) {
	t.Helper()
	s := newTest(t, testSpec(role), options)
	return s, lease(t, s)
}

func newTest(t *testing.T, spec Spec, options Options) *Supervisor {
	s := NewSupervisor(spec, options)
	t.Cleanup(func() { s.Stop(context.Background()) })
	return s
}

func lease(t *testing.T, s *Supervisor) *Lease {
	t.Helper()
	l, err := s.Lease(t.Context())
	if err != nil {
		t.Fatalf("lease: %v", err)
	}
	t.Cleanup(l.Release)
	return l
}

func request(tool, text string) CallRequest {
	input, err := json.Marshal(textInput{text})
	if err != nil {
		panic(err)
	}
	return CallRequest{CallID: "call", Tool: tool, Input: input, CanHandoff: true}
}

// call runs a tool and returns the text of its result.
func callText(t *testing.T, l *Lease, tool, text string) string {
	t.Helper()
	result, err := l.Call(t.Context(), request(tool, text), quietHandler{})
	if err != nil {
		t.Fatalf("call %s: %v", tool, err)
	}
	return result.Content[0].Text
}
