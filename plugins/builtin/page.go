package builtin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// page is a range of a file's lines, numbered as `cat -n` does. However large
// the file and its lines are, it holds little more than maxBytes.
type page struct {
	first, limit, maxBytes int

	out         strings.Builder
	seen, shown int
	more, full  bool
	bom         bool
	crlf, lf    int // line ends that are shown
	unended     bool
	invalid     bool // something shown was not UTF-8
}

// line is one line of a file, cut to what is shown of it.
type line struct {
	text string
	cut  int // bytes that are not in text
	crlf bool
	// ended is false for a last line without a line end.
	ended bool
}

func (p *page) fill(ctx context.Context, r *bufio.Reader) error {
	for p.shown < p.limit && !p.full {
		if p.seen%1000 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l, err := readLine(ctx, r)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p.seen++
		if p.seen >= p.first {
			p.show(l)
		}
	}
	_, err := r.Peek(1)
	p.more = p.full || err == nil
	return nil
}

// show adds a line unless it is the one that does not fit any more.
func (p *page) show(l line) {
	if !utf8.ValidString(l.text) {
		p.invalid = true
		l.text = strings.ToValidUTF8(l.text, "\ufffd")
	}
	if l.cut > 0 {
		l.text += fmt.Sprintf("[... %d more bytes in this line ...]", l.cut)
	}
	numbered := fmt.Sprintf("%6d\t%s\n", p.seen, l.text)
	if p.shown > 0 && p.out.Len()+len(numbered) > p.maxBytes {
		p.full = true
		return
	}
	p.out.WriteString(numbered)
	p.shown++
	switch {
	case !l.ended:
		p.unended = true
	case l.crlf:
		p.crlf++
	default:
		p.lf++
	}
}

// readLine returns the next line without its end, or io.EOF.
func readLine(ctx context.Context, r *bufio.Reader) (line, error) {
	var l line
	var kept []byte
	total := 0
	for {
		part, err := r.ReadSlice('\n')
		total += len(part)
		if room := maxLineBytes + utf8.UTFMax - len(kept); room > 0 {
			kept = append(kept, part[:min(room, len(part))]...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			if ctx.Err() != nil {
				return line{}, context.Cause(ctx)
			}
			continue
		}
		if err != nil && err != io.EOF {
			return line{}, err
		}
		if total == 0 {
			return line{}, io.EOF
		}
		l.ended = len(part) > 0 && part[len(part)-1] == '\n'
		// Where the end is two bytes, it may be split over two parts; a line
		// that long is cut anyway.
		l.crlf = l.ended && len(part) > 1 && part[len(part)-2] == '\r'
		break
	}
	if l.ended {
		total--
	}
	if l.crlf {
		total--
	}
	kept = kept[:min(len(kept), total)]
	if len(kept) > maxLineBytes {
		end := maxLineBytes
		for end > maxLineBytes-utf8.UTFMax && !utf8.RuneStart(kept[end]) {
			end--
		}
		kept = kept[:end]
	}
	l.text, l.cut = string(kept), total-len(kept)
	return l, nil
}

// text returns the lines and, below them, what cannot be seen in them.
func (p *page) text() string {
	var notes []string
	switch {
	case p.seen == 0 && p.bom:
		notes = append(notes, "the file has no lines")
	case p.seen == 0:
		notes = append(notes, "the file is empty")
	case p.more:
		notes = append(notes, fmt.Sprintf("the file goes on; read more with offset %d", p.first+p.shown))
	}
	if p.bom {
		notes = append(notes, "it starts with a UTF-8 byte order mark, which is not shown")
	}
	switch {
	case p.crlf > 0 && p.lf > 0:
		notes = append(notes, fmt.Sprintf("%d lines end in CRLF and %d in LF", p.crlf, p.lf))
	case p.crlf > 0:
		notes = append(notes, "lines end in CRLF")
	}
	if p.unended {
		notes = append(notes, "the last line has no line end")
	}
	if p.invalid {
		notes = append(notes, "bytes that are not UTF-8 are shown as \ufffd")
	}
	if len(notes) == 0 {
		return p.out.String()
	}
	return p.out.String() + "[" + strings.Join(notes, "; ") + "]\n"
}
