package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
)

// BenchmarkInvoke measures a call of a tool that does nothing, through the whole
// pipeline, against a bare unary call to the same process. The two take turns, so
// that both see the same machine. The budget of the design is 2.0x at p50.
func BenchmarkInvoke(b *testing.B) {
	for _, callers := range []int{1, 16} {
		b.Run(fmt.Sprintf("callers-%d", callers), func(b *testing.B) {
			h := open(b, nil)
			lease, err := h.Lease(b.Context(), "probe")
			if err != nil {
				b.Fatal(err)
			}
			defer lease.Release()
			unary := plugin.PlanRequest{Tool: "planned", Input: json.RawMessage(`{}`)}
			var bare, invoke []time.Duration
			for b.Loop() {
				bare = append(bare, times(b, callers, func() error {
					_, err := lease.Plan(b.Context(), unary)
					return err
				})...)
				invoke = append(invoke, times(b, callers, func() error { return invokes(h, "nothing") })...)
			}
			b.ReportMetric(0, "ns/op") // the sum of both says nothing
			b.ReportMetric(microseconds(median(bare)), "bare-p50-µs")
			b.ReportMetric(microseconds(median(invoke)), "invoke-p50-µs")
			b.ReportMetric(float64(median(invoke))/float64(median(bare)), "x-bare-p50")
		})
	}
}

// BenchmarkInvokeLargeResult measures a call with a result of 1 MiB against one
// with next to none.
func BenchmarkInvokeLargeResult(b *testing.B) {
	h := open(b, nil)
	var small, large []time.Duration
	for b.Loop() {
		small = append(small, times(b, 1, func() error { return invokes(h, "nothing") })...)
		large = append(large, times(b, 1, func() error { return invokes(h, "megabyte") })...)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(microseconds(median(large)), "1MiB-p50-µs")
	b.ReportMetric(float64(median(large))/float64(median(small)), "x-empty-p50")
}

// BenchmarkOpen measures the time from nothing to a pool with ten providers
// against that with one: third-party plugins, which are small programs of their
// own, and providers that the large program of the host serves itself. The budget
// of the design is 3x.
func BenchmarkOpen(b *testing.B) {
	b.Run("third-party", func(b *testing.B) {
		words := filepath.Join(b.TempDir(), "words")
		build := exec.Command("go", "build", "-trimpath", "-o", words, ".")
		build.Dir = filepath.Join("..", "examples", "words")
		if output, err := build.CombinedOutput(); err != nil {
			b.Fatalf("build examples/words: %v\n%s", err, output)
		}
		// The checksum of a file that has just changed is taken for each start.
		time.Sleep(3 * time.Second)
		opens(b, words)
	})
	b.Run("bundled", func(b *testing.B) {
		self, err := os.Executable()
		if err != nil {
			b.Fatal(err)
		}
		opens(b, self, "serve-probe")
	})
}

// opens compares opening ten providers with opening one.
func opens(b *testing.B, command ...string) {
	providers := func(count int) func(*host.Options) {
		return func(o *host.Options) {
			o.Bundled = nil
			for i := range count {
				o.Bundled = append(o.Bundled, host.Bundled{Name: fmt.Sprintf("provider%d", i), Command: command})
			}
		}
	}
	var one, ten []time.Duration
	for b.Loop() {
		for count, took := range map[int]*[]time.Duration{1: &one, 10: &ten} {
			start := time.Now()
			h := open(b, providers(count))
			*took = append(*took, time.Since(start))
			if err := h.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(microseconds(median(one))/1000, "one-p50-ms")
	b.ReportMetric(microseconds(median(ten))/1000, "ten-p50-ms")
	b.ReportMetric(float64(median(ten))/float64(median(one)), "x-one-p50")
}

// BenchmarkReload replaces a provider while four callers call it, and reports the
// longest call during reloads against the longest of as many calls without.
func BenchmarkReload(b *testing.B) {
	h, write := configured(b, declare(b, "probe", "0"))
	var calm, loaded, reload []time.Duration
	for generation := 1; b.Loop(); generation++ {
		write(declare(b, "probe", fmt.Sprint(generation)))
		done := make(chan time.Duration, 1)
		go func() {
			start := time.Now()
			report, err := h.Reload(b.Context())
			if err != nil || report.Providers[0].Action != host.Restarted {
				b.Errorf("reload: %+v, %v", report, err)
			}
			done <- time.Since(start)
		}()
		rounds := 0
		for took := time.Duration(0); took == 0; rounds++ {
			loaded = append(loaded, times(b, 4, func() error { return invokes(h, "probe__nothing") })...)
			select {
			case took = <-done:
				reload = append(reload, took)
			default:
			}
		}
		for range rounds {
			calm = append(calm, times(b, 4, func() error { return invokes(h, "probe__nothing") })...)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(microseconds(median(reload))/1000, "reload-p50-ms")
	b.ReportMetric(microseconds(slices.Max(loaded))/1000, "longest-call-ms")
	b.ReportMetric(float64(slices.Max(loaded))/float64(slices.Max(calm)), "x-longest-without")
	b.ReportMetric(float64(median(loaded))/float64(median(calm)), "x-p50-without")
}

// callsInTurn is how often each caller calls before it is the other one's turn.
const callsInTurn = 16

// times lets callers call at once and returns how long each call took.
func times(b *testing.B, callers int, call func() error) []time.Duration {
	took := make([]time.Duration, callers*callsInTurn)
	var wait sync.WaitGroup
	for own := range slices.Chunk(took, callsInTurn) {
		wait.Go(func() {
			for i := range own {
				start := time.Now()
				if err := call(); err != nil {
					b.Error(err)
				}
				own[i] = time.Since(start)
			}
		})
	}
	wait.Wait()
	return took
}

func invokes(h *opened, tool string) error {
	_, err := h.Invoke(h.t.Context(), pipeline.Invocation{Tool: tool, Input: json.RawMessage(`{}`)})
	return err
}

// megabyte is a result of 1 MiB, in lines. It is not made by the providers of
// whom nobody wants it, which would have to start with it.
var megabyte = sync.OnceValue(func() string { return strings.Repeat(strings.Repeat("x", 63)+"\n", 1<<14) })

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
