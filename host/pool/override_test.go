package pool_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcrib/toolcrib/host/pool"
)

func TestOverridesDecideWhatTheListHas(t *testing.T) {
	for claim, test := range map[string]struct {
		load   pool.Load
		byName map[string]pool.Load
		want   string // states of search, search_all, delete_one, and of eu's delete_one
	}{
		"nothing said leaves each its own":               {"", nil, "visible deferred visible visible"},
		"the provider's beats the tool's own":            {pool.LoadDeferred, nil, "deferred deferred deferred deferred"},
		"also where it says always":                      {pool.LoadAlways, nil, "visible visible visible visible"},
		"a tool's beats the provider's":                  {pool.LoadDeferred, map[string]pool.Load{"search": pool.LoadAlways}, "visible deferred deferred deferred"},
		"a pattern is about all that it meets":           {"", map[string]pool.Load{"search*": pool.LoadOff}, "hidden hidden visible visible"},
		"a star may stand for nothing and anywhere":      {"", map[string]pool.Load{"*_*e": pool.LoadOff}, "visible deferred hidden hidden"},
		"an exact name beats a pattern":                  {"", map[string]pool.Load{"search": pool.LoadAlways, "search*": pool.LoadOff}, "visible hidden visible visible"},
		"a longer pattern beats a shorter":               {"", map[string]pool.Load{"s*": pool.LoadOff, "search_*": pool.LoadAlways}, "hidden visible visible visible"},
		"of two alike the first by text":                 {"", map[string]pool.Load{"*arch": pool.LoadDeferred, "sear*": pool.LoadOff}, "deferred hidden visible visible"},
		"a name with the server is about that server":    {"", map[string]pool.Load{"eu__delete_one": pool.LoadOff}, "visible deferred visible hidden"},
		"and beats the name alone":                       {"", map[string]pool.Load{"delete_one": pool.LoadOff, "eu__delete_one": pool.LoadDeferred}, "visible deferred hidden deferred"},
		"the name that models use is not the provider's": {"", map[string]pool.Load{"cloud__search": pool.LoadOff}, "visible deferred visible visible"},
	} {
		t.Run(claim, func(t *testing.T) {
			s := source(pool.OriginPlugin, "cloud", "search", "search_all?", "delete_one", "delete_one")
			s.Tools[3].Origin.Server = "eu"
			s.Overrides = pool.Overrides{Load: test.load, ByName: test.byName}
			p := pool.Assemble([]pool.Source{s}, pool.View{})
			var got []string
			for _, name := range []string{"cloud__search", "cloud__search_all", "cloud__delete_one", "cloud__eu__delete_one"} {
				entry, _ := p.Lookup(name)
				got = append(got, string(entry.State))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %s, want %s", strings.Join(got, " "), test.want)
			}
		})
	}
}

func TestAnOverrideIsNamedInTheReason(t *testing.T) {
	s := source(pool.OriginPlugin, "words", "count", "lines", "delete_all")
	s.Overrides = pool.Overrides{Load: pool.LoadDeferred, ByName: map[string]pool.Load{"count": pool.LoadAlways, "delete_*": pool.LoadOff}}
	p := pool.Assemble([]pool.Source{s}, pool.View{})
	for name, setting := range map[string]string{
		"words__count":      `plugin "words" { tools = { "count" = "always" } }`,
		"words__lines":      `plugin "words" { load = "deferred" }`,
		"words__delete_all": `plugin "words" { tools = { "delete_*" = "off" } }`,
	} {
		entry, _ := p.Lookup(name)
		if entry.Setting != setting || !strings.Contains(entry.Reason, setting) {
			t.Errorf("%s: setting %q, reason %q, want %q in both", name, entry.Setting, entry.Reason, setting)
		}
	}
}

func TestAToolThatIsOffIsNotFoundNorNear(t *testing.T) {
	s := source(pool.OriginPlugin, "words", "count", "delete_all")
	s.Overrides.ByName = map[string]pool.Load{"delete_all": pool.LoadOff}
	if offered := s.Offered(); len(offered) != 1 || offered[0].ProviderName != "count" {
		t.Errorf("offered for search: %v", offered)
	}
	p := pool.Assemble([]pool.Source{s}, pool.View{Loaded: []string{"words__delete_all"}})
	if near := p.Near("words__delete_al"); len(near) > 0 {
		t.Errorf("near: %q", near)
	}
	if got := visible(p); got != "words__count" {
		t.Errorf("visible: %s", got)
	}
}

func TestOverridesThatMeetNoToolAreTold(t *testing.T) {
	s := source(pool.OriginPlugin, "words", "search", "count")
	s.Tools[1].Origin.Server = "eu"
	s.Overrides.ByName = map[string]pool.Load{
		"serach": pool.LoadOff, "delete_*": pool.LoadOff, "s*": pool.LoadOff, "eu__count": pool.LoadOff, "count": pool.LoadOff,
	}
	want := []pool.Unmet{{Name: "delete_*"}, {Name: "serach", Near: "search"}}
	if got := s.Unmet(); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPreparingAfterAnotherGivesTheSame(t *testing.T) {
	before := source(pool.OriginPlugin, "words", "count", "lines?", "twice", "twice", "gone", "off").Prepare()
	changed := func() pool.Source {
		s := source(pool.OriginPlugin, "words", "new", "twice", "lines", "twice", "count", "off")
		s.Tools[4].Description = "another"
		s.Overrides = pool.Overrides{ByName: map[string]pool.Load{"off": pool.LoadOff}}
		return s
	}
	after := pool.Assemble([]pool.Source{changed().PrepareAfter(before)}, pool.View{})
	anew := pool.Assemble([]pool.Source{changed()}, pool.View{})
	if _, state, _ := after.Find("words__off"); state != pool.Hidden {
		t.Errorf("a tool that only its override changed is %s", state)
	}
	if got, want := fmt.Sprint(after.Entries()), fmt.Sprint(anew.Entries()); got != want || !after.Same(anew) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
