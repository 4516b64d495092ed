package pool

import (
	"encoding/json"
	"slices"
)

// State says what became of a tool in a pool.
type State string

const (
	// Visible tools are in the model's list.
	Visible State = "visible"
	// Deferred tools can be called once they are loaded.
	Deferred State = "deferred"
	// Denied tools are taken out by policy, whatever their input.
	Denied State = "denied"
	// Hidden tools are turned off, are not for this reader, or cannot be offered
	// as their provider describes them.
	Hidden State = "hidden"
	// Shadowed tools have a name that another tool keeps.
	Shadowed State = "shadowed"
)

// callable reports whether a reader can come to call the tool.
func (s State) callable() bool { return s == Visible || s == Deferred }

// Entry is a tool and what was decided about it.
type Entry struct {
	Tool  Tool
	State State
	// Reason says in a sentence why it has this state.
	Reason string
	// Setting is what decided in the configuration, as it stands there; empty
	// when no setting did.
	Setting string
	// Loaded tells that the tool is visible because the reader loaded it.
	Loaded bool
	// Tokens estimates what the tool costs in the model's list.
	Tokens int
}

// flatEntry is an entry in JSON: the fields of the tool, and what was decided.
type flatEntry struct {
	Tool
	State   State  `json:"state"`
	Reason  string `json:"reason"`
	Setting string `json:"setting,omitempty"`
	Loaded  bool   `json:"loaded,omitempty"`
	Tokens  int    `json:"tokens"`
}

// MarshalJSON writes what was decided beside the fields of the tool.
func (e Entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(flatEntry{e.Tool, e.State, e.Reason, e.Setting, e.Loaded, e.Tokens})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var flat flatEntry
	if err := json.Unmarshal(data, &flat); err != nil {
		return err
	}
	*e = Entry{flat.Tool, flat.State, flat.Reason, flat.Setting, flat.Loaded, flat.Tokens}
	return nil
}

// Pool is a snapshot of all tools. It does not change and may be shared; what
// its methods return must not be changed either.
type Pool struct {
	// Revision numbers the pools of a host. Whoever assembled the pool sets
	// it before sharing it.
	Revision uint64

	decisions []decision       // by origin and name
	byName    map[string]int32 // of those that have their name
	// order has the visible ones first, in the model's order.
	order   []int32
	visible int
}

// Lookup returns the tool that has the name, in whatever state it is.
func (p *Pool) Lookup(name string) (Entry, bool) {
	i, ok := p.byName[name]
	if !ok {
		return Entry{}, false
	}
	return p.entry(i), true
}

// Find is [Pool.Lookup] without the tool itself, for who asks about many: who
// offers it, its state, and whether it was loaded.
func (p *Pool) Find(name string) (provider string, state State, loaded bool) {
	i, ok := p.byName[name]
	if !ok {
		return "", "", false
	}
	d := &p.decisions[i]
	return d.tool.Origin.Provider, d.state, d.loaded
}

func (p *Pool) entry(i int32) Entry {
	d := &p.decisions[i]
	return Entry{Tool: d.tool, State: d.state, Reason: d.reason, Setting: d.by, Loaded: d.loaded, Tokens: d.tokens}
}

// Entries returns every tool: the visible ones in the order of [Pool.Visible],
// then the others by origin and name.
func (p *Pool) Entries() []Entry { return p.entriesOf(p.order) }

// Visible returns the tools of the model's list, in its order: bundled tools by
// name; the others by origin and name; then deferred ones as they were loaded.
func (p *Pool) Visible() []Entry { return p.entriesOf(p.order[:p.visible]) }

func (p *Pool) entriesOf(order []int32) []Entry {
	entries := make([]Entry, len(order))
	for i, at := range order {
		entries[i] = p.entry(at)
	}
	return entries
}

// VisibleTokens estimates what the model's list costs.
func (p *Pool) VisibleTokens() int {
	sum := 0
	for _, i := range p.order[:p.visible] {
		sum += p.decisions[i].tokens
	}
	return sum
}

// Same reports whether two pools have the same tools in the same states.
func (p *Pool) Same(other *Pool) bool {
	same := func(a, b decision) bool {
		return (a.candidate == b.candidate || a.digest == b.digest) && a.state == b.state && a.reason == b.reason
	}
	return slices.EqualFunc(p.decisions, other.decisions, same) && slices.Equal(p.order, other.order)
}

// MarshalJSON writes what `toolcrib tools --json` prints:
//
//	{"revision":3,"digest":"9f2c...","visible_tokens":812,"tools":[{"name":"Read","state":"visible","reason":"...",...}]}
func (p *Pool) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Revision      uint64  `json:"revision"`
		Digest        string  `json:"digest"`
		VisibleTokens int     `json:"visible_tokens"`
		Tools         []Entry `json:"tools"`
	}{p.Revision, p.Digest(), p.VisibleTokens(), p.Entries()})
}
