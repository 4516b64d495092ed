package pool_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

func TestFaultyToolsAreHidden(t *testing.T) {
	for name, tc := range map[string]struct {
		schema string
		want   string // part of the reason; empty: the tool is visible
	}{
		"an object with properties":       {`{"type":"object","properties":{"a":{"type":"string"}}}`, ""},
		"a reference inside the schema":   {`{"type":"object","$defs":{"a":{}},"properties":{"a":{"$ref":"#/$defs/a"}}}`, ""},
		"a pattern that Go does not have": {`{"type":"object","properties":{"a":{"pattern":"(?<!x)y"}}}`, ""},
		"an older draft":                  {`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`, ""},
		"no schema":                       {``, "is missing"},
		"not JSON":                        {`{"type":`, "is not JSON"},
		"two values":                      {`{"type":"object"} {}`, "is not JSON"},
		"not an object":                   {`true`, `does not have "type": "object"`},
		"of another type":                 {`{"type":"array"}`, `does not have "type": "object"`},
		"a property that is no schema":    {`{"type":"object","properties":{"a":7}}`, "is not valid"},
		"a reference to nothing":          {`{"type":"object","properties":{"a":{"$ref":"#/$defs/b"}}}`, "is not valid"},
		"a reference to a file":           {`{"type":"object","properties":{"a":{"$ref":"file:///etc/passwd"}}}`, "outside of it"},
	} {
		t.Run(name, func(t *testing.T) {
			s := source(pool.OriginPlugin, "words", "count")
			s.Tools[0].InputSchema = json.RawMessage(tc.schema)
			p := pool.Assemble([]pool.Source{s}, pool.View{})
			entry, _ := p.Lookup("words__count")
			if tc.want == "" && entry.State != pool.Visible || tc.want != "" && (entry.State != pool.Hidden || !strings.Contains(entry.Reason, tc.want)) {
				t.Errorf("got %s: %s", entry.State, entry.Reason)
			}
			if _, err := json.Marshal(p); err != nil {
				t.Errorf("the pool cannot be listed: %v", err)
			}
		})
	}
	t.Run("an output schema that is not JSON", func(t *testing.T) {
		s := source(pool.OriginPlugin, "words", "count")
		s.Tools[0].OutputSchema = json.RawMessage(`{`)
		if entry, _ := pool.Assemble([]pool.Source{s}, pool.View{}).Lookup("words__count"); entry.State != pool.Hidden {
			t.Errorf("got %s: %s", entry.State, entry.Reason)
		}
	})
	t.Run("no name", func(t *testing.T) {
		p := pool.Assemble([]pool.Source{source(pool.OriginPlugin, "words", "")}, pool.View{})
		if entry := p.Entries()[0]; entry.State != pool.Hidden || !strings.Contains(entry.Reason, "no name") {
			t.Errorf("got %s: %s", entry.State, entry.Reason)
		}
	})
}

