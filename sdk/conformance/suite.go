package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// suite is one run of all checks against one command.
type suite struct {
	command   []string
	options   Options
	workspace string
	report    *Report

	// main is the process that most checks talk to. It is started again when a
	// check has been the end of it.
	main   *provider
	deaths int
	tools  []*tool

	// What was seen of every process.
	stray     []string
	readStdin bool
}

// Check runs the suite against a command, in a workspace of its own that it
// removes. What is wrong with the provider is in the report; the error is that
// of options or of ctx.
func Check(ctx context.Context, command []string, options Options) (*Report, error) {
	s, err := newSuite(command, options)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(s.workspace)
	s.run(ctx)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("check %s: %w", command[0], context.Cause(ctx))
	}
	return s.report, nil
}

func newSuite(command []string, options Options) (*suite, error) {
	if len(command) == 0 {
		return nil, errors.New("there is no command to check")
	}
	path, err := exec.LookPath(command[0])
	if err != nil {
		return nil, fmt.Errorf("find the program: %w", err)
	}
	if path, err = filepath.Abs(path); err != nil { // it runs in another folder
		return nil, fmt.Errorf("find the program: %w", err)
	}
	if len(options.Config) > 0 && !isObject(options.Config) {
		return nil, errors.New("the configuration is not a JSON object")
	}
	workspace, err := os.MkdirTemp("", "toolcrib-check-")
	if err != nil {
		return nil, fmt.Errorf("make workspace: %w", err)
	}
	if workspace, err = filepath.EvalSymlinks(workspace); err != nil {
		return nil, fmt.Errorf("make workspace: %w", err)
	}
	if err := options.writeFiles(workspace); err != nil {
		os.RemoveAll(workspace)
		return nil, err
	}
	return &suite{
		command:   append([]string{path}, command[1:]...),
		options:   options,
		workspace: workspace,
		report:    &Report{Tools: []string{}},
	}, nil
}

func isObject(data []byte) bool {
	var object map[string]json.RawMessage
	return json.Unmarshal(data, &object) == nil && object != nil
}

// run makes all findings.
func (s *suite) run(ctx context.Context) {
	s.add("a person who starts it is told what it is", s.byHand(ctx))
	if !s.begin(ctx) {
		s.addStreams()
		return
	}
	s.each(ctx, offerChecks)
	s.eachTool(ctx, "plan ", s.plan)
	s.eachTool(ctx, "call ", s.callTool)
	s.each(ctx, callChecks)
	s.each(ctx, hookChecks)
	s.each(ctx, lastChecks)
	s.add("it stops when it is told to", s.stopMain(ctx))
	s.add("it stops while a call runs", s.stopInCall(ctx))
	s.add("it ends with its host", s.hostGone(ctx))
	s.add("it takes what a newer host sends", s.newerHost(ctx))
	s.add("faults of the configuration name their attribute", s.configFaults(ctx))
	s.addStreams()
}

func (s *suite) add(claim string, v verdict) {
	s.report.Findings = append(s.report.Findings, v.of(claim))
}

// check is one claim about a configured provider.
type check struct {
	claim string
	run   func(s *suite, ctx context.Context, p *provider) verdict
}

// each runs checks against the main process.
func (s *suite) each(ctx context.Context, checks []check) {
	for _, c := range checks {
		s.add(c.claim, s.withMain(ctx, func(p *provider) verdict { return c.run(s, ctx, p) }))
	}
}

// eachTool runs a check of one tool for all of them; a check that does not
// concern a tool returns nil.
func (s *suite) eachTool(ctx context.Context, claim string, run func(context.Context, *provider, *tool) *verdict) {
	for _, t := range s.tools {
		var v *verdict
		done := s.withMain(ctx, func(p *provider) verdict {
			if v = run(ctx, p, t); v == nil {
				return verdict{}
			}
			return *v
		})
		if v != nil || done.status == Fail {
			s.add(claim+t.GetName(), done)
		}
	}
}

// mostDeaths bounds how often a provider that dies is started for more checks.
const mostDeaths = 10

