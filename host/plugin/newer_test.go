package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"
	gproto "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/sdk"
	"github.com/toolcrib/toolcrib/sdk/proto"
)

// firstUnknown is above all field numbers of the protocol.
const firstUnknown = 1000

// newer adds to m, and to all messages in it, fields that nobody knows.
func newer[M gproto.Message](random *rand.Rand, m M) M {
	addUnknown(random, m.ProtoReflect())
	return m
}

func addUnknown(random *rand.Rand, m protoreflect.Message) {
	unknown := m.GetUnknown()
	for range 1 + random.IntN(4) {
		number := protowire.Number(firstUnknown + random.IntN(1<<20))
		switch random.IntN(4) {
		case 0:
			unknown = protowire.AppendVarint(protowire.AppendTag(unknown, number, protowire.VarintType), random.Uint64())
		case 1:
			unknown = protowire.AppendFixed32(protowire.AppendTag(unknown, number, protowire.Fixed32Type), random.Uint32())
		case 2:
			unknown = protowire.AppendFixed64(protowire.AppendTag(unknown, number, protowire.Fixed64Type), random.Uint64())
		default:
			data := make([]byte, random.IntN(64))
			for i := range data {
				data[i] = byte(random.Uint32())
			}
			unknown = protowire.AppendBytes(protowire.AppendTag(unknown, number, protowire.BytesType), data)
		}
	}
	m.SetUnknown(unknown)
	m.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		switch {
		case field.Message() == nil:
		case field.IsList():
			for i := range value.List().Len() {
				addUnknown(random, value.List().Get(i).Message())
			}
		default:
			addUnknown(random, value.Message())
		}
		return true
	})
}

// unknownEnum is a value that no enum of the protocol has.
func unknownEnum(random *rand.Rand) int32 { return 100 + random.Int32N(1<<20) }

// newerProvider speaks a later version of the protocol: every message has fields,
// and every enum a value, that this version does not know.
type newerProvider struct {
	proto.UnimplementedProviderServer
}

func serveNewer() { serve(sdk.Plugins(newerProvider{})[sdk.ProtocolVersion], sdk.ProtocolVersion) }

func newRandom() *rand.Rand { return rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) }

func (newerProvider) Describe(context.Context, *proto.DescribeRequest) (*proto.DescribeResponse, error) {
	return newer(newRandom(), &proto.DescribeResponse{Name: "newer", Version: "9", Features: []string{"telepathy"}, HookEvents: []string{"full_moon"}}), nil
}

func (newerProvider) Configure(context.Context, *proto.ConfigureRequest) (*proto.ConfigureResponse, error) {
	random := newRandom()
	return newer(random, &proto.ConfigureResponse{Diagnostics: []*proto.Diagnostic{
		{Severity: proto.Diagnostic_Severity(unknownEnum(random)), Summary: "a hint"},
	}}), nil
}

func (newerProvider) Watch(_ *proto.WatchRequest, stream grpc.ServerStreamingServer[proto.WatchResponse]) error {
	random := newRandom()
	tool := rawTool("tool")
	tool.Load = proto.Load(unknownEnum(random))
	tool.Annotations = &proto.Annotations{}
	tool.Subjects = []*proto.SubjectField{{Field: "text", Kind: "mood"}}
	for _, event := range []*proto.WatchResponse{
		{}, // an event of a kind that is not known
		{Event: &proto.WatchResponse_Tools{Tools: &proto.ToolSet{Revision: 1, Tools: []*proto.Tool{tool}}}},
		{},
		{Event: &proto.WatchResponse_Upstream{Upstream: &proto.UpstreamStatus{Name: "sea", State: "frozen"}}},
	} {
		if err := stream.Send(newer(random, event)); err != nil {
			return err
		}
	}
	<-stream.Context().Done()
	return nil
}

func (newerProvider) Plan(context.Context, *proto.PlanRequest) (*proto.PlanResponse, error) {
	random := newRandom()
	return newer(random, &proto.PlanResponse{
		Risk:    &proto.Risk{Level: proto.RiskLevel(unknownEnum(random)), Reason: "who knows"},
		Preview: &proto.Preview{Kind: "hologram", Text: "seen"},
	}), nil
}

func (newerProvider) Call(stream grpc.BidiStreamingServer[proto.CallRequest, proto.CallResponse]) error {
	random := newRandom()
	if _, err := stream.Recv(); err != nil {
		return err
	}
	for _, message := range []*proto.CallResponse{
		{}, // a message of a kind that is not known
		{Message: &proto.CallResponse_Progress{Progress: &proto.Progress{Message: "half"}}},
		{},
		{Message: &proto.CallResponse_Result{Result: &proto.Result{Content: []*proto.Content{
			{Kind: &proto.Content_Text{Text: "done"}}, {},
		}}}},
	} {
		if err := stream.Send(newer(random, message)); err != nil {
			return err
		}
	}
	return nil
}

