package plugin

import (
	"testing"
	"time"
)

func TestCrashesDelayTheNextStart(t *testing.T) {
	type crash struct {
		after    time.Duration // since the first
		jitter   float64
		delay    time.Duration
		disabled bool
	}
	for claim, history := range map[string][]crash{
		"the first is forgiven":              {{0, 0.9, 0, false}},
		"the second waits half a second":     {{0, 0, 0, false}, {time.Minute, 0, restartDelay / 2, false}},
		"or one and a half, by chance":       {{0, 0, 0, false}, {time.Minute, 1, restartDelay * 3 / 2, false}},
		"the third in an hour disables":      {{0, 0, 0, false}, {time.Minute, 0.5, restartDelay, false}, {59 * time.Minute, 0, 0, true}},
		"what is an hour ago does not count": {{0, 0, 0, false}, {time.Minute, 0.5, restartDelay, false}, {time.Hour, 0.5, restartDelay, false}},
		"nor after a long good time":         {{0, 0, 0, false}, {time.Minute, 0.5, restartDelay, false}, {9 * time.Hour, 0.5, 0, false}},
	} {
		t.Run(claim, func(t *testing.T) {
			var times crashTimes
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			for i, c := range history {
				delay, disabled := times.add(start.Add(c.after), c.jitter)
				if delay != c.delay || disabled != c.disabled {
					t.Errorf("crash %d: delay %s, disabled %v, want %s, %v", i+1, delay, disabled, c.delay, c.disabled)
				}
			}
		})
	}
}
