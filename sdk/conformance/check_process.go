package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// byHandTime bounds a start without a host.
const byHandTime = 10 * time.Second

// byHand starts the program as a person would who does not know what it is.
func (s *suite) byHand(ctx context.Context) verdict {
	if s.options.Hosted {
		return skipped("", "the command is not a program of its own")
	}
	p := newProcess(s.command, s.workspace, s.options.Env)
	go func() { _, _ = io.Copy(io.Discard, p.fromProcess) }() // in case that it shakes hands
	if err := p.Start(ctx); err != nil {
		return failed("", "%v", err)
	}
	defer func() {
		_ = p.Kill(ctx)
		p.stdin.r.Close()
		p.stdin.w.Close()
	}()
	const hint = "unless TOOLCRIB_PLUGIN is toolcrib.plugin.v1, say on standard error that this is a toolcrib plugin and exit with a status other than 0"
	timer := time.NewTimer(byHandTime)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-p.shaken:
		return failed(hint, "it shakes hands with nobody")
	case <-timer.C:
		return failed(hint, "it still runs after %s", byHandTime)
	}
	switch {
	case p.cmd.ProcessState.Success():
		return failed(hint, "it ends as if all was well")
	case len(p.stderr) == 0:
		return failed(hint, "it says nothing")
	}
	return verdict{}
}

const hintStop = "answer Stop when the running calls have ended, at the latest after its grace; then exit with status 0, and end what you have started"

// stopMain stops the process that most checks have talked to.
func (s *suite) stopMain(ctx context.Context) verdict {
	v := s.withMain(ctx, func(*provider) verdict { return verdict{} })
	if v.status == Fail || v.status == Skip {
		return v
	}
	p := s.main
	s.main = nil
	defer s.discard(p)
	if err := p.stop(ctx); err != nil {
		return failed(hintStop, "%v", err)
	}
	return verdict{}
}

// stopInCall stops a process of which a call lasts longer than the grace.
func (s *suite) stopInCall(ctx context.Context) verdict {
	for _, t := range s.tools {
		if t.long == nil {
			continue
		}
		p, step, err := s.open(ctx, false)
		if err != nil {
			return failed("", "%s: %v", step, err)
		}
		defer s.discard(p)
		c, err := p.begin(p.life, t.GetName(), t.long, nil)
		if err != nil {
			return failed("", "%s: %v", t.GetName(), err)
		}
		done := make(chan struct{})
		go func() {
			_, _ = c.converse(p.life) // how it ends is the tool's affair
			close(done)
		}()
		defer func() { <-done }()
		time.Sleep(settleTime)
		if err := p.stop(ctx); err != nil {
			return failed(hintStop, "%s: %v", t.GetName(), err)
		}
		return verdict{}
	}
	return skipped(hintLong, "no call that lasts is known")
}

// hostGone closes the lifeline, as the kernel does when the host is killed.
func (s *suite) hostGone(ctx context.Context) verdict {
	p, step, err := s.open(ctx, false)
	if err != nil {
		return failed("", "%s: %v", step, err)
	}
	defer s.discard(p)
	children := p.children()
	p.process.lifeline.w.Close()
	const hint = "read from the file descriptor that TOOLCRIB_LIFELINE names, and exit at its end, with everything you have started"
	if !p.process.endsWithin(stopMargin) {
		return failed(hint, "it still runs %s after the end of its host", stopMargin)
	}
	if err := endOf(children); err != nil {
		return failed(hint, "%v", err)
	}
	return verdict{}
}

// newerHost talks to the provider as a host of the future would.
func (s *suite) newerHost(ctx context.Context) verdict {
	const hint = "ignore unknown fields, features and messages, and answer unknown requests with Unimplemented"
	p, step, err := s.open(ctx, true)
	if err != nil {
		return failed(hint, "%s: %v", step, err)
	}
	defer s.discard(p)
	if a, b := s.report.Tools, toolNames(p.toolSet()); fmt.Sprint(a) != fmt.Sprint(b) {
		return failed(hint, "its tools are %v, and %v for a host of today", b, a)
	}
	err = p.conn.Invoke(ctx, "/"+proto.Provider_ServiceDesc.ServiceName+"/Rewind", &proto.StopRequest{}, &proto.StopResponse{})
	if status.Code(err) != codes.Unimplemented {
		return failed(hint, "it answers an unknown request with %v", status.Code(err))
	}
	for _, t := range s.callable() {
		if err := p.newerCall(ctx, t.GetName(), t.sample); err != nil {
			return failed(hint, "%s: %v", t.GetName(), err)
		}
	}
	return verdict{}
}

// newerCall runs a call with a message in between that has nothing known in it.
func (p *provider) newerCall(ctx context.Context, tool string, input json.RawMessage) error {
	ctx, cancel := within(ctx, callTime)
	defer cancel()
	c, err := p.begin(ctx, tool, input, nil)
	if err != nil {
		return err
	}
	c.send(&proto.CallRequest{})
	_, err = c.converse(ctx)
	return err
}
