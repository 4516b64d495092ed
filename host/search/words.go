package search

import "strings"

// stopWords say nothing about what is wanted. They are neither indexed nor asked.
var stopWords = wordSet(`
a about above after again against all also am an and any are as at be because been before being below between both but
by can could d did do does doing don down during each either else etc ever every few for from further had has have having
he her here hers herself him himself his how however i if im in into is it its itself ive just let lets ll m may maybe me
might more most much must my myself neither no nor not now of off on once only onto or other others our ours ourselves out
over own per please pls quite rather re really s same shall she should since so some such t than thank thanks that thats
the their theirs them themselves then there these they this those though through thus to too under until up upon us ve
very via was we were what whatever when where whether which while who whom whose why will with within without would yes
yet you your yours yourself yourselves
dont doesnt didnt tell want wanted wants wonder wondering
cant couldnt wouldnt isnt arent wasnt shouldnt wont id ill youd youre theyre whats
`)

// weakWords are those that people ask with, whatever they ask for, and that
// descriptions use whatever the tool. They count, but less than their rareness
// in a small index would make them.
var weakWords = wordSet(`
able access actually additional additionally allow amount another anything appropriate around ask assist assistance available
back based basic best better bring certain check choose come common complete consider contain content correct currently
curious data day describe desired detail details determine different discover display easy eager enable ensure enough
example existing exactly explain explore fetch find finally first follow following free full gather gain general get getting give
given go going good great guide hand happen hear help helpful high idea ideas include including indicate individual
info inform information input insight insights instance interested interesting item items keep kind know knowledge
last latest learn like list lot long look looking lookup main make making many matter mean mention method name need needed new
next number obtain offer old one option options order output particular perform person planning please plan possible
potential prefer present prepare proper provide provided purpose query question quick quickly read ready receive recent recently
recommend recommendation recommendations reference regarding related relevant request require required respective result
results retrieve return right role run say search see seek select send set several share show similar simple
single solution something specific specified specify start stay step still suggest suggestion suggestions suitable support
sure system take task text thing things think time today together tool top total true try two type types understand
unique use used useful user using valid value various view way ways well wish within word
work world would
`)

func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}
