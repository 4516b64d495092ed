package host

import (
	"context"
	"encoding/json"
	"fmt"

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
	v.load(names)
	v.remember(names, q)
	return answer
}

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
