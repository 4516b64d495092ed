package approval

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

var (
	// ErrNobody is the answer to Ask when no attached front could put the
	// question to a person.
	ErrNobody = errors.New("nobody is there to answer: open a session with `toolcrib`, or allow the call in the policy block of config.hcl")
	// ErrClosed is the answer to Ask after Close.
	ErrClosed = errors.New("the session is closing; nothing can be approved any more")
	// ErrUnknown is the answer to Decide for an id that the broker never gave out.
	ErrUnknown = errors.New("no such approval request")
	// ErrDecided is the answer to Decide for a request that has its decision.
	ErrDecided = errors.New("the request is already decided")
	// ErrInvalid is the answer to Decide when the decision does not fit the
	// request, which stays open.
	ErrInvalid = errors.New("the decision does not fit the request")

	errNoQuestion = errors.New("a request of kind question has no question")
)

// The values of Decision.By that the broker itself gives.
const (
	ByPerson = "person"
	ByCaller = "caller"
	ByHost   = "host"
)

// Broker queues requests in the order they arrive and gives each exactly one
// decision. It may be used from several goroutines.
type Broker struct {
	journal Journal
	now     func() time.Time
	// prefix makes ids unique among the brokers of a process.
	prefix string

	mu      sync.Mutex
	queue   []*pending
	issued  uint64
	fronts  int
	closed  bool
	changed chan struct{}
}

// pending is a request in the queue. outcome may be read once done is closed.
type pending struct {
	request Request
	done    chan struct{}
	outcome outcome
}

type outcome struct {
	decision Decision
	err      error
}

// NewBroker returns a broker that writes every decision to journal before
// anybody learns of it. now gives requests and decisions their time; nil is the
// system clock.
func NewBroker(journal Journal, now func() time.Time) *Broker {
	if now == nil {
		now = time.Now
	}
	return &Broker{
		journal: journal,
		now:     now,
		prefix:  strings.ToLower(rand.Text()[:6]),
		changed: make(chan struct{}),
	}
}

// Ask queues a request and blocks until it is decided. The decision is always
// set and in the journal when Ask returns, also next to an error:
//
//   - [ErrNobody], [ErrClosed], or a request of KindQuestion without Question: it
//     was denied without being queued
//   - the error of ctx: the caller gave up, so it is cancelled by "caller"
//   - the error of the journal: the decision could not be kept, so whatever it
//     was, the call must not run
//
// The ID and Asked of request are the broker's to set. queued is told of them
// before anybody can decide, and only when the request came into the queue; nil
// is no one to tell.
func (b *Broker) Ask(ctx context.Context, request Request, queued func(Request)) (Decision, error) {
	item, err := b.enqueue(request, queued)
	if err != nil {
		decision := Decision{Verdict: Deny, Message: err.Error(), By: ByHost}
		b.conclude(item, decision)
		return item.outcome.decision, errors.Join(err, item.outcome.err)
	}
	select {
	case <-item.done:
		return item.outcome.decision, item.outcome.err
	case <-ctx.Done():
	}
	// A decision that came first stands: the journal already tells it.
	if b.take(item) {
		b.conclude(item, Decision{Verdict: Cancel, Message: "the caller no longer waits", By: ByCaller})
	}
	<-item.done
	if item.outcome.decision.By == ByCaller && item.outcome.err == nil {
		return item.outcome.decision, context.Cause(ctx)
	}
	return item.outcome.decision, item.outcome.err
}

// Settle gives a request its decision without a person, who is not asked. By says
// who decided in their place. The decision is in the journal when Settle returns;
// with an error it could not be kept, and the call must not run.
func (b *Broker) Settle(request Request, decision Decision) (Request, error) {
	b.mu.Lock()
	item := b.issue(request)
	b.mu.Unlock()
	b.conclude(item, decision)
	return item.request, item.outcome.err
}

// issue gives a request its id. The caller holds b.mu.
func (b *Broker) issue(request Request) *pending {
	b.issued++
	request.ID = b.prefix + "-" + strconv.FormatUint(b.issued, 10)
	request.Asked = b.now()
	return &pending{request: request, done: make(chan struct{})}
}

