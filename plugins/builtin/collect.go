package builtin

import (
	"os"
	"time"
)

// collector reads the output of a command until everybody who could write more
// has ended. One goroutine reads; captured may be read after finish.
type collector struct {
	pipe     *os.File
	captured *capture
	done     chan struct{}
}

// collect starts to read pipe, which it closes.
func collect(pipe *os.File, emit func([]byte) error) *collector {
	c := &collector{pipe: pipe, captured: newCapture(captureBytes), done: make(chan struct{})}
	go func() {
		defer close(c.done)
		defer pipe.Close()
		buffer := make([]byte, 32<<10)
		for {
			n, err := pipe.Read(buffer)
			c.captured.add(buffer[:n])
			if n > 0 && emit != nil && emit(buffer[:n]) != nil {
				emit = nil
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// finish waits for the end of the output, has end kill who is left of the
// command, and gives up on those who got away with the pipe after another grace.
// It reports whether anybody was left.
func (c *collector) finish(grace time.Duration, end func() bool) (left bool) {
	drained := c.wait(grace)
	left = end()
	if drained {
		return left
	}
	if !c.wait(grace) {
		_ = c.pipe.SetReadDeadline(time.Now())
		c.wait(grace)
	}
	return true
}

func (c *collector) wait(grace time.Duration) bool {
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}
