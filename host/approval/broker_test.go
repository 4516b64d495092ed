package approval_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host/approval"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// answer is what an Ask came back with.
type answer struct {
	decision approval.Decision
	err      error
}

// ask starts an Ask and returns once its request is queued.
func ask(ctx context.Context, t *testing.T, b *approval.Broker, request approval.Request) (id string, answered <-chan answer) {
	t.Helper()
	before := len(b.Pending())
	out := make(chan answer, 1)
	go func() {
		decision, err := b.Ask(ctx, request, nil)
		out <- answer{decision, err}
	}()
	for {
		changed := b.Changed()
		if queue := b.Pending(); len(queue) > before {
			return queue[len(queue)-1].ID, out
		}
		<-changed
	}
}

func newBroker(t *testing.T) (*approval.Broker, *approval.MemoryJournal) {
	journal := approval.NewMemoryJournal(0)
	b := approval.NewBroker(journal, nil)
	detach := b.Attach()
	t.Cleanup(func() { b.Close(); detach() })
	return b, journal
}

func TestDecisionReachesItsCaller(t *testing.T) {
	for _, verdict := range []approval.Verdict{approval.Allow, approval.Deny, approval.Cancel} {
		t.Run(string(verdict), func(t *testing.T) {
			b, journal := newBroker(t)
			id, answered := ask(t.Context(), t, b, approval.Request{Kind: approval.KindTool, Subject: "rm x"})
			if err := b.Decide(id, approval.Decision{Verdict: verdict, Message: "because"}); err != nil {
				t.Fatal(err)
			}
			records := journal.Records()
			if len(records) != 1 || records[0].Request.ID != id || records[0].Request.Subject != "rm x" || records[0].Decision.Verdict != verdict {
				t.Errorf("after Decide the journal has %+v", records)
			}
			got := <-answered
			if got.err != nil || got.decision.Verdict != verdict || got.decision.Message != "because" || got.decision.By != "person" {
				t.Errorf("got %+v", got)
			}
			if got.decision.At.IsZero() || records[0].Request.Asked.IsZero() {
				t.Errorf("times are missing: %+v", records[0])
			}
		})
	}
}

func TestSecondOfThreeCanBeDecidedFirst(t *testing.T) {
	b, journal := newBroker(t)
	var ids []string
	var answers []<-chan answer
	for i := range 3 {
		id, answered := ask(t.Context(), t, b, approval.Request{Subject: fmt.Sprint(i)})
		ids, answers = append(ids, id), append(answers, answered)
	}
	if got := subjects(b.Pending()); got != "[0 1 2]" {
		t.Fatalf("queue is %s", got)
	}
	if err := b.Decide(ids[1], approval.Decision{Verdict: approval.Deny}); err != nil {
		t.Fatal(err)
	}
	if got := <-answers[1]; got.decision.Verdict != approval.Deny {
		t.Errorf("second: got %+v", got)
	}
	if got := subjects(b.Pending()); got != "[0 2]" {
		t.Errorf("queue is %s", got)
	}
	for _, i := range []int{2, 0} {
		if err := b.Decide(ids[i], approval.Decision{Verdict: approval.Allow}); err != nil {
			t.Fatal(err)
		}
		if got := <-answers[i]; got.decision.Verdict != approval.Allow {
			t.Errorf("%d: got %+v", i, got)
		}
	}
	if records := journal.Records(); len(records) != 3 || records[0].Request.ID != ids[1] {
		t.Errorf("journal has %+v", records)
	}
}

