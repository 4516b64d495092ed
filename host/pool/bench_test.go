package pool_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
)

// manySources has 10,000 tools of 100 providers, each with a schema of its own.
func manySources() []pool.Source {
	sources := make([]pool.Source, 100)
	for i := range sources {
		sources[i] = manyTools(i, "")
	}
	return sources
}

func manyTools(provider int, text string) pool.Source {
	s := pool.Source{Kind: pool.OriginPlugin, Provider: fmt.Sprintf("provider%02d", provider)}
	for j := range 100 {
		load := pool.LoadDeferred
		if j%10 == 0 {
			load = pool.LoadAlways
		}
		s.Tools = append(s.Tools, pool.Tool{
			ProviderName: fmt.Sprintf("tool%03d", j),
			Description:  text + strings.Repeat("finds things ", 20),
			InputSchema: json.RawMessage(fmt.Sprintf(
				`{"type":"object","properties":{"query":{"type":"string","description":"%s%d in %d"}},"required":["query"],"additionalProperties":false}`,
				text, j, provider) + strings.Repeat(" ", 10)),
			Load: load,
		})
	}
	return s
}

// rules are what a strict workspace may have.
func rules(b *testing.B) *policy.Engine {
	var all []policy.Rule
	for i := range 20 {
		rule, err := policy.ParseRule(fmt.Sprintf("provider%d__delete_*", i), policy.Deny, policy.Place{})
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, rule)
	}
	return policy.New(all, policy.Auto)
}

// BenchmarkAssemble makes a pool of 10,000 tools that nobody has seen before.
func BenchmarkAssemble(b *testing.B) {
	view := pool.View{Denied: rules(b).DeniesTool}
	for b.Loop() {
		pool.Assemble(manySources(), view)
	}
}

// BenchmarkRebuild is what the host does with a pool of 10,000 tools after one of
// its 100 providers changed: prepare it, assemble, and tell the difference. The
// budget of the design is 20 ms.
func BenchmarkRebuild(b *testing.B) {
	for name, change := range map[string]func(*pool.Source){
		"one-tool":  func(s *pool.Source) { s.Tools[50].Description += "." },
		"all-tools": func(s *pool.Source) { *s = manyTools(50, "other ") },
	} {
		for setting, view := range map[string]pool.View{
			"":        {},
			"-rules":  {Denied: rules(b).DeniesTool},
			"-tokens": {VisibleTokens: 20000},
		} {
			b.Run(name+setting, func(b *testing.B) {
				sources := manySources()
				for i := range sources {
					sources[i] = sources[i].Prepare()
				}
				as := [2]pool.Source{sources[50], manyTools(50, "")}
				change(&as[1])
				old := pool.Assemble(sources, view)
				i := 0
				b.ReportAllocs()
				for b.Loop() {
					i++
					next := pool.Source{Kind: as[i%2].Kind, Provider: as[i%2].Provider, Tools: as[i%2].Tools}
					sources[50] = next.PrepareAfter(sources[50])
					view.Before = old
					now := pool.Assemble(sources, view)
					if now.Same(old) || pool.Diff(old, now).Empty() {
						b.Fatal("nothing changed")
					}
					old = now
				}
			})
		}
	}
}

// BenchmarkPoolMemory is what a pool of 10,000 tools holds in memory beside what
// the providers sent, and what another one of the same tools adds to it.
func BenchmarkPoolMemory(b *testing.B) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	var first, second float64
	for b.Loop() {
		sources := manySources()
		before := heap()
		for i := range sources {
			sources[i] = sources[i].Prepare()
		}
		one := pool.Assemble(sources, pool.View{})
		between := heap()
		other := pool.Assemble(sources, pool.View{})
		after := heap()
		first, second = float64(between-before)/1e6, float64(after-between)/1e6
		runtime.KeepAlive([]*pool.Pool{one, other})
		runtime.KeepAlive(sources)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first, "first-MB")
	b.ReportMetric(second, "next-MB")
}

func BenchmarkNear(b *testing.B) {
	p := pool.Assemble(manySources(), pool.View{})
	for b.Loop() {
		p.Near("provider50__tol050")
	}
}
