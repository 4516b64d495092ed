package search_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/toolcrib/toolcrib/host/search"
)

// workshop is a small index that has a bit of everything.
func workshop() *search.Index {
	x := search.New()
	x.Replace("bridge", []search.Document{
		{
			Name: "mcp__github__create_issue", Server: "github", Description: "Open a new issue in a repository.",
			Schema: schema(`"title":{"type":"string"},"labels":{"type":"array","items":{"enum":["enhancement","wontfix"]}}`),
		},
		{Name: "mcp__github__list_issues", Server: "github", Description: "List the issues of a repository."},
		{
			Name: "mcp__github__searchRepositories", Server: "github", Description: "Find repositories by topic.",
			Schema: schema(`"stars":{"type":"integer","description":"Minimum stargazers"}`),
		},
		{Name: "mcp__linear__create_issue", Server: "linear", Description: "File a ticket for a team."},
		{Name: "mcp__slack__post_message", Server: "slack", Description: "Send a message to a channel.", Hints: []string{"notify colleagues"}},
		{Name: "mcp__bing__search", Server: "bing", Description: "使用必应搜索指定的关键词"},
	})
	x.Replace("weather", []search.Document{
		{Name: "weather__forecast", Title: "Weather forecast", Description: "Temperatures and rain for the coming days."},
		{Name: "weather__HTTPStatus2json", Description: "Tells whether the service is up.", Examples: []string{"is the barometer reachable"}},
	})
	return x
}

func schema(properties string) json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + properties + `}}`)
}

func names(r search.Result) []string {
	var names []string
	for _, hit := range r.Hits {
		names = append(names, hit.Name)
	}
	return names
}

func TestTheFirstHit(t *testing.T) {
	x := workshop()
	for claim, test := range map[string]struct{ query, want string }{
		"is the tool of that name":                           {"mcp__linear__create_issue", "mcp__linear__create_issue"},
		"is the tool of that name in other letters":          {"MCP__Linear__Create_Issue", "mcp__linear__create_issue"},
		"has the name without its origin":                    {"post_message", "mcp__slack__post_message"},
		"has the words of the name in another order":         {"message posting", "mcp__slack__post_message"},
		"has the words of a camelCase name":                  {"search repository", "mcp__github__searchRepositories"},
		"is named in a sentence":                             {"use list_issues and count them", "mcp__github__list_issues"},
		"has the words of the description":                   {"send something to a channel", "mcp__slack__post_message"},
		"has another form of the word":                       {"raining", "weather__forecast"},
		"has a synonym":                                      {"climate", "weather__forecast"},
		"has the word in its title":                          {"weather", "weather__forecast"},
		"has a parameter of that name":                       {"filter by stars", "mcp__github__searchRepositories"},
		"has the word in the description of a parameter":     {"stargazers", "mcp__github__searchRepositories"},
		"has an enum value":                                  {"wontfix", "mcp__github__create_issue"},
		"has the word in a hint":                             {"notify colleagues", "mcp__slack__post_message"},
		"has the word in an example query":                   {"barometer", "weather__HTTPStatus2json"},
		"has the word between digits and capitals":           {"http status json", "weather__HTTPStatus2json"},
		"is found in Chinese":                                {"搜索关键词", "mcp__bing__search"},
		"is found by a misspelt word":                        {"forcast", "weather__forecast"},
		"is found with two letters swapped":                  {"chanenl", "mcp__slack__post_message"},
		"has the required word":                              {"+linear issue", "mcp__linear__create_issue"},
		"has the required word whatever the others fit":      {"+ticket weather forecast rain", "mcp__linear__create_issue"},
		"is of the server":                                   {"server:linear issue", "mcp__linear__create_issue"},
		"is of the server named in other letters":            {"SERVER:Linear issue", "mcp__linear__create_issue"},
		"is of the provider where there is no server":        {"server:weather service", "weather__HTTPStatus2json"},
		"is asked for politely":                              {"Could you please tell me what the weather will be?", "weather__forecast"},
		"is found beside words that nothing has":             {"zzyzx forecast qwghlm", "weather__forecast"},
		"is selected by name":                                {"select:weather__forecast", "weather__forecast"},
		"is selected by name in other letters":               {"Select: Weather__Forecast", "weather__forecast"},
		"is selected without its origin if it is alone":      {"select:post_message", "mcp__slack__post_message"},
		"is the plainest where two have the words of a name": {"create issue github", "mcp__github__create_issue"},
	} {
		t.Run(claim, func(t *testing.T) {
			got := names(x.Search(search.Parse(test.query), 5, nil))
			if len(got) == 0 || got[0] != test.want {
				t.Errorf("Search(%q) = %q, want %q first", test.query, got, test.want)
			}
		})
	}
}

func TestNothingIsFound(t *testing.T) {
	for claim, query := range map[string]string{
		"for nothing":                             "",
		"for words without meaning":               "what is it that you will do",
		"for what no tool has":                    "zzyzx",
		"when a required word is nowhere":         "+zzyzx forecast",
		"when required words are in two tools":    "+forecast +channel",
		"of a server that is not there":           "server:gitlab issue",
		"for an empty selection":                  "select:",
		"for a selected name that two tools have": "select:create_issue",
	} {
		t.Run(claim, func(t *testing.T) {
			if got := workshop().Search(search.Parse(query), 5, nil); len(got.Hits) > 0 {
				t.Errorf("Search(%q) = %q, want nothing", query, names(got))
			}
		})
	}
}