func TestDecideRefuses(t *testing.T) {
	b, _ := newBroker(t)
	id, answered := ask(t.Context(), t, b, approval.Request{Kind: approval.KindTool})
	decided, first := ask(t.Context(), t, b, approval.Request{Kind: approval.KindTool})
	if err := b.Decide(decided, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Fatal(err)
	}
	<-first

	for name, tc := range map[string]struct {
		id       string
		decision approval.Decision
		want     error
	}{
		"a second decision":              {decided, approval.Decision{Verdict: approval.Deny}, approval.ErrDecided},
		"an id from elsewhere":           {"x-1", approval.Decision{Verdict: approval.Allow}, approval.ErrUnknown},
		"an id that is not given out":    {decided + "9", approval.Decision{Verdict: approval.Allow}, approval.ErrUnknown},
		"no id":                          {"", approval.Decision{Verdict: approval.Allow}, approval.ErrUnknown},
		"the zero verdict":               {id, approval.Decision{}, approval.ErrInvalid},
		"a verdict that does not exist":  {id, approval.Decision{Verdict: "yes"}, approval.ErrInvalid},
		"an answer to what is not asked": {id, approval.Decision{Verdict: approval.Allow, Selected: []int{0}}, approval.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			if err := b.Decide(tc.id, tc.decision); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
	if err := b.Decide(id, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Errorf("a refused decision closed the request: %v", err)
	}
	<-answered
}

func TestRequestEndsWithItsCaller(t *testing.T) {
	b, journal := newBroker(t)
	ctx, cancel := context.WithCancel(t.Context())
	id, answered := ask(ctx, t, b, approval.Request{})
	cancel()
	got := <-answered
	if !errors.Is(got.err, context.Canceled) || got.decision.Verdict != approval.Cancel || got.decision.By != "caller" {
		t.Errorf("got %+v", got)
	}
	if len(b.Pending()) != 0 || len(journal.Records()) != 1 {
		t.Errorf("queue %v, journal %v", b.Pending(), journal.Records())
	}
	if err := b.Decide(id, approval.Decision{Verdict: approval.Allow}); !errors.Is(err, approval.ErrDecided) {
		t.Errorf("a late decision: got %v", err)
	}
}

func TestNobodyThere(t *testing.T) {
	journal := approval.NewMemoryJournal(0)
	b := approval.NewBroker(journal, nil)

	decision, err := b.Ask(t.Context(), approval.Request{}, nil)
	if !errors.Is(err, approval.ErrNobody) || decision.Verdict != approval.Deny || decision.By != "host" {
		t.Errorf("without a front: got %+v, %v", decision, err)
	}

	first, second := b.Attach(), b.Attach()
	_, answered := ask(t.Context(), t, b, approval.Request{})
	first()
	first() // a front that detaches twice counts once
	if len(b.Pending()) != 1 {
		t.Fatal("the request went away although a front is left")
	}
	second()
	got := <-answered
	if got.err != nil || got.decision.Verdict != approval.Cancel || got.decision.By != "host" || got.decision.Message == "" {
		t.Errorf("after the last front: got %+v", got)
	}
	if len(journal.Records()) != 2 {
		t.Errorf("journal has %+v", journal.Records())
	}
}

func TestCloseDeniesOpenAndLaterRequests(t *testing.T) {
	b, journal := newBroker(t)
	_, answered := ask(t.Context(), t, b, approval.Request{})
	b.Close()
	b.Close()
	if got := <-answered; got.err != nil || got.decision.Verdict != approval.Deny || got.decision.By != "host" {
		t.Errorf("open: got %+v", got)
	}
	decision, err := b.Ask(t.Context(), approval.Request{}, nil)
	if !errors.Is(err, approval.ErrClosed) || decision.Verdict != approval.Deny {
		t.Errorf("later: got %+v, %v", decision, err)
	}
	if len(journal.Records()) != 2 {
		t.Errorf("journal has %+v", journal.Records())
	}
}

func TestEveryRequestGetsExactlyOneDecision(t *testing.T) {
	const requests = 200
	journal := approval.NewMemoryJournal(2 * requests)
	b := approval.NewBroker(journal, nil)
	detach := b.Attach()

	var callers, deciders sync.WaitGroup
	for i := range requests {
		callers.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%3 == 0 {
				go cancel()
			}
			decision, err := b.Ask(ctx, approval.Request{Subject: fmt.Sprint(i)}, nil)
			if decision.Verdict == "" || decision.By == "caller" && err == nil {
				t.Errorf("%d: got %+v, %v", i, decision, err)
			}
		})
	}
	stop := make(chan struct{})
	for range 2 {
		deciders.Go(func() {
			for {
				changed := b.Changed()
				for _, request := range b.Pending() {
					err := b.Decide(request.ID, approval.Decision{Verdict: approval.Allow})
					if err != nil && !errors.Is(err, approval.ErrDecided) {
						t.Error(err)
					}
				}
				select {
				case <-changed:
				case <-stop:
					return
				}
			}
		})
	}
	callers.Wait()
	close(stop)
	deciders.Wait()
	detach()

	seen := map[string]int{}
	for _, record := range journal.Records() {
		seen[record.Request.Subject]++
	}
	if len(seen) != requests || len(journal.Records()) != requests {
		t.Errorf("%d requests have %d decisions", len(seen), len(journal.Records()))
	}
}

// brokenJournal keeps nothing.
type brokenJournal struct{ approval.MemoryJournal }

func (*brokenJournal) Append(approval.Record) error { return errors.New("disk full") }

func TestDecisionThatCannotBeKeptRefusesTheCall(t *testing.T) {
	b := approval.NewBroker(&brokenJournal{}, nil)
	defer b.Attach()()
	id, answered := ask(t.Context(), t, b, approval.Request{})
	if err := b.Decide(id, approval.Decision{Verdict: approval.Allow}); err == nil {
		t.Error("Decide does not tell that the journal failed")
	}
	if got := <-answered; got.err == nil || got.decision.Verdict == approval.Allow {
		t.Errorf("got %+v", got)
	}
}

func TestClockGivesTheTimes(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	journal := approval.NewMemoryJournal(0)
	b := approval.NewBroker(journal, func() time.Time { return at })
	defer b.Attach()()
	id, answered := ask(t.Context(), t, b, approval.Request{ID: "mine"})
	if id == "mine" {
		t.Error("the caller chose the id")
	}
	if err := b.Decide(id, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Fatal(err)
	}
	<-answered
	if record := journal.Records()[0]; !record.Request.Asked.Equal(at) || !record.Decision.At.Equal(at) {
		t.Errorf("got %+v", record)
	}
}

func subjects(requests []approval.Request) string {
	var out []string
	for _, request := range requests {
		out = append(out, request.Subject)
	}
	return fmt.Sprint(out)
}