func (newerProvider) Observe(context.Context, *proto.ObserveRequest) (*proto.ObserveResponse, error) {
	return newer(newRandom(), &proto.ObserveResponse{State: "clean"}), nil
}

func (newerProvider) Hook(context.Context, *proto.HookRequest) (*proto.HookResponse, error) {
	return newer(newRandom(), &proto.HookResponse{Answer: []byte(`{"decision":"howl","loudness":11}`)}), nil
}

func TestWhatANewerProviderSaysBesidesIsIgnored(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "newer", Options{StopGrace: shortGrace})
	if tools := s.Source().Tools; len(tools) != 1 || tools[0].ProviderName != "tool" || tools[0].Load == pool.LoadAlways {
		t.Errorf("tools are %+v", tools)
	}
	for range 100 {
		plan, err := l.Plan(t.Context(), PlanRequest{Tool: "tool", Input: json.RawMessage(`{}`)})
		if err != nil || plan.Risk != "" || plan.Preview != "seen" {
			t.Fatalf("plan is %+v, %v", plan, err)
		}
		result, err := l.Call(t.Context(), request("tool", ""), quietHandler{})
		if err != nil || len(result.Content) != 2 || result.Content[0].Text != "done" || result.Content[1].Text != unknownContent {
			t.Fatalf("call answers %+v, %v", result, err)
		}
		observation, err := l.Observe(t.Context(), "call", nil, shortGrace)
		if err != nil || observation.State != "clean" {
			t.Fatalf("observation is %+v, %v", observation, err)
		}
		answer, err := s.Hook(t.Context(), toolEvent("tool"))
		if err != nil || !strings.Contains(string(answer.Output), "howl") {
			t.Fatalf("it answers to an event by %s, %v", answer.Output, err)
		}
	}
	if upstreams := s.Status().Upstreams; len(upstreams) != 1 || upstreams[0] != (Upstream{Name: "sea", State: "frozen"}) {
		t.Errorf("upstreams are %+v", upstreams)
	}
}

func TestWhatANewerHostSaysBesidesIsIgnored(t *testing.T) {
	leaveNothing(t)
	_, l := startTest(t, "provider", Options{})
	random, rpc := newRandom(), l.generation.rpc
	input := json.RawMessage(`{"text":"hello"}`)
	for range 100 {
		described, err := rpc.Describe(t.Context(), newer(random, &proto.DescribeRequest{HostFeatures: []string{"telepathy"}}))
		if err != nil || described.GetVersion() != "1.2.3" {
			t.Fatalf("it describes itself as %v, %v", described, err)
		}
		plan, err := rpc.Plan(t.Context(), newer(random, &proto.PlanRequest{Tool: "planned", Input: input}))
		if err != nil || plan.GetPreview().GetText() != "hello" {
			t.Fatalf("plan is %v, %v", plan, err)
		}
		if got := newerCall(t, random, rpc, input); got != "hello" {
			t.Fatalf("call answers %q", got)
		}
	}
}

// newerCall sends what is not known before it cancels nothing that is known.
func newerCall(t *testing.T, random *rand.Rand, rpc proto.ProviderClient, input json.RawMessage) string {
	t.Helper()
	stream, err := rpc.Call(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range []*proto.CallRequest{
		{Message: &proto.CallRequest_Start{Start: &proto.CallStart{Tool: "echo", Input: input}}},
		{},
		{Message: &proto.CallRequest_Answer{Answer: &proto.Answer{Id: "to nothing that was asked"}}},
	} {
		if err := stream.Send(newer(random, message)); err != nil {
			break // the result came first
		}
	}
	for {
		response, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		if result := response.GetResult(); result != nil {
			return result.GetContent()[0].GetText()
		}
	}
}

func TestMessageOverTheLimitIsRefusedWithTheLimit(t *testing.T) {
	leaveNothing(t)
	s, l := startTest(t, "provider", Options{})
	_, err := l.Call(t.Context(), request("echo", strings.Repeat("z", sdk.MaxMessageBytes)), quietHandler{})
	if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("a call that is too large fails by %v", err)
	}
	_, err = l.Plan(t.Context(), PlanRequest{Tool: "planned", Input: request("", strings.Repeat("z", sdk.MaxMessageBytes)).Input})
	if !errors.Is(err, ErrTooLarge) {
		t.Errorf("a plan that is too large fails by %v", err)
	}
	if got := callText(t, l, "large", ""); !strings.Contains(got, "a result may have 16777216") {
		t.Errorf("a result that is too large is told as %q", got)
	}
	if got := callText(t, l, "echo", "fine"); got != "fine" || s.Status().Crashes != 0 {
		t.Errorf("the next call answers %q", got)
	}
}
