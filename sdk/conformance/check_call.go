package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// callChecks are about calls in general.
var callChecks = []check{
	{"an unknown tool is refused", (*suite).unknownTool},
	{"any text is taken", (*suite).unicode},
	{"big messages are taken", (*suite).big},
	{"calls run at the same time", (*suite).concurrent},
	{"a call that is cancelled at once ends", (*suite).cancelAtOnce},
	{"a long call ends when it is cancelled", (*suite).cancelLong},
	{"a call that the host gives up does no harm", (*suite).abandon},
	{"changed files are observed", (*suite).observe},
}

// lastChecks look back on the main process.
var lastChecks = []check{
	{"revisions of the tool set grow", (*suite).revisions},
}

// callTool runs one call of t, as a plain user of the tool would.
func (s *suite) callTool(ctx context.Context, p *provider, t *tool) *verdict {
	if t.withheld != "" {
		v := skipped(fmt.Sprintf(hintInput, t.GetName()), "not called: %s", t.withheld)
		return &v
	}
	v := s.callOnce(ctx, p, t)
	return &v
}

func (s *suite) callOnce(ctx context.Context, p *provider, t *tool) verdict {
	before, err := snapshot(s.workspace)
	if err != nil {
		return failed("", "look at the workspace: %v", err)
	}
	plan, err := s.planFor(ctx, p, t)
	if err != nil {
		return failed("", "plan: %v", err)
	}
	limit := callTime
	if !t.given {
		limit = sampleTime
	}
	result, err := p.callWithin(ctx, limit, t.GetName(), t.sample, plan.GetToken())
	switch {
	case errors.Is(err, errLate) && !t.given:
		t.withheld = fmt.Sprintf("with an input made from its schema it lasts longer than %s", sampleTime)
		return skipped(fmt.Sprintf(hintInput, t.GetName()), "given up: %s", t.withheld)
	case err != nil:
		return failed("end every call with one result, also a call that fails, and then close the stream", "%v", err)
	}
	if fault := s.resultFault(t, result, plan); fault != "" {
		return failed("a result is for a model, a person and the host; keep to what the tool declares", "%s", fault)
	}
	if t.GetAnnotations().GetReadOnly() {
		after, err := snapshot(s.workspace)
		if err != nil {
			return failed("", "look at the workspace: %v", err)
		}
		if changed := before.changes(after); len(changed) > 0 {
			return failed("take the claim back, or change nothing", "it claims to be read-only and changed %s", strings.Join(changed, ", "))
		}
	}
	if result.GetIsError() {
		return passed("it answered with an error, as it may to an input made from its schema: %s", firstText(result))
	}
	return verdict{}
}

// planFor plans a call as the host does before it; nil for a tool without plans.
func (s *suite) planFor(ctx context.Context, p *provider, t *tool) (*proto.PlanResponse, error) {
	if !t.GetPlans() {
		return nil, nil
	}
	return p.plan(ctx, t.GetName(), t.sample)
}

// resultFault is what is wrong with a result; empty for nothing.
func (s *suite) resultFault(t *tool, result *proto.Result, plan *proto.PlanResponse) string {
	switch {
	case result.GetIsError() && t.given:
		return "it answers the input that was given for it with an error: " + firstText(result)
	case !result.GetIsError() && len(plan.GetErrors()) > 0:
		return fmt.Sprintf("it ran with an input that its own plan refuses: %s", plan.GetErrors()[0].GetMessage())
	}
	for _, content := range result.GetContent() {
		if content.GetKind() == nil {
			return "a part of its content is empty"
		}
	}
	if fault := structuredFault(t, result); fault != "" {
		return fault
	}
	for _, file := range result.GetFiles() {
		if fault := s.fileFault(t, plan, file); fault != "" {
			return fault
		}
	}
	return ""
}

