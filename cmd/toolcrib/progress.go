package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/plaintext"
	"github.com/toolcrib/toolcrib/host/session"
)

// progressWidth keeps the line of a running call on one row.
const progressWidth = 76

// showProgress keeps one line on the terminal that tells how far a call is, until
// stop is called, which takes it away. Where stderr is no terminal it does
// nothing: a log is no place for a line that is overwritten.
func showProgress(cmd *cobra.Command, events *session.Log) (stop func()) {
	out := cmd.ErrOrStderr()
	if !isTerminal(out) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	var follower sync.WaitGroup
	follower.Go(func() { followProgress(ctx, events, out) })
	return func() {
		cancel()
		follower.Wait()
	}
}

func followProgress(ctx context.Context, events *session.Log, out io.Writer) {
	shown := false
	defer func() {
		if shown {
			fmt.Fprint(out, "\r\x1b[K")
		}
	}()
	for seq := uint64(0); ; {
		batch, err := events.Wait(ctx, seq)
		if err != nil {
			return
		}
		for _, event := range batch {
			seq = event.Seq
			if line := progressLine(event.Body); line != "" {
				fmt.Fprintf(out, "\r\x1b[K%s", line)
				shown = true
			}
		}
	}
}

// progressLine is the last line of what an event tells of a running call; empty
// for other events.
func progressLine(body session.Body) string {
	var text string
	switch b := body.(type) {
	case session.ToolProgress:
		text = b.Message
		if b.Fraction != nil {
			text = fmt.Sprintf("%3.0f%% %s", *b.Fraction*100, text)
		}
	case session.ToolOutput:
		text = strings.TrimRight(b.Text, "\r\n")
		text = text[strings.LastIndexAny(text, "\r\n")+1:]
	}
	runes := []rune(plaintext.Line(text))
	return string(runes[:min(len(runes), progressWidth)])
}
