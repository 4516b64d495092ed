package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kljensen/snowball/english"
)

// baseline is a BM25F of the textbook, to compare with. It shares no code with
// the search it is compared to.
type baseline struct {
	fields    []baselineField
	k1        float64
	analyze   func(string) []string
	nameBonus float64

	names    []string
	postings map[string]map[int][]int // term, tool, count in each field
	lengths  [][]float64              // field, tool
	average  []float64
}

// baselineField is what a tool is searched by.
type baselineField struct {
	weight, b float64
	text      func(tool) string
}

// plain is BM25 over name and description.
func plain(tools []tool) *baseline {
	return (&baseline{
		k1: 1.2, analyze: identifierWords,
		fields: []baselineField{{1, 0.75, func(t tool) string { return t.Name + " " + t.Description }}},
	}).build(tools)
}

// fields adds stemming, stop words, fields, and a bonus for covered names.
func fields(tools []tool) *baseline {
	return (&baseline{
		k1: 1.2, analyze: stems, nameBonus: 0.3,
		fields: []baselineField{
			{2, 0.75, func(t tool) string { return t.Name }},
			{1, 0.75, func(t tool) string { return t.Description }},
			{.5, 0.75, func(t tool) string { return properties(t.Schema, false) }},
			{.25, 0.75, func(t tool) string { return properties(t.Schema, true) }},
			{.5, 0.75, func(t tool) string { return t.Server }},
			{.3, 0.75, func(t tool) string { return t.ServerDescription }},
		},
	}).build(tools)
}

func (b *baseline) build(tools []tool) *baseline {
	b.postings = make(map[string]map[int][]int)
	b.lengths = make([][]float64, len(b.fields))
	b.average = make([]float64, len(b.fields))
	for i, t := range tools {
		b.names = append(b.names, t.Name)
		for f, field := range b.fields {
			words := b.analyze(field.text(t))
			b.lengths[f] = append(b.lengths[f], float64(len(words)))
			b.average[f] += float64(len(words)) / float64(len(tools))
			for _, word := range words {
				if b.postings[word] == nil {
					b.postings[word] = make(map[int][]int)
				}
				if b.postings[word][i] == nil {
					b.postings[word][i] = make([]int, len(b.fields))
				}
				b.postings[word][i][f]++
			}
		}
	}
	return b
}

// search returns the positions of the best tools.
func (b *baseline) search(query string, limit int) []int {
	words := b.analyze(query)
	slices.Sort(words)
	words = slices.Compact(words)
	scores := make(map[int]float64)
	covered := make(map[int]float64)
	for _, word := range words {
		docs := b.postings[word]
		n, df := float64(len(b.names)), float64(len(docs))
		idf := math.Log(1 + (n-df+.5)/(df+.5))
		for doc, counts := range docs {
			var tf float64
			for f, count := range counts {
				if count > 0 {
					norm := 1 - b.fields[f].b + b.fields[f].b*b.lengths[f][doc]/b.average[f]
					tf += b.fields[f].weight * float64(count) / norm
				}
			}
			scores[doc] += idf * tf * (b.k1 + 1) / (tf + b.k1)
			if counts[0] > 0 {
				covered[doc] += float64(counts[0]) / b.lengths[0][doc]
			}
		}
	}
	for doc := range scores {
		scores[doc] *= 1 + b.nameBonus*covered[doc]
	}
	ranked := slices.SortedFunc(maps.Keys(scores), func(x, y int) int {
		return cmp.Or(cmp.Compare(scores[y], scores[x]), cmp.Compare(b.names[x], b.names[y]), cmp.Compare(x, y))
	})
	return ranked[:min(len(ranked), limit)]
}

// identifierWords splits text at what is no letter or digit, and at camelCase.
func identifierWords(text string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

func stems(text string) []string {
	var kept []string
	for _, word := range identifierWords(text) {
		if !english.IsStopWord(word) {
			kept = append(kept, english.Stem(word, true))
		}
	}
	return kept
}

// properties is the text of a schema's properties at every depth: their names,
// or their descriptions.
func properties(schema json.RawMessage, descriptions bool) string {
	var node any
	if json.Unmarshal(schema, &node) != nil {
		return ""
	}
	var text []string
	var walk func(any)
	walk = func(node any) {
		object, _ := node.(map[string]any)
		children, _ := object["properties"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(children)) {
			child, _ := children[name].(map[string]any)
			if said, ok := child["description"].(string); ok && descriptions {
				text = append(text, said)
			} else if !descriptions {
				text = append(text, name)
			}
			walk(child)
		}
		if items, ok := object["items"]; ok {
			walk(items)
		}
	}
	walk(node)
	return strings.Join(text, " ")
}
