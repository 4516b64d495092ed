package builtin

import (
	"fmt"
	"sync"
)

// captureBytes is how much of a command's output its result has. The host
// shapes it further for the model and keeps the rest for reading.
const captureBytes = 1 << 20

// capture keeps the beginning and the end of a stream in bounded memory. It may
// be used from several goroutines.
type capture struct {
	half int

	mu         sync.Mutex
	head, tail []byte
	total      int64
}

func newCapture(size int) *capture { return &capture{half: size / 2} }

func (c *capture) add(data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total += int64(len(data))
	n := min(c.half-len(c.head), len(data))
	c.head = append(c.head, data[:n]...)
	c.tail = append(c.tail, data[n:]...)
	// Move the tail only when it has doubled: once per byte on average.
	if len(c.tail) > 2*c.half {
		c.tail = c.tail[:copy(c.tail, c.tail[len(c.tail)-c.half:])]
	}
}

// text returns what was kept, with a line in the place of what was not, and how
// many bytes there were in all.
func (c *capture) text() (text string, total int64, truncated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tail := c.tail[max(0, len(c.tail)-c.half):]
	omitted := c.total - int64(len(c.head)) - int64(len(tail))
	if omitted == 0 {
		return string(c.head) + string(tail), c.total, false
	}
	return fmt.Sprintf("%s\n[... %d bytes omitted ...]\n%s", c.head, omitted, tail), c.total, true
}
