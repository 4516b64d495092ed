package search

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/toolcrib/toolcrib/host/pool"
)

// Document is what a tool is found by.
type Document struct {
	// Name is the tool's public name, unique in its provider.
	Name        string
	Title       string
	Description string
	// Schema is the JSON Schema of the input. Names and descriptions of its
	// properties and enum values are indexed.
	Schema   json.RawMessage
	Hints    []string
	Examples []string
	// Server is the upstream that the tool comes from; empty is the provider.
	Server            string
	ServerDescription string
}

// FromTool makes the document of a tool of a pool.
func FromTool(t pool.Tool) Document {
	return Document{
		Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.InputSchema,
		Hints: t.SearchHints, Examples: t.ExampleQueries, Server: t.Origin.Server,
	}
}

// digest tells whether a document has changed.
type digest [sha256.Size]byte

func (d Document) digest() digest {
	data, err := json.Marshal([]any{
		d.Name, d.Title, d.Description, string(d.Schema), d.Hints, d.Examples, d.Server, d.ServerDescription,
	})
	if err != nil {
		panic(err) // strings always marshal
	}
	return sha256.Sum256(data)
}

// field is a part of a document with its own weight and length norm.
type field uint8

const (
	fieldName field = iota
	fieldTitle
	fieldDescription
	fieldProperty     // names of the schema's properties, and enum values
	fieldPropertyText // descriptions of the properties
	fieldServer
	fieldServerText
	fieldHint
	fieldExample // example queries, and those learned from use
	fieldCount
)

// text calls add with each piece of text of the document.
func (d Document) text(add func(field, string)) {
	add(fieldName, d.Name)
	add(fieldTitle, d.Title)
	add(fieldDescription, d.Description)
	add(fieldServer, d.Server)
	add(fieldServerText, d.ServerDescription)
	for _, hint := range d.Hints {
		add(fieldHint, hint)
	}
	for _, example := range d.Examples {
		add(fieldExample, example)
	}
	properties(d.Schema, func(name, description string, values []string) {
		add(fieldProperty, name)
		add(fieldPropertyText, description)
		for _, value := range values {
			add(fieldProperty, value)
		}
	})
}