func structuredFault(t *tool, result *proto.Result) string {
	data := result.GetStructured()
	switch {
	case len(data) > 0 && !json.Valid(data):
		return "its structured result is not JSON"
	case t.output == nil || result.GetIsError():
		return ""
	case len(data) == 0:
		return "it declares an output schema and gives no structured result"
	}
	if err := t.output.validate(data); err != nil {
		return fmt.Sprintf("its structured result is not valid by its output schema: %v", err)
	}
	return ""
}

func firstText(result *proto.Result) string {
	for _, content := range result.GetContent() {
		if text, _, _ := strings.Cut(content.GetText(), "\n"); text != "" {
			return text
		}
	}
	return "(no text)"
}

func (s *suite) unknownTool(ctx context.Context, p *provider) verdict {
	const name = "no_such_tool"
	result, err := p.call(ctx, name, json.RawMessage("{}"), nil)
	switch {
	case err == nil && !result.GetIsError():
		return failed("answer with an error result that names the tools there are", "%s was called and answered", name)
	case err != nil && (errors.Is(err, errLate) || !p.process.running()):
		return failed("answer with an error result that names the tools there are", "%v", err)
	}
	return verdict{}
}

// manyScripts has what tends to be mistreated: combining and right-to-left
// characters, characters beyond 16 bits, a zero, and line ends.
const manyScripts = "Grüße, e\u0301, 日本語, שלום, 👩‍👩‍👧, \u0000 \u2028 \ufeff \r\n\t\"\\"

func (s *suite) unicode(ctx context.Context, p *provider) verdict {
	return s.callWithText(ctx, p, manyScripts)
}

// callWithText calls every tool that takes free text.
func (s *suite) callWithText(ctx context.Context, p *provider, text string) verdict {
	var called []string
	for _, t := range s.callable() {
		input := t.withText(text)
		if input == nil {
			continue
		}
		if _, err := p.call(ctx, t.GetName(), input, nil); err != nil {
			return failed("answer any text with a result, if only one that is an error", "%s: %v", t.GetName(), err)
		}
		called = append(called, t.GetName())
	}
	if len(called) == 0 {
		return skipped("", "no read-only tool has a required input that is free text")
	}
	return passed("called %s", strings.Join(called, ", "))
}

// bigBytes is half of what a message may have, and more than gRPC libraries take
// of their own accord.
const bigBytes = sdk.MaxMessageBytes / 2

func (s *suite) big(ctx context.Context, p *provider) verdict {
	ctx, cancel := within(ctx, callTime)
	defer cancel()
	text := strings.Repeat("x", bigBytes)
	if _, err := p.rpc.Describe(ctx, &proto.DescribeRequest{HostVersion: text}); err != nil {
		return failed(fmt.Sprintf("raise the limits of your gRPC server to %d bytes, for what it receives and sends", sdk.MaxMessageBytes),
			"a request of %d MiB: %v", bigBytes>>20, p.explain(err))
	}
	if v := s.callWithText(ctx, p, text); v.status == Fail {
		return v
	}
	return passed("%d MiB", bigBytes>>20)
}

// atOnce is how many calls of a tool run at the same time.
const atOnce = 8

func (s *suite) concurrent(ctx context.Context, p *provider) verdict {
	callable := s.callable()
	if len(callable) == 0 {
		return nothingCallable()
	}
	var wait sync.WaitGroup
	faults := make(chan string, atOnce*len(callable))
	for _, t := range callable {
		alone, err := p.call(ctx, t.GetName(), t.sample, nil)
		if err != nil {
			return failed("", "%s: %v", t.GetName(), err)
		}
		for range atOnce {
			wait.Go(func() {
				result, err := p.call(ctx, t.GetName(), t.sample, nil)
				switch {
				case err != nil:
					faults <- fmt.Sprintf("%s: %v", t.GetName(), err)
				case t.GetAnnotations().GetReadOnly() && result.GetIsError() != alone.GetIsError():
					faults <- fmt.Sprintf("%s answers otherwise than alone: %s", t.GetName(), firstText(result))
				}
			})
		}
	}
	wait.Wait()
	close(faults)
	for fault := range faults {
		return failed("a provider is called from several conversations; guard what its calls share", "%s", fault)
	}
	return passed("%d calls", atOnce*len(callable))
}

