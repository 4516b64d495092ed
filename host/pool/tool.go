// Package pool decides which tools exist and who may see them. [Assemble] turns
// what the providers offer and one view into an immutable [Pool]; it is the only
// way a pool comes to be.
package pool

import (
	"encoding/json"
	"time"
)

// OriginKind says what sort of place a tool comes from. Their order is the
// order in which a name is given out: of two tools with one name, the earlier
// kind keeps it.
type OriginKind string

const (
	OriginBuiltin          OriginKind = "builtin"
	OriginActivatedBuiltin OriginKind = "plugin_activated_builtin"
	OriginPlugin           OriginKind = "plugin"
	OriginMCP              OriginKind = "mcp"
	OriginRemote           OriginKind = "remote"
	OriginACP              OriginKind = "acp"
)

// Origin says where a tool comes from.
type Origin struct {
	Kind OriginKind `json:"kind"`
	// Provider is the name the workspace declares the provider under.
	Provider string `json:"provider"`
	// Server is the upstream behind the provider, where it has several.
	Server string `json:"server,omitempty"`
}

// Load says whether a tool is in the model's first list.
type Load string

const (
	LoadAlways   Load = "always"
	LoadDeferred Load = "deferred"
	// LoadOff takes a tool out. Only a configuration says it, never a provider.
	LoadOff Load = "off"
)

// Access is what happens to a path.
type Access string

const (
	AccessRead  Access = "read"
	AccessWrite Access = "write"
)

// SubjectKind is what a permission rule matches in an input.
type SubjectKind string

const (
	SubjectCommand SubjectKind = "command"
	SubjectPath    SubjectKind = "path"
	SubjectDomain  SubjectKind = "domain"
	SubjectAgent   SubjectKind = "agent"
)

// SubjectField names an input field that permission rules match.
type SubjectField struct {
	Field  string      `json:"field"`
	Kind   SubjectKind `json:"kind"`
	Access Access      `json:"access,omitempty"`
}

// Annotations are a provider's claims about its tool; nil means not said.
type Annotations struct {
	ReadOnly    *bool `json:"read_only,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"open_world,omitempty"`
}

// Tool is one callable, as its provider describes it. Tools are immutable once
// they are in a source.
type Tool struct {
	// Name is what models and rules call it: Read, jira__search.
	Name string `json:"name"`
	// ProviderName is what the provider calls it.
	ProviderName string          `json:"provider_name"`
	Origin       Origin          `json:"origin"`
	Title        string          `json:"title,omitempty"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"input_schema"`
	// SchemaVersion identifies the input schema: it is another one when that is.
	// Assemble gives it.
	SchemaVersion string          `json:"schema_version,omitempty"`
	OutputSchema  json.RawMessage `json:"output_schema,omitempty"`
	Annotations   Annotations     `json:"annotations"`
	Load          Load            `json:"load"`
	Subjects      []SubjectField  `json:"subjects,omitempty"`
	// Plans tells that the provider answers Plan for it.
	Plans bool `json:"plans,omitempty"`
	// MaxResultBytes bounds what a model sees of a result; 0 is the host's default.
	MaxResultBytes int `json:"max_result_bytes,omitempty"`
	// Timeout bounds one call; 0 is the host's default.
	Timeout        time.Duration `json:"timeout,omitempty"`
	SearchHints    []string      `json:"search_hints,omitempty"`
	ExampleQueries []string      `json:"example_queries,omitempty"`
	// ActivationScope is a glob of file names: the tool is of use where there
	// are such files. Empty is everywhere.
	ActivationScope string `json:"activation_scope,omitempty"`
}
