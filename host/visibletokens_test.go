package host

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/search"
)

// BenchmarkVisibleTokens tells what the model's list costs for the tools of 70
// real MCP servers: all of them visible, all deferred, within a bound, and what a
// search adds. The data is that of `make bench-search`.
func BenchmarkVisibleTokens(b *testing.B) {
	folder := cmp.Or(os.Getenv("TOOLCRIB_BENCH_DATA"), "../../shared/testdata/toolsearch")
	source := realTools(b, filepath.Join(folder, "livemcpbench", "tools.jsonl"))
	sources := func(load pool.Load) []pool.Source {
		source := source
		source.Overrides.Load = load
		return []pool.Source{source, toolSearchSource()}
	}
	visible := pool.Assemble(sources(""), pool.View{Finder: toolSearchName})
	deferred := pool.Assemble(sources(pool.LoadDeferred), pool.View{Finder: toolSearchName})
	bound := pool.Assemble(sources(""), pool.View{Finder: toolSearchName, VisibleTokens: 8000})

	index := search.New()
	var documents []search.Document
	for _, tool := range source.Offered() {
		documents = append(documents, search.FromTool(tool))
	}
	index.Replace(source.Provider, documents)
	added, searches := 0, 0
	for _, query := range realQueries(b, filepath.Join(folder, "livemcpbench", "model_queries.dev.jsonl")) {
		searches++
		for _, hit := range index.Search(search.Parse(query), defaultFound, nil).Hits {
			entry, _ := visible.Lookup(hit.Name)
			added += entry.Tokens
		}
	}
	for b.Loop() {
		pool.Assemble(sources(""), pool.View{Finder: toolSearchName, VisibleTokens: 8000})
	}
	b.ReportMetric(float64(len(visible.Visible())), "tools")
	b.ReportMetric(float64(visible.VisibleTokens()), "visible-tokens")
	b.ReportMetric(float64(deferred.VisibleTokens()), "deferred-tokens")
	b.ReportMetric(float64(bound.VisibleTokens()), "bound-8000-tokens")
	b.ReportMetric(float64(len(bound.Visible())), "bound-8000-tools")
	b.ReportMetric(float64(added)/float64(searches), "tokens-a-search")
}

func realTools(b *testing.B, path string) pool.Source {
	b.Helper()
	source := pool.Source{Kind: pool.OriginMCP, Provider: "bridge"}
	lines(b, path, func(line []byte) error {
		var t struct {
			Name, Description, Server string
			Schema                    json.RawMessage
		}
		err := json.Unmarshal(line, &t)
		_, name, _ := strings.Cut(t.Name, "__")
		source.Tools = append(source.Tools, pool.Tool{
			ProviderName: name, Description: t.Description, InputSchema: t.Schema, Origin: pool.Origin{Server: t.Server},
		})
		return err
	})
	return source
}

func realQueries(b *testing.B, path string) []string {
	b.Helper()
	var queries []string
	lines(b, path, func(line []byte) error {
		var q struct{ Query string }
		err := json.Unmarshal(line, &q)
		queries = append(queries, q.Query)
		return err
	})
	return queries
}

// lines calls read with each line of a file of the data, which may not be there.
func lines(b *testing.B, path string, read func([]byte) error) {
	b.Helper()
	file, err := os.Open(path)
	if err != nil {
		b.Skipf("no data; TOOLCRIB_BENCH_DATA names its folder: %v", err)
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		if err := read(scanner.Bytes()); err != nil {
			b.Fatalf("read %s: %v", path, err)
		}
	}
	if err := scanner.Err(); err != nil {
		b.Fatal(err)
	}
}