func (s *suite) cancelAtOnce(ctx context.Context, p *provider) verdict {
	callable := s.callable()
	if len(callable) == 0 {
		return nothingCallable()
	}
	for _, t := range callable {
		if _, err := p.cancelAfter(ctx, 0, t.GetName(), t.sample); err != nil {
			return failed("end the call soon, with a result", "%s: %v", t.GetName(), err)
		}
	}
	return verdict{}
}

func (s *suite) cancelLong(ctx context.Context, p *provider) verdict {
	cancelled := 0
	for _, t := range s.tools {
		if t.long == nil {
			continue
		}
		over, err := p.cancelAfter(ctx, settleTime, t.GetName(), t.long)
		switch {
		case err != nil:
			return failed("stop what the call does, and answer with a result of what it did so far", "%s: %v", t.GetName(), err)
		case over:
			return skipped(hintLong, "%s was over before it could be cancelled", t.GetName())
		}
		cancelled++
	}
	if cancelled == 0 {
		return skipped(hintLong, "no call that lasts is known")
	}
	return verdict{}
}

// abandon closes the streams of running calls without a word, as a host does
// whose patience is at its end.
func (s *suite) abandon(ctx context.Context, p *provider) verdict {
	abandoned := 0
	for _, t := range s.tools {
		input := t.long
		if input == nil && t.withheld == "" {
			input = t.sample
		}
		if input == nil {
			continue
		}
		callCtx, cancel := context.WithCancel(ctx)
		_, err := p.begin(callCtx, t.GetName(), input, nil)
		cancel()
		if err != nil {
			return failed("", "%s: %v", t.GetName(), err)
		}
		abandoned++
	}
	if abandoned == 0 {
		return nothingCallable()
	}
	if err := p.describe(ctx); err != nil {
		return failed("go on serving", "after it: %v", err)
	}
	return verdict{}
}

func (s *suite) observe(ctx context.Context, p *provider) verdict {
	ctx, cancel := within(ctx, answerTime)
	defer cancel()
	observes := false
	for _, feature := range p.described.GetFeatures() {
		observes = observes || feature == sdk.FeatureObserve
	}
	response, err := p.rpc.Observe(ctx, &proto.ObserveRequest{
		CallId:  "conformance",
		Files:   []*proto.FileChange{{Path: s.path(sampleFile), Kind: string(sdk.Modified)}},
		Timeout: durationpb.New(cancelGrace),
	})
	switch {
	case !observes && err != nil && status.Code(err) == codes.Unimplemented:
		return passed("it does not observe")
	case !observes && err == nil:
		return failed(`answer Describe with the feature "observe", or Observe with Unimplemented`, "it observes and does not say so")
	case err != nil:
		return failed("answer Observe with clean, issues or pending", "%v", p.explain(err))
	}
	switch state := sdk.ObservationState(response.GetState()); state {
	case sdk.ObservedClean, sdk.ObservedIssues, sdk.ObservedPending:
		return passed("%s", state)
	default:
		return failed("answer Observe with clean, issues or pending", "its state is %q", state)
	}
}

func (s *suite) revisions(_ context.Context, p *provider) verdict {
	p.mu.Lock()
	defer p.mu.Unlock()
	var last uint64
	sets := 0
	for _, message := range p.watched {
		set := message.GetTools()
		if set == nil {
			continue
		}
		if sets > 0 && set.GetRevision() <= last {
			return failed("count the revision up with every change of the tool set", "revision %d came after %d", set.GetRevision(), last)
		}
		last = set.GetRevision()
		sets++
	}
	return verdict{}
}