// withMain runs a check. The end of the process is its failure, whatever else
// the check has seen.
func (s *suite) withMain(ctx context.Context, run func(*provider) verdict) verdict {
	if ctx.Err() != nil {
		return skipped("", "the suite was interrupted")
	}
	if s.main == nil {
		if s.deaths >= mostDeaths {
			return skipped("mend what failed before", "the provider died %d times", s.deaths)
		}
		p, step, err := s.open(ctx, false)
		if err != nil {
			return failed("", "it does not start again: %s: %v", step, err)
		}
		s.main = p
	}
	v := run(s.main)
	if s.main.process.running() {
		return v
	}
	v = failed("a provider lives until it is told to stop", "%s", s.main.process.exit())
	s.discard(s.main)
	s.main = nil
	s.deaths++
	return v
}

// The steps of a start, in order.
const (
	stepHandshake = "it starts and shakes hands"
	stepDescribe  = "it describes itself"
	stepConfigure = "it accepts its configuration"
	stepWatch     = "it lists its tools first"
)

var steps = []struct{ claim, hint string }{
	{stepHandshake, "print go-plugin's handshake line first, with the certificate for AutoMTLS, and serve on the socket that it names; docs/plugins.md has the details"},
	{stepDescribe, "answer Describe with a name and a version"},
	{stepConfigure, "give the suite a configuration that the provider accepts"},
	{stepWatch, "send the full tool set as the first message of Watch, also when it is empty"},
}

// open starts a provider and brings it to where its tools are known. step is
// what failed.
func (s *suite) open(ctx context.Context, newer bool) (p *provider, step string, err error) {
	if p, err = s.launch(ctx, newer); err != nil {
		return nil, stepHandshake, err
	}
	if step, err = s.prepare(ctx, p); err != nil {
		s.discard(p)
		return nil, step, err
	}
	return p, "", nil
}

func (s *suite) prepare(ctx context.Context, p *provider) (step string, err error) {
	if err := p.describe(ctx); err != nil {
		return stepDescribe, err
	}
	diagnostics, err := p.configure(ctx, s.workspace, s.options.Config)
	if err != nil {
		return stepConfigure, err
	}
	if reason := refusal(diagnostics); reason != "" {
		return stepConfigure, errors.New(reason)
	}
	first, err := p.watch(ctx, true)
	switch {
	case err != nil:
		return stepWatch, err
	case first.GetTools() == nil:
		return stepWatch, fmt.Errorf("the first message of Watch is %T", first.GetEvent())
	}
	return "", nil
}

// begin starts the main process, with a finding for every step.
func (s *suite) begin(ctx context.Context) bool {
	p, failedAt, err := s.open(ctx, false)
	for _, step := range steps {
		if step.claim == failedAt {
			s.add(step.claim, failed(step.hint, "%v", err))
			return false
		}
		s.add(step.claim, verdict{})
	}
	s.main = p
	s.report.Provider, s.report.Version = p.described.GetName(), p.described.GetVersion()
	for _, t := range p.toolSet().GetTools() {
		s.report.Tools = append(s.report.Tools, t.GetName())
		s.tools = append(s.tools, s.tool(t))
	}
	slices.Sort(s.report.Tools)
	return true
}

// toolSet is the first that the process announced.
func (p *provider) toolSet() *proto.ToolSet {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watched[0].GetTools()
}

// discard ends a process and keeps what was seen of its standard streams.
func (s *suite) discard(p *provider) {
	_ = p.process.Kill(context.Background())
	if p.process.started {
		s.stray = append(s.stray, p.process.strayLines()...)
		s.readStdin = s.readStdin || p.process.readStdin()
	}
	p.close()
}

// addStreams makes the findings about standard streams, once every process has
// ended.
func (s *suite) addStreams() {
	const claim = "standard output has the handshake and nothing else"
	if len(s.stray) > 0 {
		s.add(claim, failed("print to standard error; the host keeps its last lines for every error", "it printed %q", s.stray[0]))
	} else {
		s.add(claim, verdict{})
	}
	const input = "standard input is left alone"
	if s.readStdin {
		s.add(input, failed("do not read standard input, and start child processes with one of their own", "something read from it"))
	} else {
		s.add(input, verdict{})
	}
}