// enqueue gives the request its id. With an error it is not in the queue.
func (b *Broker) enqueue(request Request, queued func(Request)) (*pending, error) {
	b.mu.Lock()
	defer b.mu.Unlock()

	item := b.issue(request)
	request = item.request
	switch {
	case request.Kind == KindQuestion && request.Question == nil:
		return item, errNoQuestion
	case b.closed:
		return item, ErrClosed
	case b.fronts == 0:
		return item, ErrNobody
	}
	if queued != nil {
		queued(request)
	}
	b.queue = append(b.queue, item)
	b.notify()
	return item, nil
}

// Pending returns the open requests, the oldest first.
func (b *Broker) Pending() []Request {
	b.mu.Lock()
	defer b.mu.Unlock()
	requests := make([]Request, len(b.queue))
	for i, item := range b.queue {
		requests[i] = item.request
	}
	return requests
}

// Decide answers the request with that id, wherever it stands in the queue. By
// defaults to "person". It fails with [ErrUnknown], [ErrDecided] or
// [ErrInvalid]; an error of the journal means that the caller was refused.
func (b *Broker) Decide(id string, decision Decision) error {
	b.mu.Lock()
	i := slices.IndexFunc(b.queue, func(item *pending) bool { return item.request.ID == id })
	if i < 0 {
		defer b.mu.Unlock()
		return b.missing(id)
	}
	item := b.queue[i]
	if err := fits(item.request, decision); err != nil {
		b.mu.Unlock()
		return fmt.Errorf("decide %s: %w", id, err)
	}
	b.remove(i)
	b.mu.Unlock()

	if decision.By == "" {
		decision.By = ByPerson
	}
	b.conclude(item, decision)
	return item.outcome.err
}

// missing tells an id that was once given out from one that never was.
func (b *Broker) missing(id string) error {
	number, ours := strings.CutPrefix(id, b.prefix+"-")
	n, err := strconv.ParseUint(number, 10, 64)
	if ours && err == nil && n >= 1 && n <= b.issued {
		return fmt.Errorf("decide %s: %w", id, ErrDecided)
	}
	return fmt.Errorf("decide %q: %w", id, ErrUnknown)
}

// Attach tells that a front is there that can put questions to a person, until
// detach is called. When the last one goes, the open requests are cancelled.
func (b *Broker) Attach() (detach func()) {
	b.mu.Lock()
	b.fronts++
	b.mu.Unlock()
	return sync.OnceFunc(func() {
		b.mu.Lock()
		b.fronts--
		var orphans []*pending
		if b.fronts == 0 {
			orphans = b.takeAll()
		}
		b.mu.Unlock()
		for _, item := range orphans {
			b.conclude(item, Decision{Verdict: Cancel, Message: "the session that could answer was left before anybody decided; call again once it is open", By: ByHost})
		}
	})
}

// Changed returns a channel that is closed when the queue changes next. Take it
// before reading [Broker.Pending], so that no change is missed.
func (b *Broker) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// Close denies the open requests and all later ones.
func (b *Broker) Close() {
	b.mu.Lock()
	b.closed = true
	open := b.takeAll()
	b.mu.Unlock()
	for _, item := range open {
		b.conclude(item, Decision{Verdict: Deny, Message: ErrClosed.Error(), By: ByHost})
	}
}

// take removes an item from the queue. Whoever got true concludes it; that is
// what makes a decision the only one.
func (b *Broker) take(item *pending) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.Index(b.queue, item)
	if i < 0 {
		return false
	}
	b.remove(i)
	return true
}

func (b *Broker) takeAll() []*pending {
	all := b.queue
	b.queue = nil
	if len(all) > 0 {
		b.notify()
	}
	return all
}

func (b *Broker) remove(i int) {
	b.queue = slices.Delete(b.queue, i, i+1)
	b.notify()
}

func (b *Broker) notify() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// conclude journals the decision of an item that was taken and lets its caller
// go on. The mutex is not held, so that a slow journal stops no other request.
func (b *Broker) conclude(item *pending, decision Decision) {
	decision.At = b.now()
	item.outcome.decision = decision
	if err := b.journal.Append(Record{Request: item.request, Decision: decision}); err != nil {
		item.outcome.err = fmt.Errorf("journal the decision on %s: %w", item.request.ID, err)
		item.outcome.decision.Verdict = Cancel
	}
	close(item.done)
}
