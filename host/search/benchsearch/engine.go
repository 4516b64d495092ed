package main

import (
	"slices"

	"github.com/toolcrib/toolcrib/host/search"
)

// corpus is what a search looks in: the tools of one or more sets, each under
// the name of its set, so that tools of one name in two sets stay two tools.
type corpus []set

// engine is one of the searches that are compared: it returns the names of the
// best tools, those of other sets than the asked one made unlike any of it.
type engine func(asked, query string) []string

// ours is the search of this repository.
func (c corpus) ours() (engine, *search.Index) {
	index := search.New()
	for _, s := range c {
		documents := make([]search.Document, len(s.tools))
		for i, t := range s.tools {
			documents[i] = search.Document{
				Name: t.Name, Title: t.Title, Description: t.Description, Schema: t.Schema,
				Server: t.Server, ServerDescription: t.ServerDescription,
			}
		}
		index.Replace(s.name, documents)
	}
	return func(asked, query string) []string {
		hits := index.Search(search.Query{Text: query}, depth, nil).Hits
		names := make([]string, len(hits))
		for i, hit := range hits {
			names[i] = qualified(asked, hit.Provider, hit.Name)
		}
		return names
	}, index
}

// baseline is one of the textbook's searches.
func (c corpus) baseline(build func([]tool) *baseline) engine {
	var tools []tool
	var owners []string
	for _, s := range c {
		tools = append(tools, s.tools...)
		owners = append(owners, slices.Repeat([]string{s.name}, len(s.tools))...)
	}
	b := build(tools)
	return func(asked, query string) []string {
		found := b.search(query, depth)
		names := make([]string, len(found))
		for i, at := range found {
			names[i] = qualified(asked, owners[at], tools[at].Name)
		}
		return names
	}
}

func qualified(asked, owner, name string) string {
	if asked == owner {
		return name
	}
	return owner + "/" + name
}
