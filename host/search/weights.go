package search

import "math"

// weighing says how a field counts.
type weighing struct {
	// weight is what one occurrence counts in a field of usual length.
	weight float64
	// b is how much longer fields count less: 0 not at all, 1 in proportion.
	b float64
	// usual is the length in words that is neither short nor long. It is fixed,
	// so that the score of a tool does not depend on the tools of others.
	usual float64
}

// weighings were chosen on the dev halves of the public sets that
// docs/toolsearch.md names, which also says how far that goes. The scores are flat
// around them: half or twice of any one changes their mean by less than a point.
var weighings = [fieldCount]weighing{
	fieldName:         {2.5, .75, 4},
	fieldTitle:        {1, .75, 3},
	fieldDescription:  {1, .7, 15},
	fieldProperty:     {1.4, .75, 4},
	fieldPropertyText: {.5, .75, 20},
	fieldServer:       {.5, .75, 2},
	fieldServerText:   {.5, .75, 24},
	fieldHint:         {1.5, .5, 4},
	fieldExample:      {.5, .5, 12},
}

const (
	// saturation is BM25's k1: the frequency at which a word counts half of
	// what it can.
	saturation = 1
	// weakShare is what a word counts that people ask with whatever they want.
	weakShare = .7
	// synonymShare is what a synonym counts of the word itself.
	synonymShare = .15
	// nearShare is what a word counts that had to be corrected.
	nearShare = .6
	// evening is how far a tool with few fields is made up for what it cannot be
	// found by: 0 not at all, 1 in proportion.
	evening = .85
	// nameBonus is added, as a share of its score, to a tool whose whole name
	// the query has.
	nameBonus = .2
	// clauseShare is how much a tool's best clause counts beside the whole.
	clauseShare = .35
	// groupShare is how far a tool is brought to the best one of its server.
	groupShare = .4
	// pairShare is what two words that stand next to each other add.
	pairShare = .4
	// repeatShare is what such a pair adds again of what it added before.
	repeatShare = .5

	// minLongQuery is the number of words that say something from which a query
	// may be a request for several things.
	minLongQuery = 10
	// maxCorrected is the number of words up to which misspelt ones are
	// corrected. A long text has enough others, and many names.
	maxCorrected = 12
	// maxLiftedGroup is the number of tools from which a server is about too
	// much to tell something of each.
	maxLiftedGroup = 200
	// reranked is how many of the best tools are looked at for pairs of words.
	reranked = 128
	// maxSequence bounds the words of a tool that are kept in order for that.
	maxSequence = 64
)

// describing are the fields that a well described tool has.
var describing = []field{fieldName, fieldDescription, fieldProperty, fieldPropertyText}

// evened is what the words of a tool count more when it lacks some of the
// describing fields, given the length of each.
func evened(lengths *[fieldCount]int) float32 {
	var usual, has float64
	for _, f := range describing {
		usual += weighings[f].weight
		if lengths[f] > 0 {
			has += weighings[f].weight
		}
	}
	if has == 0 {
		return 1
	}
	return float32(math.Pow(usual/has, evening))
}

// impact is the weighted frequency of a word that occurs count times in a field
// of length words.
func (f field) impact(count, length int) float32 {
	w := &weighings[f]
	return float32(w.weight * float64(count) / (1 - w.b + w.b*float64(length)/w.usual))
}
