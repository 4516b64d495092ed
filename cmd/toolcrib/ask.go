package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

// errLeft is a person who left a question by Escape, Ctrl-C or Ctrl-D.
var errLeft = errors.New("left")

// The keys of a question, as a terminal in raw mode sends them.
const (
	keyInterrupt = 0x03
	keyEnd       = 0x04
	keyEscape    = 0x1b
)

// askKey asks a question that one key answers: y or Enter is yes, n is no. Other
// keys do nothing. The error is errLeft when the person leaves, or that of ctx.
func askKey(ctx context.Context, terminal *os.File, out io.Writer, question string) (bool, error) {
	state, err := term.MakeRaw(int(terminal.Fd()))
	if err != nil {
		return false, fmt.Errorf("ask on the terminal: %w", err)
	}
	defer func() { _ = term.Restore(int(terminal.Fd()), state) }()
	fmt.Fprintf(out, "%s [Y/n] ", plaintext.Line(question))
	type reading struct {
		keys string
		err  error
	}
	read := make(chan reading, 1)
	for {
		go func() {
			var keys [64]byte
			n, err := terminal.Read(keys[:])
			read <- reading{string(keys[:n]), err}
		}()
		select {
		case <-ctx.Done():
			fmt.Fprint(out, "\r\n")
			return false, ctx.Err()
		case r := <-read:
			if r.err != nil {
				return false, fmt.Errorf("ask on the terminal: %w", r.err)
			}
			if answer, left, ok := meaning(r.keys); ok {
				return answer, finish(out, answer, left)
			}
		}
	}
}

// meaning is what the first key that answers says.
func meaning(keys string) (answer, left, ok bool) {
	for keys != "" {
		switch key := keys[0]; {
		case key == keyEscape && len(keys) > 1:
			keys = afterSequence(keys)
			continue
		case key == keyEscape, key == keyInterrupt, key == keyEnd:
			return false, true, true
		case strings.IndexByte("yY\r\n", key) >= 0:
			return true, false, true
		case key == 'n', key == 'N':
			return false, false, true
		}
		keys = keys[1:]
	}
	return false, false, false
}

// afterSequence is what follows the bytes of one key, such as an arrow, that begin
// with Escape (ECMA-48, section 5.4).
func afterSequence(keys string) string {
	if keys[1] != '[' && keys[1] != 'O' {
		return keys[2:]
	}
	end := strings.IndexFunc(keys[2:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
	if end < 0 {
		return ""
	}
	return keys[2+end+1:]
}

// finish shows the answer and ends the line.
func finish(out io.Writer, answer, left bool) error {
	word := "no"
	if answer {
		word = "yes"
	}
	if left {
		word = "left"
	}
	if _, err := fmt.Fprintf(out, "%s\r\n", word); err != nil {
		return err
	}
	if left {
		return errLeft
	}
	return nil
}
