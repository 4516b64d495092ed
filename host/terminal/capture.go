package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// defaultMaxOutput is how many bytes of a command's output are kept.
const defaultMaxOutput = 64 << 10

// maxLine bounds a line that is still being written; longer ones are kept in
// pieces.
const maxLine = 8 << 10

// capture keeps the beginning and the end of what a command printed, as plain
// text: control sequences are removed, a line that a carriage return or
// backspaces rewrote keeps its last form, and what a full-screen program draws
// is left out. Its memory is bounded whatever is written.
type capture struct {
	total int64 // bytes written, with everything
	plain headTail

	line  []byte
	again bool // a carriage return was seen; the next text rewrites the line
	alt   bool // the alternate screen is on

	state  captureState
	params []byte // of the control sequence being read
}

type captureState int

const (
	inText captureState = iota
	inEscape
	inIntermediate // ESC, intermediates, and a final byte still to come
	inSequence     // CSI
	inString       // OSC, DCS, APC, PM, SOS
	inStringEscape // ESC inside of it
)

func newCapture(limit int) *capture {
	if limit <= 0 {
		limit = defaultMaxOutput
	}
	return &capture{plain: headTail{limit: limit}}
}

func (c *capture) write(p []byte) {
	c.total += int64(len(p))
	for len(p) > 0 {
		if c.state == inText && !c.again && !c.alt {
			n := bytes.IndexFunc(p, unicode.IsControl)
			if n < 0 {
				n = len(p)
			}
			if n > 0 {
				c.text(p[:n])
				p = p[n:]
				continue
			}
		}
		c.step(p[0])
		p = p[1:]
	}
}

// step is the state machine of ECMA-48 control functions, as far as it takes to
// know where they end.
func (c *capture) step(b byte) {
	if b == 0x18 || b == 0x1a { // CAN and SUB end any sequence
		c.state = inText
		return
	}
	switch c.state {
	case inText:
		c.control(b)
	case inEscape:
		c.escape(b)
	case inIntermediate:
		if b >= '0' {
			c.state = inText
		}
	case inSequence:
		switch {
		case b == 0x1b:
			c.state = inEscape
		case b >= '@' && b <= '~':
			c.sequence(b)
			c.state = inText
		case len(c.params) < 64:
			c.params = append(c.params, b)
		}
	case inString:
		switch b {
		case 0x07:
			c.state = inText
		case 0x1b:
			c.state = inStringEscape
		}
	case inStringEscape:
		if b == '\\' {
			c.state = inText
		} else {
			c.escape(b)
		}
	}
}

func (c *capture) escape(b byte) {
	switch {
	case b == '[':
		c.state, c.params = inSequence, c.params[:0]
	case b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X':
		c.state = inString
	case b == 0x1b:
		c.state = inEscape
	case b >= ' ' && b <= '/':
		c.state = inIntermediate
	default:
		c.state = inText
	}
}

func (c *capture) sequence(final byte) {
	if final != 'h' && final != 'l' {
		return
	}
	switch string(c.params) {
	case "?1049", "?1047", "?47":
		c.alt = final == 'h'
	}
}

func (c *capture) control(b byte) {
	switch {
	case b == 0x1b:
		c.state = inEscape
	case c.alt:
	case b == '\n':
		c.again = false
		c.line = append(c.line, '\n')
		c.flush()
	case b == '\r':
		c.again = true
	case b == '\b':
		if _, n := utf8.DecodeLastRune(c.line); n > 0 {
			c.line = c.line[:len(c.line)-n]
		}
	case b == '\t' || b >= ' ' && b != 0x7f:
		c.text([]byte{b})
	}
}

func (c *capture) text(p []byte) {
	if c.again {
		c.line, c.again = c.line[:0], false
	}
	for len(p) > 0 {
		n := min(len(p), maxLine-len(c.line))
		c.line = append(c.line, p[:n]...)
		p = p[n:]
		if len(c.line) >= maxLine {
			c.flush()
		}
	}
}

func (c *capture) flush() {
	c.plain.write(c.line)
	c.line = c.line[:0]
}

// finish returns the text kept and whether some was left out.
func (c *capture) finish() (text string, truncated bool) {
	c.flush()
	return c.plain.result()
}

// headTail keeps the first and the last bytes written, limit in all.
type headTail struct {
	limit   int
	head    []byte
	tail    []byte // a ring once it is full
	next    int
	skipped int64
}

// omitted is the longest marker that result puts between head and tail.
const omitted = len("\n[... 9223372036854775807 bytes left out ...]\n")

func (h *headTail) write(p []byte) {
	half := max(h.limit-omitted, 0) / 2
	if room := half - len(h.head); room > 0 {
		n := min(room, len(p))
		h.head = append(h.head, p[:n]...)
		p = p[n:]
	}
	// Until the two halves overflow nothing is left out, so the tail has room
	// for the rest of the limit.
	size := h.limit - half
	if over := len(p) - size; over > 0 {
		h.skipped += int64(over)
		p = p[over:]
	}
	for len(p) > 0 {
		if len(h.tail) < size {
			n := min(size-len(h.tail), len(p))
			h.tail = append(h.tail, p[:n]...)
			p = p[n:]
			continue
		}
		n := copy(h.tail[h.next:], p)
		h.next = (h.next + n) % size
		h.skipped += int64(n)
		p = p[n:]
	}
}

// result joins the two, at line ends where some are near, and within limit.
func (h *headTail) result() (text string, truncated bool) {
	tail := append(h.tail[h.next:len(h.tail):len(h.tail)], h.tail[:h.next]...)
	if h.skipped == 0 {
		return clean(append(h.head, tail...)), false
	}
	head, skipped := h.head, h.skipped
	if cut := len(head) + len(tail) + omitted - h.limit; cut > 0 {
		cut = min(cut, len(tail))
		tail, skipped = tail[cut:], skipped+int64(cut)
	}
	if i := bytes.LastIndexByte(head, '\n'); i >= len(head)/2 {
		head, skipped = head[:i], skipped+int64(len(head)-i)
	}
	if i := bytes.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail, skipped = tail[i+1:], skipped+int64(i+1)
	}
	return clean(head) + fmt.Sprintf("\n[... %d bytes left out ...]\n", skipped) + clean(tail), true
}

// clean makes p valid UTF-8 without control characters other than tab and
// newline; those of two bytes (C1) are still in it.
func clean(p []byte) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(string(p), "\uFFFD"))
}
