package host

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/search"
	"github.com/toolcrib/toolcrib/host/session"
)

const (
	toolSearchName = "ToolSearch"
	// ownProvider is the origin of tools that the host serves itself.
	ownProvider = "toolcrib"

	defaultFound = 5
	maxFound     = 20
)

// toolSearchSource offers ToolSearch. A pool shows it when something is deferred.
var toolSearchSource = sync.OnceValue(pool.Source{
	Provider: ownProvider, Kind: pool.OriginBuiltin,
	Tools: []pool.Tool{{
		ProviderName: toolSearchName,
		Title:        "Search for tools",
		Description: `Find tools that are not in your list and load them. Many tools are only listed once they were searched for, so search before you conclude that there is none for a task.
The answer has the full schema of each tool that was found; from then on it can be called by its name.
Queries: words for what the tool should do ("send a chat message"); +word for a word that it must have; server:NAME for the tools of one server; select:A,B for tools by name.`,
		InputSchema: json.RawMessage(`{"type":"object","properties":{` +
			`"query":{"type":"string","minLength":1,"description":"what the tool should do, or one of the forms select:A,B, +word, server:NAME"},` +
			`"max_results":{"type":"integer","minimum":1,"maximum":20,"description":"how many tools to find at most; 5 if not given"}},` +
			`"required":["query"],"additionalProperties":false}`),
		Annotations:    pool.Annotations{ReadOnly: new(true), Destructive: new(false), OpenWorld: new(false)},
		MaxResultBytes: 256 << 10, // schemas are of no use when they are cut
	}},
}.Prepare)

// toolSearch finds deferred tools and remembers which ones were loaded.
type toolSearch struct {
	host  *Host
	index *search.Index

	updating sync.Mutex // held while the index is brought up to date

	mu sync.Mutex
	// changed are tool sets that the index does not have yet: it takes them over
	// when somebody searches, however often they change before.
	changed map[string]pool.Source
	loaded  []string          // names of deferred tools, in order
	led     map[string]string // tools that were found and not called yet, and by which query
}

func newToolSearch(h *Host) *toolSearch {
	s := &toolSearch{host: h, index: search.New(), changed: make(map[string]pool.Source), led: make(map[string]string)}
	s.recall()
	return s
}

// own is what runs the tools of the host itself.
func (s *toolSearch) own(origin pool.Origin) pipeline.Runner {
	if origin == (pool.Origin{Kind: pool.OriginBuiltin, Provider: ownProvider}) {
		return s
	}
	return nil
}

// replace notes which tools a provider has now.
func (s *toolSearch) replace(provider string, source pool.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed[provider] = source
}

// loadedTools are the names of the tools that were loaded, in that order.
func (s *toolSearch) loadedTools() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.loaded)
}

// load lets tools join the list. It returns when a pool that has them is
// published.
func (s *toolSearch) load(names []string) {
	s.mu.Lock()
	before := len(s.loaded)
	for _, name := range names {
		if !slices.Contains(s.loaded, name) {
			s.loaded = append(s.loaded, name)
		}
	}
	more := len(s.loaded) > before
	s.mu.Unlock()
	if more {
		s.host.assembler.refresh()
	}
}

// vanished tells of loaded tools that are gone. They are loaded again if they
// come back.
func (s *toolSearch) vanished(removed []string, now *pool.Pool) {
	loaded := s.loadedTools()
	for _, name := range removed {
		if !slices.Contains(loaded, name) {
			continue
		}
		text := fmt.Sprintf("the loaded tool %s is not there any more", name)
		if near := now.Near(name); len(near) > 0 {
			text += "; near it are " + strings.Join(near, ", ")
		}
		s.host.events.Append("", session.Notice{Level: session.Warning, Text: text})
	}
}

// update brings the index to what the providers have.
func (s *toolSearch) update() {
	s.updating.Lock()
	defer s.updating.Unlock()
	s.mu.Lock()
	changed := s.changed
	s.changed = make(map[string]pool.Source)
	s.mu.Unlock()
	for provider, source := range changed {
		offered := source.Offered()
		documents := make([]search.Document, len(offered))
		for i, tool := range offered {
			documents[i] = search.FromTool(tool)
		}
		s.index.Replace(provider, documents)
	}
}

// Call answers one search.
func (s *toolSearch) Call(_ context.Context, request plugin.CallRequest) (*plugin.Result, error) {
	var input struct {
		Query      string `json:"query"`
		MaxResults int    `json:"max_results"`
	}
	if err := json.Unmarshal(request.Input, &input); err != nil {
		return nil, fmt.Errorf("read the query: %w", err)
	}
	if input.MaxResults == 0 {
		input.MaxResults = defaultFound
	}
	answer := s.find(search.Parse(input.Query), min(input.MaxResults, maxFound))
	structured, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return &plugin.Result{Content: []plugin.Content{{Text: answer.text()}}, Structured: structured}, nil
}

// find searches the tools that the pool at this moment allows, and loads what it
// found of those that are deferred.
func (s *toolSearch) find(q search.Query, limit int) *found {
	s.update()
	now := s.host.Pool()
	entry := func(provider, name string) (pool.Entry, bool) {
		e, ok := now.Lookup(name)
		return e, ok && e.Tool.Origin.Provider == provider && (e.State == pool.Visible || e.State == pool.Deferred)
	}
	result := s.index.Search(q, limit, func(provider, name string) bool {
		e, ok := entry(provider, name)
		// What is in the list from the start need not be found, only selected.
		return ok && (e.Tool.Load == pool.LoadDeferred || len(q.Select) > 0)
	})
	answer := &found{Tools: []foundTool{}, Absent: s.absent()}
	var names []string
	for _, hit := range result.Hits {
		e, _ := entry(hit.Provider, hit.Name)
		answer.Tools = append(answer.Tools, foundTool{e.Tool.Name, e.Tool.Description, e.Tool.InputSchema})
		if e.Tool.Load == pool.LoadDeferred {
			names = append(names, e.Tool.Name)
		}
	}
	for _, name := range result.Missing {
		answer.Missing = append(answer.Missing, missingTool{name, now.Near(name)})
	}
	s.load(names)
	s.remember(names, q)
	return answer
}
