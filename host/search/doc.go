// Package search finds tools by what they do. An [Index] holds the tools of all
// providers; [Index.Replace] changes those of one, and [Index.Search] answers a
// query in well under a millisecond.
//
// # What is searched
//
// A tool is found by its name, title, description, the names, descriptions and
// enum values of its input schema, its search hints and example queries, its
// server, and by queries that led to a call of it ([Index.Learn]). Text is cut
// into words ([split]) where identifiers change their case or have a digit; stop
// words are dropped, English words stemmed, and text of scripts without spaces
// cut into pairs of characters.
//
// # How it is ranked
//
// First come tools that the query names exactly. The others are scored by BM25F:
// each field has a weight and a length norm of its own, and the frequencies of a
// word are added over fields and synonyms before they are saturated. Four things
// are added to it, since tools are not documents:
//
//   - Words that people ask with ("find", "information") count less than their
//     rareness in a small index would make them.
//   - A long request is cut into clauses, and a tool that fits one of them well
//     beats one that fits all of them a little.
//   - A tool gets a share of the best score at its server, because one wish often
//     needs several tools of one server.
//   - Of the best candidates, those rise that have words of the query next to
//     each other.
//
// docs/toolsearch.md has the figures. The order depends only on what is indexed,
// not on how it came to be.
package search
