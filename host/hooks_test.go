package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/hook"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/policy"
)

// say is a hook that answers the same for every call.
type say struct{ answer hook.Answer }

func (say) Name() string { return "say" }
func (s say) BeforeTool(context.Context, hook.Call) (hook.Answer, error) {
	return s.answer, nil
}

func TestHooksHaveASay(t *testing.T) {
	t.Parallel()
	t.Run("a deny ends the call", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Outcome: policy.Deny, Reason: "not today"}}}
		})
		_, err := h.invoke("nothing", fields{})
		if r := refusal(t, err); r.Code != pipeline.PolicyDenied || !strings.Contains(r.Reason, "not today") {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
	t.Run("an ask puts a card up, with the warnings and the risk", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Outcome: policy.Ask, Warnings: []string{"careful"}, Risk: policy.High}}}
		})
		stop := h.answers(approval.Decision{Verdict: approval.Allow})
		_, err := h.invoke("nothing", fields{})
		requests := stop()
		if err != nil || len(requests) != 1 {
			t.Fatalf("err = %v, requests = %+v", err, requests)
		}
		if requests[0].Risk != "high" || len(requests[0].Warnings) != 1 {
			t.Errorf("request = %+v", requests[0])
		}
	})
	t.Run("a rewritten input is validated and judged again", func(t *testing.T) {
		h := open(t, func(o *host.Options) {
			o.Hooks = []hook.Hook{say{hook.Answer{Input: json.RawMessage(`{"path":1}`)}}}
		})
		h.write("a.txt", "a")
		_, err := h.invoke("Read", fields{"path": "a.txt"})
		if r := refusal(t, err); r.Code != pipeline.InvalidInput {
			t.Errorf("refusal %s: %s", r.Code, r.Reason)
		}
	})
}
