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
	// Hidden tools cannot be offered as their provider describes them.
	Hidden State = "hidden"
	// Shadowed tools have a name that another tool keeps.
	Shadowed State = "shadowed"
)

// Entry is a tool and what was decided about it.
type Entry struct {
	Tool  Tool
	State State
	// Reason says in a sentence why it has this state.
	Reason string

	digest digest
}

// flatEntry is an entry in JSON: the fields of the tool, its state and reason.
type flatEntry struct {
	Tool
	State  State  `json:"state"`
	Reason string `json:"reason"`
}

// MarshalJSON writes state and reason beside the fields of the tool.
func (e Entry) MarshalJSON() ([]byte, error) {
	return json.Marshal(flatEntry{e.Tool, e.State, e.Reason})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var flat flatEntry
	if err := json.Unmarshal(data, &flat); err != nil {
		return err
	}
	*e = Entry{Tool: flat.Tool, State: flat.State, Reason: flat.Reason}
	return nil
}

// Pool is a snapshot of all tools. It does not change and may be shared; what
// its methods return must not be changed either.
type Pool struct {
	// Revision numbers the pools of a host. Whoever assembled the pool sets
	// it before sharing it.
	Revision uint64

	// entries has the visible ones first, in the model's order.
	entries []Entry
	visible int
	byName  map[string]int
}

// Lookup returns the tool that has the name, in whatever state it is.
func (p *Pool) Lookup(name string) (Entry, bool) {
	i, ok := p.byName[name]
	if !ok {
		return Entry{}, false
	}
	return p.entries[i], true
}

// Entries returns every tool: the visible ones in the order of [Pool.Visible],
// then the others by origin and name.
func (p *Pool) Entries() []Entry { return slices.Clone(p.entries) }

// Visible returns the tools of the model's list, in its order: bundled tools by
// name; the others by origin and name; then deferred ones as they were loaded.
func (p *Pool) Visible() []Entry { return slices.Clone(p.entries[:p.visible]) }

// Same reports whether two pools have the same tools in the same states.
func (p *Pool) Same(other *Pool) bool {
	return slices.EqualFunc(p.entries, other.entries, func(a, b Entry) bool {
		return a.digest == b.digest && a.State == b.State && a.Reason == b.Reason
	})
}

// MarshalJSON writes what `toolcrib tools --json` prints:
//
//	{"revision":3,"digest":"9f2c...","tools":[{"name":"Read","state":"visible","reason":"...",...}]}
func (p *Pool) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Revision uint64  `json:"revision"`
		Digest   string  `json:"digest"`
		Tools    []Entry `json:"tools"`
	}{p.Revision, p.Digest(), p.entries})
}