func TestSelectKeepsOrderAndTellsWhatIsMissing(t *testing.T) {
	got := workshop().Search(search.Parse("select:weather__forecast, nonsense,mcp__github__list_issues,weather__forecast"), 1, nil)
	if want := []string{"weather__forecast", "mcp__github__list_issues"}; !slices.Equal(names(got), want) {
		t.Errorf("hits = %q, want %q", names(got), want)
	}
	if want := []string{"nonsense"}; !slices.Equal(got.Missing, want) {
		t.Errorf("missing = %q, want %q", got.Missing, want)
	}
}

func TestAServerAloneListsItsTools(t *testing.T) {
	got := names(workshop().Search(search.Parse("server:github"), 10, nil))
	want := []string{"mcp__github__create_issue", "mcp__github__list_issues", "mcp__github__searchRepositories"}
	if !slices.Equal(got, want) {
		t.Errorf("hits = %q, want %q", got, want)
	}
}

func TestSayingOneThingOftenDoesNotBeatSayingAllThatIsAsked(t *testing.T) {
	x := workshop()
	x.Replace("charts", []search.Document{
		{Name: "a", Description: strings.Repeat("bar chart ", 8)},
		{Name: "b", Description: "A bar chart with an axis, in the colours of a palette."},
	})
	if got := names(x.Search(search.Parse("bar chart with axis"), 5, nil)); len(got) == 0 || got[0] != "b" {
		t.Errorf("hits = %q, want b first", got)
	}
}

func TestADeniedToolCannotBeFound(t *testing.T) {
	x := workshop()
	allow := func(_, name string) bool { return name != "mcp__linear__create_issue" }
	for _, query := range []string{
		"mcp__linear__create_issue", "create issue", "file a ticket for a team", "select:mcp__linear__create_issue",
		"server:linear", "+linear", "linaer",
	} {
		if got := names(x.Search(search.Parse(query), 10, allow)); slices.Contains(got, "mcp__linear__create_issue") {
			t.Errorf("Search(%q) found it: %q", query, got)
		}
	}
}

func TestChangingOneProviderGivesWhatBuildingAnewGives(t *testing.T) {
	words := strings.Fields("create delete issue message channel weather forecast file search repository send list user invoice payment translate")
	random := rand.New(rand.NewPCG(1, 2))
	tools := func(provider string) []search.Document {
		documents := make([]search.Document, random.IntN(12))
		for i := range documents {
			pick := func() string { return words[random.IntN(len(words))] }
			documents[i] = search.Document{
				Name: fmt.Sprintf("%s__%s_%d", provider, pick(), i), Server: pick(),
				Description: pick() + " the " + pick() + " " + pick() + " of " + pick(),
				Schema:      schema(fmt.Sprintf(`%q:{"description":%q}`, pick(), pick())),
			}
		}
		return documents
	}
	changed, now := search.New(), make(map[string][]search.Document)
	for range 200 {
		provider := fmt.Sprintf("p%d", random.IntN(8))
		now[provider] = tools(provider)
		changed.Replace(provider, now[provider])
	}
	anew := search.New()
	total := 0
	for provider, documents := range now {
		anew.Replace(provider, documents)
		total += len(documents)
	}
	if changed.Len() != total || anew.Len() != total {
		t.Fatalf("Len = %d and %d, want %d", changed.Len(), anew.Len(), total)
	}
	for _, query := range []string{"send a message", "create issue", "weather", "+file translate", "server:user", "delete the invoice and list the payments"} {
		got, want := changed.Search(search.Parse(query), 20, nil), anew.Search(search.Parse(query), 20, nil)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("Search(%q):\n  changed %v\n  anew    %v", query, got, want)
		}
	}
	for provider := range now {
		changed.Remove(provider)
	}
	if got := changed.Search(search.Parse("message"), 5, nil); changed.Len() != 0 || len(got.Hits) > 0 || len(changed.Providers()) > 0 {
		t.Errorf("after removing all: %d tools, hits %v, providers %v", changed.Len(), got, changed.Providers())
	}
}

func TestSearchesAndChangesSideBySide(t *testing.T) {
	x := workshop()
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range 50 {
				provider := fmt.Sprintf("more%d", worker)
				x.Replace(provider, []search.Document{{Name: provider + "__issue", Description: fmt.Sprint("issue tracker ", i)}})
				if got := x.Search(search.Parse("issue"), 3, nil); len(got.Hits) != 3 {
					t.Errorf("hits = %v, want 3", got.Hits)
				}
				x.Learn("weather__forecast", fmt.Sprint("umbrella ", worker, i))
			}
		})
	}
	wait.Wait()
}

func FuzzSearch(f *testing.F) {
	for _, seed := range []string{
		"", "select:", "select:,,A,", "+", "++", "server:", "+server:x", "créer un ticket", "搜索", "a搜b索c", "don't", "'s", "İstanbul",
		"HTTPServer2go", "__", "mcp____x", "\xff\xfe", strings.Repeat("word ", 300), strings.Repeat("x", 5000), "กรุงเทพ", "👩‍👩‍👧",
	} {
		f.Add(seed, seed)
	}
	x := workshop()
	f.Fuzz(func(t *testing.T, text, query string) {
		x.Replace("fuzz", []search.Document{{Name: text, Title: query, Description: text, Schema: json.RawMessage(query), Hints: []string{text}}})
		got := x.Search(search.Parse(query), 3, nil)
		if len(search.Parse(query).Select) == 0 && len(got.Hits) > 3 {
			t.Errorf("%d hits, want 3 at most", len(got.Hits))
		}
		if again := x.Search(search.Parse(query), 3, nil); fmt.Sprint(again) != fmt.Sprint(got) {
			t.Errorf("two answers to one query: %v, %v", got, again)
		}
		x.Remove("fuzz")
		if x.Len() != 8 {
			t.Errorf("%d tools are left, want 8", x.Len())
		}
	})
}
