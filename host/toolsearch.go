package host

import (
	"encoding/json"
	"path/filepath"
	"sync"

	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/search"
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

// toolSearch is what the searches of all views share: the index of the tools, and
// what was learned of their use. Which of them a view may find is the view's.
type toolSearch struct {
	host  *Host
	index *search.Index
	uses  *uses

	updating sync.Mutex // held while the index is brought up to date
	// stale has a token when the index should be brought up to date before
	// somebody searches.
	stale chan struct{}

	mu sync.Mutex
	// changed are tool sets that the index does not have yet: it takes them over
	// at the next update, however often they change before.
	changed map[string]pool.Source
	set     config.Pool // what the configuration says
	// recalled are the tools of which earlier sessions had learned something.
	recalled map[string]bool
}

func newToolSearch(h *Host) *toolSearch {
	s := &toolSearch{
		host: h, index: search.New(), changed: make(map[string]pool.Source), recalled: make(map[string]bool), stale: make(chan struct{}, 1),
		set: config.Pool{NoLearning: true}, // until a configuration says otherwise
	}
	var err error
	if s.uses, err = newUses(filepath.Join(h.stateDir, "uses.json")); err != nil {
		h.logger.Warn("uses not read", "error", err)
	}
	return s
}

// configure takes over what the configuration says of pool and search. The pool
// shows it at the next assembly.
func (s *toolSearch) configure(p config.Pool) {
	s.mu.Lock()
	before := s.set
	s.set = p
	s.mu.Unlock()
	switch {
	case before.NoLearning && !p.NoLearning:
		s.recall()
	case !before.NoLearning && p.NoLearning:
		s.index.Forget()
	}
}

func (s *toolSearch) settings() config.Pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set
}

// close keeps what the session has shown of the use of tools.
func (s *toolSearch) close() {
	if s.settings().NoLearning {
		return
	}
	if err := s.uses.keep(); err != nil {
		s.host.logger.Warn("uses not kept", "error", err)
	}
}

// replace notes which tools a provider has now.
func (s *toolSearch) replace(provider string, source pool.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changed[provider] = source
}

// wanted tells that somebody may search, so that the first search need not wait
// for an index of all tools.
func (s *toolSearch) wanted() {
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// follow keeps the index up to date until the host closes.
func (s *toolSearch) follow() {
	for {
		select {
		case <-s.stale:
			s.update()
		case <-s.host.closing.Done():
			return
		}
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
		if s.host.closing.Err() != nil {
			return // nobody searches any more
		}
		offered := source.Offered()
		documents := make([]search.Document, len(offered))
		for i, tool := range offered {
			documents[i] = search.FromTool(tool)
		}
		s.index.Replace(provider, documents)
	}
}
