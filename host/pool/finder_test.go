package pool_test

import (
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

func TestTheFinderIsThereWhenSomethingIsDeferred(t *testing.T) {
	finder := source(pool.OriginBuiltin, "toolcrib", "ToolSearch")
	deny := func(name string) func(pool.Tool) (string, bool) {
		return func(tool pool.Tool) (string, bool) { return "no", tool.Name == name }
	}
	for claim, test := range map[string]struct {
		words pool.Source
		view  pool.View
		want  string
	}{
		"not without deferred tools":              {source(pool.OriginPlugin, "words", "count"), pool.View{}, "words__count"},
		"with one":                                {source(pool.OriginPlugin, "words", "count?"), pool.View{}, "ToolSearch"},
		"with one that is loaded":                 {source(pool.OriginPlugin, "words", "count?"), pool.View{Loaded: []string{"words__count"}}, "ToolSearch words__count"},
		"not when all that is deferred is denied": {source(pool.OriginPlugin, "words", "count?"), pool.View{Denied: deny("words__count")}, ""},
		"not when it is denied itself":            {source(pool.OriginPlugin, "words", "count?"), pool.View{Denied: deny("ToolSearch")}, ""},
		"not as a tool of the same name elsewhere": {
			source(pool.OriginPlugin, "words", "ToolSearch"), pool.View{}, "words__ToolSearch"},
	} {
		t.Run(claim, func(t *testing.T) {
			test.view.Finder = "ToolSearch"
			if got := visible(pool.Assemble([]pool.Source{finder, test.words}, test.view)); got != test.want {
				t.Errorf("visible = %q, want %q", got, test.want)
			}
		})
	}
}

func TestPoolsAreTheSameOnlyInAllStates(t *testing.T) {
	sources := []pool.Source{source(pool.OriginPlugin, "words", "count", "lines?")}
	base := pool.Assemble(sources, pool.View{})
	for claim, test := range map[string]struct {
		other *pool.Pool
		want  bool
	}{
		"as assembled again":                 {pool.Assemble(sources, pool.View{}), true},
		"not when a deferred tool is gone":   {pool.Assemble([]pool.Source{source(pool.OriginPlugin, "words", "count")}, pool.View{}), false},
		"not when a tool is loaded":          {pool.Assemble(sources, pool.View{Loaded: []string{"words__lines"}}), false},
		"not when a deferred tool is denied": {pool.Assemble(sources, pool.View{Denied: func(t pool.Tool) (string, bool) { return "no", t.Load == pool.LoadDeferred }}), false},
	} {
		if got := base.Same(test.other); got != test.want {
			t.Errorf("%s: Same = %t, want %t", claim, got, test.want)
		}
	}
}
