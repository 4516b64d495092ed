package pool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

// priced makes a source whose tools cost about 100 tokens each.
func priced(kind pool.OriginKind, provider string, names ...string) pool.Source {
	s := source(kind, provider, names...)
	for i := range s.Tools {
		s.Tools[i].Description = strings.Repeat("four", 80)
	}
	return s
}

func TestTokensAreEstimatedByCharacters(t *testing.T) {
	for claim, test := range map[string]struct {
		description, schema string
		want                int
	}{
		"four characters of ASCII are one":   {"abcdefgh", objectSchema, 21},
		"each other character is one":        {"必应搜索", objectSchema, 23},
		"white space in a schema is nothing": {"abcdefgh", `{ "type" :  "object" }`, 21},
	} {
		t.Run(claim, func(t *testing.T) {
			s := source(pool.OriginPlugin, "words", "count")
			s.Tools[0].Description, s.Tools[0].InputSchema = test.description, json.RawMessage(test.schema)
			p := pool.Assemble([]pool.Source{s}, pool.View{})
			if got := p.Visible()[0].Tokens; got != test.want || p.VisibleTokens() != test.want {
				t.Errorf("got %d, and %d for the list, want %d", got, p.VisibleTokens(), test.want)
			}
		})
	}
}

func TestBeyondTheBoundTheLeastUsedAreDeferred(t *testing.T) {
	words := priced(pool.OriginPlugin, "words", "a", "b", "c", "d")
	pinned := priced(pool.OriginPlugin, "pinned", "e")
	pinned.Overrides.ByName = map[string]pool.Load{"e": pool.LoadAlways}
	sources := []pool.Source{
		words, pinned, priced(pool.OriginBuiltin, "builtin", "Bash", "Read"), source(pool.OriginBuiltin, "toolcrib", "ToolSearch"),
	}
	for claim, test := range map[string]struct {
		bound  int
		uses   map[string]int
		loaded []string
		want   string
	}{
		"without a bound all are there":                 {0, nil, nil, "Bash Read pinned__e words__a words__b words__c words__d"},
		"without uses the first stay":                   {540, nil, nil, "Bash Read ToolSearch pinned__e words__a words__b"},
		"the most used stay, in their usual places":     {540, map[string]int{"words__d": 2, "words__b": 1}, nil, "Bash Read ToolSearch pinned__e words__b words__d"},
		"bundled and pinned ones stay whatever":         {1, map[string]int{"words__a": 9}, nil, "Bash Read ToolSearch pinned__e"},
		"loaded ones stay, at the end":                  {540, nil, []string{"words__d"}, "Bash Read ToolSearch pinned__e words__a words__b words__d"},
		"one that fits is no different by being loaded": {540, nil, []string{"words__a"}, "Bash Read ToolSearch pinned__e words__a words__b"},
	} {
		t.Run(claim, func(t *testing.T) {
			p := pool.Assemble(sources, pool.View{VisibleTokens: test.bound, Uses: test.uses, Loaded: test.loaded, Finder: "ToolSearch"})
			if got := visible(p); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAToolTooLargeForTheBoundIsPassedOver(t *testing.T) {
	words := priced(pool.OriginPlugin, "words", "a", "b")
	words.Tools[0].Description = strings.Repeat("four", 1000)
	p := pool.Assemble([]pool.Source{words}, pool.View{VisibleTokens: 200, Uses: map[string]int{"words__a": 3}})
	if got := visible(p); got != "words__b" {
		t.Errorf("visible: %s", got)
	}
	entry, _ := p.Lookup("words__a")
	for _, part := range []string{"pool { visible_tokens = 200 }", "1018 tokens", "200 are left", "called 3 times before"} {
		if entry.State != pool.Deferred || !strings.Contains(entry.Reason, part) {
			t.Errorf("%s: %s, want %q in it", entry.State, entry.Reason, part)
		}
	}
	if entry.Setting != "pool { visible_tokens = 200 }" {
		t.Errorf("setting %q", entry.Setting)
	}
}
