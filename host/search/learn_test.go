package search_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/toolcrib/toolcrib/host/search"
)

func TestALearnedQueryFindsItsTool(t *testing.T) {
	x := workshop()
	const query = "shall I take an umbrella"
	if got := x.Search(search.Parse(query), 5, nil); len(got.Hits) > 0 {
		t.Fatalf("before: %q", names(got))
	}
	if !x.Learn("weather__forecast", query) {
		t.Fatal("Learn reports nothing new")
	}
	if got := names(x.Search(search.Parse("umbrella weather"), 5, nil)); len(got) == 0 || got[0] != "weather__forecast" {
		t.Errorf("after: %q", got)
	}
	if x.Learn("weather__forecast", "Shall I  take an umbrella") {
		t.Error("the same query in other letters counts as new")
	}
}

func TestWhatIsNotLearned(t *testing.T) {
	x := workshop()
	for claim, test := range map[string]struct{ tool, query string }{
		"a tool that is not there": {"weather__nothing", "umbrella"},
		"a selection by name":      {"weather__forecast", "select:weather__forecast"},
		"a server alone":           {"weather__forecast", "server:weather"},
		"nothing":                  {"weather__forecast", "  "},
		"a text of a page":         {"weather__forecast", fmt.Sprintf("%500d", 1) + "x"},
	} {
		if x.Learn(test.tool, test.query) && claim != "a text of a page" {
			t.Errorf("%s was learned", claim)
		}
	}
}

func TestLearnedQueriesOfAToolAreBounded(t *testing.T) {
	x := workshop()
	for i := range 100 {
		x.Learn("weather__forecast", fmt.Sprintf("query%c%c", 'a'+i/26, 'a'+i%26))
	}
	lessons := x.Lessons()
	if len(lessons) != 1 || len(lessons[0].Queries) != 8 {
		t.Fatalf("lessons = %v, want one with 8 queries", lessons)
	}
	if got := lessons[0].Queries[7]; got != "querydv" {
		t.Errorf("the last is %q, want the newest", got)
	}
}

func TestLearnedQueriesSurviveWhatKeepsTheSchema(t *testing.T) {
	tool := search.Document{Name: "weather__forecast", Description: "Rain.", Schema: schema(`"city":{}`)}
	found := func(x *search.Index) bool {
		return slices.Contains(names(x.Search(search.Parse("umbrella"), 5, nil)), "weather__forecast")
	}
	for claim, test := range map[string]struct {
		change func(x *search.Index)
		want   bool
	}{
		"another description": {func(x *search.Index) {
			other := tool
			other.Description = "Sun."
			x.Replace("weather", []search.Document{other})
		}, true},
		"a reconnect": {func(x *search.Index) {
			x.Remove("weather")
			x.Replace("weather", []search.Document{tool})
		}, true},
		"another schema": {func(x *search.Index) {
			other := tool
			other.Schema = schema(`"town":{}`)
			x.Replace("weather", []search.Document{other})
		}, false},
		"another schema, and back": {func(x *search.Index) {
			other := tool
			other.Schema = schema(`"town":{}`)
			x.Replace("weather", []search.Document{other})
			x.Replace("weather", []search.Document{tool})
		}, false},
	} {
		t.Run(claim, func(t *testing.T) {
			x := search.New()
			x.Replace("weather", []search.Document{tool})
			x.Learn("weather__forecast", "umbrella")
			test.change(x)
			if found(x) != test.want {
				t.Errorf("found = %t, want %t", !test.want, test.want)
			}
		})
	}
	t.Run("another index", func(t *testing.T) {
		x := search.New()
		x.Replace("weather", []search.Document{tool})
		x.Learn("weather__forecast", "umbrella")
		next := search.New()
		next.Restore(x.Lessons())
		next.Replace("weather", []search.Document{tool})
		if !found(next) {
			t.Error("it is forgotten")
		}
	})
}
