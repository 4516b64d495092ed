package tui

import (
	"slices"
)

// queue is the list of cards that wait, and which of them the person reads. A
// card that comes later never takes the place of that one.
type queue struct {
	cards []content
	shown string // id of the card that is read
}

// update takes the cards that wait now. It tells whether another card is shown
// than before.
func (q *queue) update(cards []content) bool {
	at := q.index()
	q.cards = cards
	if q.index() >= 0 {
		return false
	}
	before := q.shown
	q.shown = ""
	if len(cards) > 0 {
		// The one that went had this place; its successor takes it.
		q.shown = cards[min(max(at, 0), len(cards)-1)].id
	}
	return q.shown != before
}

// index is the place of the shown card from 0, -1 when there is none.
func (q *queue) index() int {
	return slices.IndexFunc(q.cards, func(c content) bool { return c.id == q.shown })
}

// current returns the shown card.
func (q *queue) current() (content, bool) {
	if at := q.index(); at >= 0 {
		return q.cards[at], true
	}
	return content{}, false
}

// page shows another card, the first after the last. It tells whether it did.
func (q *queue) page(delta int) bool {
	n := len(q.cards)
	if n < 2 {
		return false
	}
	q.shown = q.cards[((q.index()+delta)%n+n)%n].id
	return true
}
