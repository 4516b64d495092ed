package pool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

const (
	// maxDescription bounds a description, and maxTitle a title, in bytes. What is
	// longer is cut.
	maxDescription = 16 << 10
	maxTitle       = 200
	// maxSchema bounds an input schema, in bytes: more is a data set.
	maxSchema = 256 << 10
	// maxHints bounds the hints and the examples of a tool, and maxHint each.
	maxHints = 64
	maxHint  = 400
)

// newCandidate finds out what is to be known of a tool. old is what the tool was
// before, or nil. What is not JSON is taken out of a faulty tool, so that it can
// still be listed.
func newCandidate(s Source, offered *Tool, load Load, setting string, old *candidate) *candidate {
	c := &candidate{offered: *offered, tool: *offered, load: load, setting: setting}
	tool := &c.tool
	tool.Origin = Origin{Kind: s.Kind, Provider: s.Provider, Server: tool.Origin.Server}
	tool.Name = PublicName(tool.Origin, tool.ProviderName)
	tool.Title = cutText(plaintext.Line(tool.Title), maxTitle)
	tool.Description = cutText(plaintext.Block(tool.Description), maxDescription)
	tool.SearchHints, tool.ExampleQueries = bounded(tool.SearchHints), bounded(tool.ExampleQueries)
	switch {
	case load != "":
		tool.Load = load
	case tool.Load == "":
		tool.Load = LoadAlways
	}
	c.loadReason = loadReason(tool.Load, setting)
	if old != nil && bytes.Equal(old.offered.InputSchema, tool.InputSchema) {
		c.schemaFault, tool.SchemaVersion = old.schemaFault, old.tool.SchemaVersion
	} else {
		c.schemaFault, tool.SchemaVersion = schemaFault(tool.InputSchema), schemaVersion(tool.InputSchema)
	}
	c.check()
	return c
}

func loadReason(load Load, setting string) string {
	switch {
	case load == LoadDeferred && setting == "":
		return "deferred: it is found by search and can be called once it is loaded"
	case load == LoadDeferred:
		return "deferred by " + setting + ": it is found by search and can be called once it is loaded"
	case setting == "":
		return "offered from the start"
	}
	return "offered from the start, by " + setting
}

// check sets the fault, and what depends on there being JSON in the schemas.
func (c *candidate) check() {
	tool := &c.tool
	var faults []error
	if tool.ProviderName == "" {
		faults = append(faults, errors.New("it has no name"))
	}
	if c.schemaFault != "" {
		faults = append(faults, errors.New("its input schema "+c.schemaFault))
		if !json.Valid(tool.InputSchema) {
			tool.InputSchema = nil
		}
	}
	if len(tool.OutputSchema) > 0 && !json.Valid(tool.OutputSchema) {
		faults = append(faults, errors.New("its output schema is not JSON"))
		tool.OutputSchema = nil
	}
	var err error
	if c.digest, err = digestOf(*tool); err != nil {
		faults = append(faults, err)
	}
	c.tokens = tokensOf(*tool)
	if len(faults) > 0 {
		c.fault = fmt.Sprintf("cannot be offered, which only its author can mend: %v", errors.Join(faults...))
	}
}

// cutText bounds a text that a provider wrote, and says so in it.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	note := fmt.Sprintf(" [cut by toolcrib: all of it is %d bytes]", len(text))
	end := limit - len(note)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + note
}

// bounded keeps the hints that are short enough to be some.
func bounded(hints []string) []string {
	var kept []string
	for _, hint := range hints {
		if len(hint) <= maxHint && len(kept) < maxHints {
			kept = append(kept, strings.ToValidUTF8(hint, "\uFFFD"))
		}
	}
	return kept
}

// schemaFault accepts what models do: the schema of an object.
func schemaFault(raw json.RawMessage) string {
	if len(raw) == 0 {
		return "is missing"
	}
	if len(raw) > maxSchema {
		return fmt.Sprintf("has %d bytes, and a model is shown at most %d", len(raw), maxSchema)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return fmt.Sprintf("is not JSON: %v", err)
	}
	object, ok := document.(map[string]any)
	if !ok || object["type"] != "object" {
		return `does not have "type": "object"`
	}
	if isPlainSchema(document) {
		return ""
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.UseRegexpEngine(anyPattern)
	const location = "toolcrib:input"
	if err := compiler.AddResource(location, document); err != nil {
		return fmt.Sprintf("is not valid: %v", err)
	}
	if _, err := compiler.Compile(location); err != nil {
		return fmt.Sprintf("is not valid: %v", err)
	}
	return ""
}

// noLoader keeps a schema from reading files or the network by its $ref.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("refers to %q, which is outside of it", url)
}

// anyPattern accepts the patterns of ECMAScript that Go's regexp has not. What
// they match is not asked here.
func anyPattern(pattern string) (jsonschema.Regexp, error) { return unmatched(pattern), nil }

type unmatched string

func (u unmatched) String() string        { return string(u) }
func (unmatched) MatchString(string) bool { return true }
