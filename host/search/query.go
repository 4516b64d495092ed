package search

import "strings"

// Query is what a reader asks for.
type Query struct {
	// Select names tools; when it is not empty, nothing else counts.
	Select []string
	// Text is what the tools should do, in words.
	Text string
	// Required are words that each tool must have somewhere.
	Required []string
	// Server narrows to the tools of one server or provider; without Text and
	// Required these are all of them.
	Server string
}

// Parse reads the forms of a query:
//
//	select:Read,mcp__github__create_issue   these tools, in this order
//	send a message                          tools that do this, the best first
//	+slack message                          only those that have the word
//	server:github issues                    only those of one server
//
// Forms but select combine. What is no form is text, so nothing is an error.
func Parse(text string) Query {
	text = strings.TrimSpace(text)
	if names, ok := cutPrefixFold(text, "select:"); ok {
		var q Query
		for name := range strings.SplitSeq(names, ",") {
			if name = strings.TrimSpace(name); name != "" {
				q.Select = append(q.Select, name)
			}
		}
		return q
	}
	var q Query
	var words []string
	for word := range strings.FieldsSeq(text) {
		if server, ok := cutPrefixFold(word, "server:"); ok && server != "" {
			q.Server = server
			continue
		}
		if required, ok := strings.CutPrefix(word, "+"); ok && required != "" {
			q.Required = append(q.Required, required)
			word = required
		}
		words = append(words, word)
	}
	q.Text = strings.Join(words, " ")
	return q
}

func cutPrefixFold(s, prefix string) (rest string, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
