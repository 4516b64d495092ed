package host_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
)

// BenchmarkInvoke measures a call of a tool that does nothing, through the whole
// pipeline, against a bare unary call to the same process. The two take turns, so
// that both see the same machine. The budget of the design is 2.0x at p50.
func BenchmarkInvoke(b *testing.B) {
	h := open(b, nil)
	bare, invoke := make([]time.Duration, 0, b.N), make([]time.Duration, 0, b.N)
	lease, err := h.Lease(b.Context(), "probe")
	if err != nil {
		b.Fatal(err)
	}
	defer lease.Release()
	unary := plugin.PlanRequest{Tool: "planned", Input: json.RawMessage(`{}`)}
	invocation := pipeline.Invocation{Tool: "nothing", Input: json.RawMessage(`{}`)}
	for b.Loop() {
		start := time.Now()
		if _, err := lease.Plan(b.Context(), unary); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, err := h.Invoke(b.Context(), invocation); err != nil {
			b.Fatal(err)
		}
		bare, invoke = append(bare, middle.Sub(start)), append(invoke, time.Since(middle))
	}
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
	b.ReportMetric(microseconds(median(bare)), "bare-p50-µs")
	b.ReportMetric(microseconds(median(invoke)), "invoke-p50-µs")
	b.ReportMetric(float64(median(invoke))/float64(median(bare)), "x-bare-p50")
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
