package search

import "strings"

// clauseEnds are what a request for several things is divided at.
var clauseEnds = strings.NewReplacer(
	". ", "\n", "? ", "\n", "! ", "\n", "; ", "\n", ", ", "\n", ": ", "\n",
	" and ", "\n", " then ", "\n", " also ", "\n", " as well as ", "\n",
)

// clauses divides the text of a query where one wish may end and the next begin.
func clauses(text string) []string {
	return strings.Split(clauseEnds.Replace(text), "\n")
}