func TestPoolInJSON(t *testing.T) {
	p := pool.Assemble([]pool.Source{source(pool.OriginPlugin, "words", "count")}, pool.View{})
	p.Revision = 3
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"revision":3,"digest":%q,"visible_tokens":21,"tools":[{"name":"words__count","provider_name":"count",`+
		`"origin":{"kind":"plugin","provider":"words"},"description":"does count","input_schema":{"type":"object"},"schema_version":"a2c799262a3c",`+
		`"annotations":{},"load":"always","state":"visible","reason":"offered from the start","tokens":21}]}`, p.Digest())
	if string(data) != want {
		t.Errorf("got  %s\nwant %s", data, want)
	}

	entry := p.Entries()[0]
	data, _ = json.Marshal(entry)
	var again pool.Entry
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(again.Tool, entry.Tool) || again.State != entry.State || again.Reason != entry.Reason {
		t.Errorf("%s became %+v", data, again)
	}

	t.Run("without tools has an empty list", func(t *testing.T) {
		data, _ := json.Marshal(pool.Assemble(nil, pool.View{}))
		if !strings.Contains(string(data), `"tools":[]`) {
			t.Errorf("got %s", data)
		}
	})
}

func TestDigestIsOfWhatIsVisible(t *testing.T) {
	base := []pool.Source{source(pool.OriginPlugin, "words", "count", "lines?")}
	digest := pool.Assemble(base, pool.View{}).Digest()

	reworded := []pool.Source{source(pool.OriginPlugin, "words", "count", "lines?")}
	reworded[0].Tools[0].Description = "counts"
	for name, tc := range map[string]struct {
		sources []pool.Source
		view    pool.View
		same    bool
	}{
		"the same tools":            {base, pool.View{}, true},
		"another deferred tool":     {append([]pool.Source{source(pool.OriginPlugin, "x", "y?")}, base...), pool.View{}, true},
		"another description":       {reworded, pool.View{}, false},
		"a deferred tool is loaded": {base, pool.View{Loaded: []string{"words__lines"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pool.Assemble(tc.sources, tc.view).Digest(); (got == digest) != tc.same {
				t.Errorf("got %s, was %s", got, digest)
			}
		})
	}
}

func TestDiff(t *testing.T) {
	changed := source(pool.OriginPlugin, "words", "count", "lines?", "new")
	changed.Tools[0].Description = "other"
	old := pool.Assemble([]pool.Source{source(pool.OriginPlugin, "words", "count", "lines?", "gone", "denied")}, pool.View{})
	new := pool.Assemble([]pool.Source{changed, source(pool.OriginPlugin, "a", "also?")}, pool.View{Loaded: []string{"words__lines"}})

	got := pool.Diff(old, new)
	want := pool.Changes{
		Added:   []string{"a__also", "words__new"},
		Removed: []string{"words__denied", "words__gone"},
		Changed: []string{"words__count", "words__lines"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	denying := pool.View{Denied: func(tool pool.Tool) (string, bool) { return "no", tool.ProviderName == "denied" }}
	later := pool.Assemble([]pool.Source{source(pool.OriginPlugin, "words", "count", "lines?", "denied")}, denying)
	want = pool.Changes{Removed: []string{"words__denied", "words__gone"}, Denied: []string{"words__denied"}}
	if got := pool.Diff(old, later); !reflect.DeepEqual(got, want) {
		t.Errorf("after a deny: %+v, want %+v", got, want)
	}
	if !pool.Diff(old, old).Empty() || got.Empty() {
		t.Error("Empty is wrong")
	}
	if first := pool.Diff(nil, old); len(first.Added) != 4 {
		t.Errorf("from nothing: %+v", first)
	}
}

func TestNear(t *testing.T) {
	p := pool.Assemble([]pool.Source{
		source(pool.OriginBuiltin, "builtin", "Read", "Edit", "Bash"),
		source(pool.OriginPlugin, "words", "count", "secret", "lines?"),
		mcp("bridge", "github", "search_issues", "search_issue"),
	}, pool.View{Denied: func(tool pool.Tool) (string, bool) { return "no", tool.ProviderName == "secret" }})
	for name, tc := range map[string]struct{ in, want string }{
		"another case":                   {"read", "Read"},
		"a slip":                         {"words__cuont", "words__count"},
		"without the provider":           {"count", "words__count"},
		"a deferred tool":                {"words_lines", "words__lines"},
		"the nearest first":              {"mcp__github__search_issue", "mcp__github__search_issue mcp__github__search_issues"},
		"nothing near":                   {"WebFetch", ""},
		"nothing":                        {"", ""},
		"a denied tool is not suggested": {"words__secret", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(p.Near(tc.in), " "); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestOriginForAPerson(t *testing.T) {
	for want, origin := range map[string]pool.Origin{
		"builtin":         {Kind: pool.OriginBuiltin, Provider: "builtin"},
		"builtin lsp":     {Kind: pool.OriginActivatedBuiltin, Provider: "lsp"},
		"plugin words":    {Kind: pool.OriginPlugin, Provider: "words"},
		"plugin cloud/eu": {Kind: pool.OriginPlugin, Provider: "cloud", Server: "eu"},
		"mcp github":      {Kind: pool.OriginMCP, Provider: "bridge", Server: "github"},
	} {
		if got := origin.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
