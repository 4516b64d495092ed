package terminal

import (
	"bytes"
	"strings"
)

// The shell integration speaks in two operating system commands:
//
//	OSC 133 ; A | B | C | D ; ... ; aid=<aid>   prompts and commands (FinalTerm)
//	OSC 133 ; P ; k=c ; aid=<aid>               a continuation prompt
//	OSC 7770 ; <secret> ; <verb> [ ; <arg> ]    the host's own marks
//
// aid is random for each shell, so that what other programs print, a nested
// shell for one, is not taken for the shell's prompt. The secret of a
// command's start and end is random for each command.
const (
	promptMark  = "133"
	privateMark = "7770"
)

// maxMark bounds a mark; anything longer is output.
const maxMark = 512

// mark is one of our OSC sequences, split at semicolons, without its number.
type mark struct {
	private bool
	fields  []string
}

func (m mark) field(i int) string {
	if i < len(m.fields) {
		return m.fields[i]
	}
	return ""
}

// aid is the value of the aid option of a prompt mark.
func (m mark) aid() string {
	for _, f := range m.fields {
		if id, ok := strings.CutPrefix(f, "aid="); ok {
			return id
		}
	}
	return ""
}

// scanner takes the marks out of the shell's output. Everything else passes
// unchanged and in order, however the output is split over reads.
type scanner struct {
	held []byte // the beginning of what may be a mark
}

// feed passes the text of p to text and the marks in it to marked, in order.
// The slices are valid during the call only.
func (s *scanner) feed(p []byte, text func([]byte), marked func(mark)) {
	for len(p) > 0 {
		if len(s.held) == 0 {
			i := bytes.IndexByte(p, '\x1b')
			if i < 0 {
				text(p)
				return
			}
			if i > 0 {
				text(p[:i])
			}
			s.held = append(s.held, '\x1b')
			p = p[i+1:]
			continue
		}
		switch s.held = append(s.held, p[0]); classify(s.held) {
		case complete:
			m := parseMark(s.held)
			s.held = s.held[:0]
			marked(m)
		case other:
			// The new byte may itself begin a mark.
			s.held = s.held[:len(s.held)-1]
			text(s.held)
			s.held = s.held[:0]
			if p[0] != '\x1b' {
				text(p[:1])
			} else {
				s.held = append(s.held, '\x1b')
			}
		}
		p = p[1:]
	}
}

// flush releases what was held, at the end of the output.
func (s *scanner) flush(text func([]byte)) {
	if len(s.held) > 0 {
		text(s.held)
		s.held = s.held[:0]
	}
}

type progress int

const (
	partial  progress = iota // may become a mark
	complete                 // is a mark
	other                    // is not, with its last byte
)

// classify judges held, all of whose proper prefixes were partial.
func classify(held []byte) progress {
	if len(held) == 2 && held[1] != ']' || len(held) > maxMark {
		return other
	}
	if len(held) <= 2 {
		return partial
	}
	body := held[2:]
	if !prefixOfEither(body, promptMark+";", privateMark+";") {
		return other
	}
	switch last := held[len(held)-1]; {
	case last == '\a':
		return complete
	case last == '\\' && held[len(held)-2] == '\x1b':
		return complete
	case held[len(held)-2] == '\x1b' || last < ' ' && last != '\x1b':
		return other
	}
	return partial
}

// prefixOfEither reports whether body and one of the words agree as far as
// both go.
func prefixOfEither(body []byte, words ...string) bool {
	for _, w := range words {
		n := min(len(body), len(w))
		if string(body[:n]) == w[:n] {
			return true
		}
	}
	return false
}

func parseMark(held []byte) mark {
	body := strings.TrimPrefix(string(held), "\x1b]")
	body = strings.TrimRight(body, "\a\x1b\\")
	number, rest, _ := strings.Cut(body, ";")
	return mark{private: number == privateMark, fields: strings.Split(rest, ";")}
}
