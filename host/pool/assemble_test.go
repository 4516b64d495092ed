package pool_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolcrib/toolcrib/host/pool"
)

const objectSchema = `{"type":"object"}`

// source makes a source of always visible tools; a name with a trailing "?" is
// deferred.
func source(kind pool.OriginKind, provider string, names ...string) pool.Source {
	s := pool.Source{Kind: kind, Provider: provider}
	for _, name := range names {
		tool := pool.Tool{Description: "does " + name, InputSchema: json.RawMessage(objectSchema)}
		var deferred bool
		tool.ProviderName, deferred = strings.CutSuffix(name, "?")
		if deferred {
			tool.Load = pool.LoadDeferred
		}
		s.Tools = append(s.Tools, tool)
	}
	return s
}

func mcp(provider, server string, names ...string) pool.Source {
	s := source(pool.OriginMCP, provider, names...)
	for i := range s.Tools {
		s.Tools[i].Origin.Server = server
	}
	return s
}

func visible(p *pool.Pool) string {
	var names []string
	for _, entry := range p.Visible() {
		names = append(names, entry.Tool.Name)
	}
	return strings.Join(names, " ")
}

func TestOrderOfVisibleTools(t *testing.T) {
	for name, tc := range map[string]struct {
		sources []pool.Source
		loaded  []string
		want    string
	}{
		"nothing": {nil, nil, ""},
		"bundled tools are one prefix sorted by name": {
			[]pool.Source{
				source(pool.OriginPlugin, "a", "first"),
				source(pool.OriginActivatedBuiltin, "lsp", "LSP"),
				source(pool.OriginBuiltin, "builtin", "Read", "Bash"),
			}, nil,
			"Bash LSP Read a__first",
		},
		"the others go by kind, then provider, then server, then name": {
			[]pool.Source{
				source(pool.OriginACP, "a", "x"),
				mcp("bridge", "zulip", "a"),
				mcp("bridge", "github", "b", "a"),
				source(pool.OriginPlugin, "words", "z", "count"),
				source(pool.OriginPlugin, "jira", "search"),
			}, nil,
			"jira__search words__count words__z mcp__github__a mcp__github__b mcp__zulip__a a__x",
		},
		"loaded tools come last, as they were loaded": {
			[]pool.Source{
				source(pool.OriginBuiltin, "builtin", "Read", "Glob?"),
				source(pool.OriginPlugin, "words", "count?", "lines?", "always"),
			},
			[]string{"words__lines", "Glob", "words__lines", "words__gone", "words__always"},
			"Read words__always words__lines Glob",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := visible(pool.Assemble(tc.sources, pool.View{Loaded: tc.loaded})); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
}

func TestLoadingKeepsThePrefix(t *testing.T) {
	sources := []pool.Source{
		source(pool.OriginBuiltin, "builtin", "Bash", "Read", "Edit?"),
		source(pool.OriginPlugin, "words", "count", "lines?"),
	}
	before := pool.Assemble(sources, pool.View{}).Visible()
	after := pool.Assemble(sources, pool.View{Loaded: []string{"words__lines", "Edit"}}).Visible()
	if len(after) != len(before)+2 {
		t.Fatalf("%d tools became %d", len(before), len(after))
	}
	want, _ := json.Marshal(before)
	got, _ := json.Marshal(after[:len(before)])
	if string(got) != string(want) {
		t.Errorf("the prefix became %s, was %s", got, want)
	}
}

func TestAToolThatTakesANameOverIsAskedAbout(t *testing.T) {
	early, late := mcp("first", "github", "search").Prepare(), mcp("second", "github", "search").Prepare()
	view := pool.View{Denied: func(tool pool.Tool) (string, bool) { return "no", tool.Origin.Provider == "second" }}
	view.Before = pool.Assemble([]pool.Source{early, late}, view)
	entry, _ := pool.Assemble([]pool.Source{late}, view).Lookup("mcp__github__search")
	if entry.State != pool.Denied {
		t.Errorf("it is %s: %s", entry.State, entry.Reason)
	}
}

func TestARebuildKeepsTheBytesBeforeWhatChanged(t *testing.T) {
	sources := manySources()
	for i := range sources {
		sources[i] = sources[i].Prepare()
	}
	sources = append(sources, source(pool.OriginBuiltin, "builtin", "Bash", "Read"))
	loaded := pool.View{Loaded: []string{"provider10__tool001", "provider99__tool099"}}
	old := pool.Assemble(sources, loaded)
	changed := manyTools(70, "")
	changed.Tools[50].Description = "changed"
	changed.Tools = append(changed.Tools, pool.Tool{ProviderName: "new", InputSchema: json.RawMessage(objectSchema)})
	sources[70] = changed.PrepareAfter(sources[70])
	loaded.Before = old
	rebuilt := pool.Assemble(sources, loaded)

	before, after := old.Visible(), rebuilt.Visible()
	if len(after) != len(before)+1 {
		t.Fatalf("%d visible tools became %d", len(before), len(after))
	}
	at := slices.IndexFunc(before, func(e pool.Entry) bool { return e.Tool.Origin.Provider == "provider70" })
	want, _ := json.Marshal(before[:at])
	got, _ := json.Marshal(after[:at])
	if at != 702 || string(got) != string(want) {
		t.Errorf("what stands before the %d tools of the provider that changed is not what it was", at)
	}
	if again := pool.Assemble(sources, loaded); again.Digest() != rebuilt.Digest() || modelList(t, again) != modelList(t, rebuilt) {
		t.Error("the same sources give other bytes")
	}
}

func TestEveryToolHasAStateAndAReason(t *testing.T) {
	words := source(pool.OriginPlugin, "words", "count", "secret", "lines?", "broken", "twice", "twice")
	words.Tools[3].InputSchema = json.RawMessage(`{"type":"string"}`)
	sources := []pool.Source{
		words,
		source(pool.OriginBuiltin, "builtin", "Read"),
		source(pool.OriginActivatedBuiltin, "lsp", "Read"),
	}
	p := pool.Assemble(sources, pool.View{Denied: func(tool pool.Tool) (string, bool) {
		return "denied by a rule", tool.Name == "words__secret"
	}})

	var got []string
	for _, entry := range p.Entries() {
		if entry.Reason == "" {
			t.Errorf("%s has no reason", entry.Tool.Name)
		}
		got = append(got, fmt.Sprintf("%s: %s", entry.Tool.Name, entry.State))
	}
	want := []string{
		"Read: visible",
		"words__count: visible",
		"words__twice: visible",
		"Read: shadowed",
		"words__broken: hidden",
		"words__lines: deferred",
		"words__secret: denied",
		"words__twice: shadowed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if entry, ok := p.Lookup("words__secret"); !ok || entry.Reason != "denied by a rule" {
		t.Errorf("Lookup gives %+v", entry)
	}
	if _, ok := p.Lookup("words__none"); ok {
		t.Error("Lookup finds what is not there")
	}
}

func TestEarlierOriginKeepsTheName(t *testing.T) {
	early := source(pool.OriginBuiltin, "builtin", "LSP")
	late := source(pool.OriginActivatedBuiltin, "lsp", "LSP")
	for _, sources := range [][]pool.Source{{early, late}, {late, early}} {
		p := pool.Assemble(sources, pool.View{})
		entry, _ := p.Lookup("LSP")
		if entry.Tool.Origin.Provider != "builtin" || entry.State != pool.Visible {
			t.Errorf("the name has %+v", entry)
		}
		shadowed := p.Entries()[1]
		if shadowed.State != pool.Shadowed || !strings.Contains(shadowed.Reason, "builtin lsp") {
			t.Errorf("the other is %s: %s", shadowed.State, shadowed.Reason)
		}
	}

	t.Run("even when it is denied", func(t *testing.T) {
		p := pool.Assemble([]pool.Source{late, early}, pool.View{Denied: func(tool pool.Tool) (string, bool) {
			return "no", tool.Origin.Provider == "builtin"
		}})
		if entry, _ := p.Lookup("LSP"); entry.State != pool.Denied {
			t.Errorf("the name went to %+v", entry)
		}
	})
}

func TestOfTwoNamesInOneProviderTheSoundOneIsUsed(t *testing.T) {
	words := source(pool.OriginPlugin, "words", "count", "count")
	words.Tools[0].InputSchema = nil
	p := pool.Assemble([]pool.Source{words}, pool.View{})
	if entry, _ := p.Lookup("words__count"); entry.State != pool.Visible {
		t.Errorf("got %+v", entry)
	}
}

func TestAssembleDoesNotTouchItsInput(t *testing.T) {
	sources := []pool.Source{source(pool.OriginPlugin, "words", "z", "a"), source(pool.OriginBuiltin, "builtin", "Read")}
	before := fmt.Sprintf("%+v", sources)
	pool.Assemble(sources, pool.View{})
	if after := fmt.Sprintf("%+v", sources); after != before {
		t.Errorf("the sources became %s", after)
	}
}

func TestOrderOfSourcesDoesNotMatter(t *testing.T) {
	kinds := []pool.OriginKind{
		pool.OriginBuiltin, pool.OriginActivatedBuiltin, pool.OriginPlugin,
		pool.OriginMCP, pool.OriginRemote, pool.OriginACP, "later",
	}
	names := rapid.StringMatching(`[a-c_.]{1,3}`)
	tools := rapid.Custom(func(t *rapid.T) pool.Tool {
		return pool.Tool{
			ProviderName: names.Draw(t, "tool"),
			Origin:       pool.Origin{Server: rapid.SampledFrom([]string{"", "s", "t"}).Draw(t, "server")},
			Description:  rapid.SampledFrom([]string{"one", "two"}).Draw(t, "description"),
			InputSchema:  json.RawMessage(rapid.SampledFrom([]string{objectSchema, `{`, ``}).Draw(t, "schema")),
			Load:         rapid.SampledFrom([]pool.Load{"", pool.LoadAlways, pool.LoadDeferred}).Draw(t, "load"),
		}
	})
	gen := rapid.Custom(func(t *rapid.T) pool.Source {
		return pool.Source{
			Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
			Provider: names.Draw(t, "provider"),
			Tools:    rapid.SliceOfN(tools, 0, 6).Draw(t, "tools"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		sources := rapid.SliceOfN(gen, 0, 8).Draw(t, "sources")
		view := pool.View{
			Loaded: rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "a__a", "b__a", "mcp__s__a"})).Draw(t, "loaded"),
			Denied: func(tool pool.Tool) (string, bool) { return "no", strings.HasSuffix(tool.Name, "c") },
		}
		want, err := json.Marshal(pool.Assemble(sources, view))
		if err != nil {
			t.Fatal(err)
		}
		shuffled := rapid.Permutation(sources).Draw(t, "shuffled")
		for i := range shuffled {
			shuffled[i].Tools = rapid.Permutation(shuffled[i].Tools).Draw(t, "tools")
			if rapid.Bool().Draw(t, "prepared") {
				shuffled[i] = shuffled[i].Prepare()
			}
		}
		got, err := json.Marshal(pool.Assemble(shuffled, view))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

func TestWhatWasDecidedBeforeMakesNoDifference(t *testing.T) {
	asked := 0
	view := pool.View{Denied: func(tool pool.Tool) (string, bool) {
		asked++
		return "no", strings.HasPrefix(tool.ProviderName, "secret")
	}}
	words := source(pool.OriginPlugin, "words", "a", "secret", "z", "twice", "twice")
	others := source(pool.OriginPlugin, "others", "secret", "b").Prepare()
	wider := source(pool.OriginPlugin, "words", "secret", "a", "m", "secret_too", "twice")
	wider.Tools[1].Description = "another"
	before := words.Prepare()
	view.Before = pool.Assemble([]pool.Source{before, others}, view)
	asked = 0
	after := pool.Assemble([]pool.Source{others, wider.PrepareAfter(before)}, view)
	if asked != 4 { // a and twice are others than before, m and secret_too are new
		t.Errorf("%d tools were asked about, want the 4 that are not as before", asked)
	}
	view.Before = nil
	if !pool.Assemble([]pool.Source{wider, others}, view).Same(after) {
		t.Error("the pool is another one")
	}
}
