package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestAppendNumbersEventsWithoutGaps(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	log := NewLog("s1", func() time.Time { return at })

	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				log.Append("r1", Notice{Text: "x"})
			}
		})
	}
	wg.Wait()

	events := log.Since(0)
	if len(events) != 400 {
		t.Fatalf("got %d events, want 400", len(events))
	}
	for i, event := range events {
		if event.Seq != uint64(i+1) || event.SessionID != "s1" || event.RunID != "r1" || !event.Time.Equal(at) {
			t.Fatalf("event %d is %+v", i, event)
		}
	}
}

func TestSince(t *testing.T) {
	log := NewLog("s", nil)
	for range 5 {
		log.Append("", Notice{})
	}
	for name, tc := range map[string]struct {
		seq  uint64
		want string
	}{
		"zero is everything":            {0, "[1 2 3 4 5]"},
		"the middle is the rest":        {3, "[4 5]"},
		"the last is nothing":           {5, "[]"},
		"the future is nothing":         {99, "[]"},
		"the largest number is nothing": {^uint64(0), "[]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(sequence(log.Since(tc.seq))); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestHistoryIsBounded(t *testing.T) {
	t.Run("by its number of events", func(t *testing.T) {
		log := NewLog("s", nil)
		log.maxEvents = 3
		for range 10 {
			log.Append("", Notice{})
		}
		if got := fmt.Sprint(sequence(log.Since(0))); got != "[8 9 10]" {
			t.Errorf("got %s", got)
		}
		if got := fmt.Sprint(sequence(log.Since(8))); got != "[9 10]" {
			t.Errorf("after 8: got %s", got)
		}
	})
	t.Run("by its bytes", func(t *testing.T) {
		log := NewLog("s", nil)
		log.maxBytes = 100
		for range 10 {
			log.Append("", ToolOutput{Text: strings.Repeat("x", 40)})
		}
		if got := fmt.Sprint(sequence(log.Since(0))); got != "[9 10]" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("but the newest event stays, however large", func(t *testing.T) {
		log := NewLog("s", nil)
		log.maxBytes = 100
		log.Append("", Notice{})
		log.Append("", ToolOutput{Text: strings.Repeat("x", 1000)})
		if got := fmt.Sprint(sequence(log.Since(0))); got != "[2]" {
			t.Errorf("got %s", got)
		}
		log.Append("", Notice{})
		if got := fmt.Sprint(sequence(log.Since(0))); got != "[3]" {
			t.Errorf("got %s", got)
		}
	})
}

func TestReturnedEventsOutliveTheHistory(t *testing.T) {
	log := NewLog("s", nil)
	log.maxEvents = 2
	log.Append("", Notice{Text: "first"})
	events := log.Since(0)
	for range 5 {
		log.Append("", Notice{})
	}
	if events[0].Body != (Notice{Text: "first"}) {
		t.Errorf("the event became %+v", events[0])
	}
}

func TestWait(t *testing.T) {
	t.Run("returns at once what is already there", func(t *testing.T) {
		log := NewLog("s", nil)
		log.Append("", Notice{})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		events, err := log.Wait(ctx, 0)
		if err != nil || len(events) != 1 {
			t.Errorf("got %v, %v", events, err)
		}
	})
	t.Run("every reader sees every event in order", func(t *testing.T) {
		log := NewLog("s", nil)
		const total = 200
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				var seen uint64
				for seen < total {
					events, err := log.Wait(t.Context(), seen)
					if err != nil {
						t.Error(err)
						return
					}
					for _, event := range events {
						if event.Seq != seen+1 {
							t.Errorf("got %d after %d", event.Seq, seen)
						}
						seen = event.Seq
					}
				}
			})
		}
		for range total {
			log.Append("", Notice{})
		}
		wg.Wait()
	})
	t.Run("ends with its context", func(t *testing.T) {
		log := NewLog("s", nil)
		ctx, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := log.Wait(ctx, 0)
			failed <- err
		}()
		cancel()
		if err := <-failed; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func sequence(events []Event) []uint64 {
	var numbers []uint64
	for _, event := range events {
		numbers = append(numbers, event.Seq)
	}
	return numbers
}

func BenchmarkAppend(b *testing.B) {
	log := NewLog("s", nil)
	body := ToolOutput{CallID: "c1", Stream: "stdout", Text: strings.Repeat("x", 4096)}
	for b.Loop() {
		log.Append("r1", body)
	}
}
