package host

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/search"
)

// own is what runs the tools of the host itself, for this view.
func (v *View) own(origin pool.Origin) pipeline.Runner {
	if origin == (pool.Origin{Kind: pool.OriginBuiltin, Provider: ownProvider}) {
		return finder{v}
	}
	return nil
}

// finder answers the searches of one view.
type finder struct{ view *View }

// Call answers one search.
func (f finder) Call(_ context.Context, request plugin.CallRequest) (*plugin.Result, error) {
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
	answer := f.view.find(search.Parse(input.Query), min(input.MaxResults, maxFound))
	structured, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("write the answer: %w", err)
	}
	return &plugin.Result{Content: []plugin.Content{{Text: answer.text()}}, Structured: structured}, nil
}

// find searches the tools that the view's pool has at this moment, and loads what
// it found of those that are deferred.
func (v *View) find(q search.Query, limit int) *found {
	shared := v.host.search
	shared.update()
	now := v.Pool()
	result := shared.index.Search(q, limit, func(provider, name string) bool {
		from, state, loaded := now.Find(name)
		switch {
		case from != provider:
			return false
		case state == pool.Visible && !loaded:
			return len(q.Select) > 0 // what is in the list need not be found, only selected
		}
		return state == pool.Visible || state == pool.Deferred
	})
	answer := &found{Tools: []foundTool{}, Absent: v.absent(), Gone: v.takeGone()}
	var names []string
	for _, hit := range result.Hits {
		entry, _ := now.Lookup(hit.Name)
		answer.Tools = append(answer.Tools, foundTool{entry.Tool.Name, entry.Tool.Description, entry.Tool.InputSchema})
		if entry.State == pool.Deferred || entry.Loaded {
			names = append(names, entry.Tool.Name)
		}
	}
	for _, name := range result.Missing {
		answer.Missing = append(answer.Missing, missingTool{name, now.Near(name)})
	}
	late := func(s absentServer) bool { return strings.EqualFold(s.Name, q.Server) }
	if len(result.Hits) == 0 && q.Server != "" && !slices.ContainsFunc(answer.Absent, late) {
		answer.NoServer = noServer(now, q.Server)
	}
	v.load(names)
	v.remember(names, q)
	return answer
}

// noServer tells of a server that no tool comes from, with those that are near in
// name, or all where none is; nil when there is such a server.
func noServer(now *pool.Pool, name string) *missingTool {
	missing := &missingTool{Name: name}
	var all []string
	for _, entry := range now.Entries() {
		from := cmp.Or(entry.Tool.Origin.Server, entry.Tool.Origin.Provider)
		switch {
		case entry.State != pool.Visible && entry.State != pool.Deferred || from == ownProvider:
			continue
		case strings.EqualFold(from, name), strings.EqualFold(entry.Tool.Origin.Provider, name):
			return nil
		}
		all = append(all, from)
		if strings.Contains(from, name) || strings.Contains(name, from) {
			missing.Near = append(missing.Near, from)
		}
	}
	if len(missing.Near) == 0 {
		missing.Near = all
	}
	slices.Sort(missing.Near)
	missing.Near = slices.Compact(missing.Near)
	missing.Near = missing.Near[:min(len(missing.Near), maxServers)]
	return missing
}

// maxServers is how many servers an answer names at most.
const maxServers = 20

// load lets tools join the end of the list. It returns when a pool that has them
// is published.
func (v *View) load(names []string) {
	more, err := v.loaded.add(names)
	if err != nil {
		v.host.logger.Warn("loaded tools not kept", "error", err)
	}
	if more {
		v.host.assembler.refresh()
	}
}
