package host

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestTouchesAreSettled(t *testing.T) {
	tests := map[string]struct {
		touches []time.Duration // since the start
		want    []time.Duration // of calls
	}{
		"one touch is one call after a pause":        {[]time.Duration{0}, []time.Duration{settleTime}},
		"touches in quick succession are one call":   {[]time.Duration{0, 10 * time.Millisecond, 90 * time.Millisecond}, []time.Duration{90*time.Millisecond + settleTime}},
		"touches with a pause between are two calls": {[]time.Duration{0, settleTime + time.Millisecond}, []time.Duration{settleTime, 2*settleTime + time.Millisecond}},
		"touches without a pause are called in time": {every(30*time.Millisecond, 1020*time.Millisecond), []time.Duration{settleLimit, 1020*time.Millisecond + settleTime}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				begun, touched := time.Now(), make(chan struct{}, 1)
				var calls []time.Duration
				done := make(chan struct{})
				go func() {
					defer close(done)
					settled(ctx, touched, func() { calls = append(calls, time.Since(begun)) })
				}()
				for _, at := range tt.touches {
					time.Sleep(at - time.Since(begun))
					touched <- struct{}{}
				}
				time.Sleep(2 * settleLimit)
				cancel()
				<-done
				if len(calls) != len(tt.want) {
					t.Fatalf("calls at %v, want %v", calls, tt.want)
				}
				for i := range calls {
					if calls[i] != tt.want[i] {
						t.Errorf("calls at %v, want %v", calls, tt.want)
					}
				}
			})
		})
	}
}

func every(step, end time.Duration) []time.Duration {
	var at []time.Duration
	for d := time.Duration(0); d <= end; d += step {
		at = append(at, d)
	}
	return at
}

func TestFoldersThatCannotBeWatchedArePolledAndToldOfOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []error
		w := &configWatch{touched: make(chan struct{}, 1), quit: make(chan struct{}), failed: func(err error) { told = append(told, err) }}
		full := errors.New("no space left on device")
		w.poll(full)
		w.poll(full)
		begun := time.Now()
		for range 3 {
			<-w.touched
		}
		if waited := time.Since(begun); waited != 3*pollInterval || len(told) != 1 {
			t.Errorf("polled three times in %v and told of %v", waited, told)
		}
		w.close()
	})
}
