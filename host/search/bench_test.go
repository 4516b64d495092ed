package search_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/host/search"
)

// large makes documents with words as unevenly spread as those of real tools.
func large(providers, tools int) map[string][]search.Document {
	random := rand.New(rand.NewPCG(3, 4))
	common := strings.Fields("get list create update delete search find user file message data issue project account order event report image")
	zipf := rand.NewZipf(random, 1.1, 4, 20000)
	word := func() string {
		if random.IntN(5) == 0 {
			return common[random.IntN(len(common))]
		}
		return fmt.Sprintf("w%cx%c%c", 'a'+zipf.Uint64()%26, 'a'+zipf.Uint64()/26%26, 'a'+zipf.Uint64()/676%26)
	}
	words := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	all := make(map[string][]search.Document)
	for p := range providers {
		provider := fmt.Sprintf("provider%d", p)
		for i := range tools {
			all[provider] = append(all[provider], search.Document{
				Name:        fmt.Sprintf("mcp__%s__%s_%s_%d", provider, word(), word(), i),
				Description: words(12), Server: provider,
				Schema: schema(fmt.Sprintf(`%q:{"description":%q},%q:{"description":%q}`, word()+"1", words(8), word()+"2", words(8))),
			})
		}
	}
	return all
}

var queries = []string{
	"create an issue in a project", "send a message to a user", "find files", "report of all orders of an account",
	"waxbc image search", "Get the list of events, create a report of them and send the message to the user of the project",
}

func BenchmarkSearch10000(b *testing.B) {
	x := search.New()
	for provider, documents := range large(100, 100) {
		x.Replace(provider, documents)
	}
	b.ReportAllocs()
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begin := time.Now()
		x.Search(search.Parse(queries[i%len(queries)]), 5, nil)
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}

func BenchmarkBuild10000(b *testing.B) {
	all := large(100, 100)
	for b.Loop() {
		x := search.New()
		for provider, documents := range all {
			x.Replace(provider, documents)
		}
	}
}

// BenchmarkReplaceOneTool is what a provider costs that changes one of its tools.
func BenchmarkReplaceOneTool(b *testing.B) {
	all := large(100, 100)
	x := search.New()
	for provider, documents := range all {
		x.Replace(provider, documents)
	}
	one := all["provider7"]
	other := slices.Clone(one)
	other[50].Description += " changed"
	i := 0
	for b.Loop() {
		i++
		x.Replace("provider7", [][]search.Document{one, other}[i%2])
	}
}

// BenchmarkIndexMemory is what an index of 10,000 tools holds in memory.
func BenchmarkIndexMemory(b *testing.B) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	all := large(100, 100)
	var held float64
	for b.Loop() {
		before := heap()
		x := search.New()
		for provider, documents := range all {
			x.Replace(provider, documents)
		}
		held = float64(heap()-before) / 1e6
		runtime.KeepAlive(x)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(held, "MB")
}

func BenchmarkReplaceOneOf100Providers(b *testing.B) {
	all := large(101, 100)
	one, other := all["provider7"], all["provider100"]
	x := search.New()
	for provider, documents := range all {
		x.Replace(provider, documents)
	}
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			x.Replace("provider7", other)
		} else {
			x.Replace("provider7", one)
		}
	}
}
