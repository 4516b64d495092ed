package session

import (
	"context"
	"sync"
	"time"
)

// Limits of a log's history. The oldest events go first; the newest is always
// kept, whatever its size.
const (
	// MaxEvents is how many events a log remembers.
	MaxEvents = 10_000
	// MaxBytes bounds the texts and payloads of the remembered events.
	MaxBytes = 8 << 20
)

// Log keeps the events of one session, in order. It may be used from several
// goroutines. Readers pull: each remembers the last sequence number it has seen
// and asks for what came after it, so a slow reader holds up nobody.
type Log struct {
	sessionID string
	now       func() time.Time
	maxEvents int
	maxBytes  int

	mu     sync.Mutex
	events []Event
	bytes  int
	last   uint64
	// grown is closed and dropped by the next Append; nil while nobody waits.
	grown chan struct{}
}

// NewLog returns an empty log. now gives the events their time; nil is the
// system clock.
func NewLog(sessionID string, now func() time.Time) *Log {
	if now == nil {
		now = time.Now
	}
	return &Log{sessionID: sessionID, now: now, maxEvents: MaxEvents, maxBytes: MaxBytes}
}

// Append adds an event and wakes the waiting readers; it never waits for one.
// The body and what it points to must not be changed afterwards.
func (l *Log) Append(runID string, body Body) Event {
	l.mu.Lock()
	defer l.mu.Unlock()

	l.last++
	event := Event{Seq: l.last, Time: l.now(), SessionID: l.sessionID, RunID: runID, Body: body}
	l.events = append(l.events, event)
	l.bytes += weight(body)
	l.forget()

	if l.grown != nil {
		close(l.grown)
		l.grown = nil
	}
	return event
}

// forget drops the oldest events until the history is within its limits.
func (l *Log) forget() {
	for len(l.events) > 1 && (len(l.events) > l.maxEvents || l.bytes > l.maxBytes) {
		l.bytes -= weight(l.events[0].Body)
		// The array outlives the slice's start: let go of the body.
		l.events[0] = Event{}
		l.events = l.events[1:]
	}
}

// Since returns the remembered events after seq, oldest first; nil when there
// are none. Where the first has a Seq above seq+1, those between are forgotten.
func (l *Log) Since(seq uint64) []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.since(seq)
}

func (l *Log) since(seq uint64) []Event {
	if seq >= l.last {
		return nil
	}
	// Seq has no gaps, so the newest l.last-seq events are those after seq.
	count := min(l.last-seq, uint64(len(l.events)))
	return append([]Event(nil), l.events[uint64(len(l.events))-count:]...)
}

// Wait is Since that blocks until there is an event after seq. It fails only
// with the error of ctx.
func (l *Log) Wait(ctx context.Context, seq uint64) ([]Event, error) {
	for {
		l.mu.Lock()
		events := l.since(seq)
		if events != nil {
			l.mu.Unlock()
			return events, nil
		}
		if l.grown == nil {
			l.grown = make(chan struct{})
		}
		grown := l.grown
		l.mu.Unlock()

		select {
		case <-grown:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// weight is about how many bytes a body holds on to. Only what can be large is
// counted; the rest is covered by MaxEvents.
func weight(body Body) int {
	switch b := body.(type) {
	case Input:
		return len(b.Text)
	case Notice:
		return len(b.Text)
	case ToolCalled:
		return len(b.Input)
	case ToolPlanned:
		return len(b.Preview)
	case ToolJudged:
		return len(b.Reason)
	case ApprovalAsked:
		return len(b.Subject)
	case ApprovalDecided:
		return len(b.Message)
	case HookAnswered:
		size := len(b.Reason)
		for _, warning := range b.Warnings {
			size += len(warning)
		}
		return size
	case ToolProgress:
		return len(b.Message)
	case ToolOutput:
		return len(b.Text)
	case HandoffStarted:
		return len(b.Command)
	case FindingsReported:
		return len(b.Text)
	case ToolFinished:
		return len(b.Text) + len(b.Structured)
	case ProviderChanged:
		return len(b.Reason)
	case PoolChanged:
		const perName = 40
		return perName * (len(b.Added) + len(b.Removed) + len(b.Changed))
	case Unknown:
		return len(b.Raw)
	}
	return 0
}
