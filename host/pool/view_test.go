package pool_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

// household has a tool of each sort that a view may be about.
func household() []pool.Source {
	builtin := source(pool.OriginBuiltin, "builtin", "Agent", "SendMessage", "ReadResult", "Bash", "Monitor?")
	lsp := source(pool.OriginActivatedBuiltin, "lsp", "LSP")
	lsp.Tools[0].ActivationScope = "*.go"
	crew := source(pool.OriginPlugin, "crew", "delegate", "Agent", "talk?")
	crew.Tools[0].Subjects = []pool.SubjectField{{Field: "who", Kind: pool.SubjectAgent}}
	return []pool.Source{builtin, lsp, crew, source(pool.OriginBuiltin, "toolcrib", "ToolSearch")}
}

func TestViews(t *testing.T) {
	const all = "Agent Bash LSP ReadResult SendMessage ToolSearch crew__Agent crew__delegate"
	for claim, test := range map[string]struct {
		view pool.View
		want string
	}{
		"the widest has all that is not deferred":                            {pool.View{}, all},
		"a coordinator has what others work for it by, and nothing to find":  {pool.View{Coordinator: true}, "Agent ReadResult SendMessage"},
		"a coordinator has no tools that it loaded as something else":        {pool.View{Coordinator: true, Loaded: []string{"crew__talk", "Monitor"}}, "Agent ReadResult SendMessage"},
		"an agent below the limit may start others":                          {pool.View{Depth: 1, MaxDepth: 2}, all},
		"an agent at the limit may not, by whatever tool":                    {pool.View{Depth: 2, MaxDepth: 2}, "Bash LSP ReadResult ToolSearch crew__Agent"},
		"without a limit the depth says nothing":                             {pool.View{Depth: 9}, all},
		"a tool of files that are not there is hidden":                       {pool.View{Active: func(scope string) bool { return scope != "*.go" }}, strings.Replace(all, " LSP", "", 1)},
		"a tool of files that are there is not":                              {pool.View{Active: func(scope string) bool { return scope == "*.go" }}, all},
		"what the mode would never let run is hidden":                        {pool.View{Barred: func(tool pool.Tool) (string, bool) { return "", tool.Name == "Bash" }}, strings.Replace(all, " Bash", "", 1)},
		"a coordinator at the limit of depth is left with reading":           {pool.View{Coordinator: true, Depth: 1, MaxDepth: 1}, "ReadResult"},
		"a coordinator whose policy denies agents has none":                  {pool.View{Coordinator: true, Denied: func(tool pool.Tool) (string, bool) { return "", tool.Name == "Agent" }}, "ReadResult SendMessage"},
		"what is hidden is not brought back by loading it":                   {pool.View{Depth: 1, MaxDepth: 1, Loaded: []string{"crew__delegate", "Agent"}}, "Bash LSP ReadResult ToolSearch crew__Agent"},
		"a deferred tool of files that are not there is not there to search": {pool.View{Active: func(string) bool { return false }, Loaded: []string{"LSP"}}, strings.Replace(all, " LSP", "", 1)},
	} {
		t.Run(claim, func(t *testing.T) {
			test.view.Finder = "ToolSearch"
			p := pool.Assemble(household(), test.view)
			if got := visible(p); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			for _, entry := range p.Entries() {
				if entry.Reason == "" {
					t.Errorf("%s has no reason", entry.Tool.Name)
				}
			}
		})
	}
}

func TestFindTellsWhatLookupDoes(t *testing.T) {
	p := pool.Assemble(household(), pool.View{Loaded: []string{"crew__talk"}})
	for _, entry := range p.Entries() {
		provider, state, loaded := p.Find(entry.Tool.Name)
		if provider != entry.Tool.Origin.Provider || state != entry.State || loaded != entry.Loaded {
			t.Errorf("%s: %s %s %t, want %+v", entry.Tool.Name, provider, state, loaded, entry)
		}
	}
	if provider, state, _ := p.Find("nothing"); provider != "" || state != "" {
		t.Errorf("Find gives %s %s of what is not there", provider, state)
	}
	if !slices.ContainsFunc(p.Visible(), func(e pool.Entry) bool { return e.Loaded }) {
		t.Error("no visible tool tells that it was loaded")
	}
}
