package pipeline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadlineDoesNotCountTheTimeAPersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d, stop := withDeadline(t.Context(), time.Minute)
		defer stop()

		time.Sleep(30 * time.Second)
		d.pause()
		time.Sleep(time.Hour)
		d.resume()
		time.Sleep(29 * time.Second)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatalf("ended after 59 s of its own time: %v", context.Cause(ctx))
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if !errors.Is(context.Cause(ctx), errDeadline) {
			t.Fatalf("cause = %v, want errDeadline", context.Cause(ctx))
		}
	})
}

func TestDeadlinePausesNest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d, stop := withDeadline(t.Context(), time.Minute)
		defer stop()
		d.pause()
		d.pause()
		d.resume()
		time.Sleep(time.Hour)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatalf("ended while one pause was left: %v", context.Cause(ctx))
		}
	})
}

func TestDeadlineZeroNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d, stop := withDeadline(t.Context(), 0)
		defer stop()
		d.pause()
		d.resume()
		time.Sleep(1000 * time.Hour)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Fatalf("ended: %v", context.Cause(ctx))
		}
	})
}
