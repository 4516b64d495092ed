package plugin

import (
	"slices"
	"time"
)

const (
	// crashLimit crashes within crashWindow disable a provider.
	crashLimit  = 3
	crashWindow = time.Hour
	// restartDelay follows the second crash. After the first, the next call
	// starts the provider at once.
	restartDelay = time.Second
)

// crashTimes are a provider's crashes within the window, oldest first.
type crashTimes []time.Time

// add notes a crash and tells how long to wait before the next start, or that
// there should be none until a person acts. jitter is in [0, 1): the delay is
// between half and one and a half of restartDelay, so that providers that died
// together do not start together.
func (c *crashTimes) add(now time.Time, jitter float64) (delay time.Duration, disabled bool) {
	*c = slices.DeleteFunc(*c, func(t time.Time) bool { return now.Sub(t) >= crashWindow })
	*c = append(*c, now)
	switch n := len(*c); {
	case n >= crashLimit:
		return 0, true
	case n == 1:
		return 0, false
	}
	return time.Duration((0.5 + jitter) * float64(restartDelay)), false
}
