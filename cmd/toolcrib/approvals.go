package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/plaintext"
)

// answerApprovals lets somebody answer approval requests until stop is called:
// --yes, or the person at the terminal. Where there is neither, nobody is
// attached and a call that needs approval fails at once.
func answerApprovals(cmd *cobra.Command, broker *approval.Broker, yes bool) (stop func()) {
	var answer func(approval.Request) approval.Decision
	switch {
	case yes:
		answer = func(request approval.Request) approval.Decision { return agreed(request) }
	case isTerminal(cmd.InOrStdin()) && isTerminal(cmd.ErrOrStderr()):
		prompt := &prompt{in: bufio.NewReader(cmd.InOrStdin()), out: cmd.ErrOrStderr()}
		answer = prompt.ask
	default:
		return func() {}
	}
	detach := broker.Attach()
	done := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() { answerUntil(done, broker, answer) })
	return func() {
		close(done)
		detach()
		if yes { // a prompt may still be reading a line; the process ends with it
			wait.Wait()
		}
	}
}

func answerUntil(done <-chan struct{}, broker *approval.Broker, answer func(approval.Request) approval.Decision) {
	for {
		changed := broker.Changed()
		if pending := broker.Pending(); len(pending) > 0 {
			// The request may be gone by now, when its caller gave up.
			_ = broker.Decide(pending[0].ID, answer(pending[0]))
			continue
		}
		select {
		case <-changed:
		case <-done:
			return
		}
	}
}

// agreed is the answer of --yes. It agrees to calls; a question needs a person.
func agreed(request approval.Request) approval.Decision {
	if request.Kind == approval.KindQuestion {
		return approval.Decision{Verdict: approval.Cancel, By: "--yes", Message: "--yes cannot answer a question"}
	}
	return approval.Decision{Verdict: approval.Allow, By: "--yes"}
}

// prompt asks on the terminal, a line at a time.
type prompt struct {
	in  *bufio.Reader
	out io.Writer
}

func (p *prompt) ask(request approval.Request) approval.Decision {
	if request.Kind == approval.KindQuestion {
		return p.question(request.Question)
	}
	p.show(request)
	for {
		switch line, ok := p.line("Approve? [y]es, [n]o, [d]etails: "); {
		case !ok:
			return approval.Decision{Verdict: approval.Cancel}
		case line == "y" || line == "yes":
			return approval.Decision{Verdict: approval.Allow}
		case line == "n" || line == "no":
			return approval.Decision{Verdict: approval.Deny}
		case line == "d" || line == "details":
			fmt.Fprintln(p.out, plaintext.Block(string(request.Input)))
		}
	}
}

func (p *prompt) show(request approval.Request) {
	fmt.Fprintf(p.out, "\n%s (%s) asks to run\n", plaintext.Line(request.Tool), plaintext.Line(request.Origin))
	fmt.Fprintf(p.out, "  subject  %s\n", plaintext.Line(request.Subject))
	fmt.Fprintf(p.out, "  risk     %s %s\n", request.Risk, plaintext.Line(request.RiskReason))
	fmt.Fprintf(p.out, "  because  %s\n", plaintext.Line(request.Reason))
	for _, warning := range request.Warnings {
		fmt.Fprintf(p.out, "  warning  %s\n", plaintext.Line(warning))
	}
	// A plan says what its provider wants to be seen; the input is what it gets.
	if request.Origin != "builtin" {
		fmt.Fprintf(p.out, "  input    %s\n", plaintext.Line(string(request.Input)))
	}
	if request.Preview != "" && request.Preview != request.Subject {
		fmt.Fprintln(p.out, plaintext.Block(request.Preview))
	}
}

func (p *prompt) question(q *approval.Question) approval.Decision {
	fmt.Fprintln(p.out, plaintext.Block(q.Text))
	for i, option := range q.Options {
		fmt.Fprintf(p.out, "  %d. %s  %s\n", i+1, plaintext.Line(option.Label), plaintext.Line(option.Description))
	}
	for {
		line, ok := p.line("Answer: ")
		if !ok {
			return approval.Decision{Verdict: approval.Cancel}
		}
		if selected, ok := numbers(line, len(q.Options)); ok && (len(selected) == 1 || q.MultiSelect) {
			return approval.Decision{Verdict: approval.Allow, Selected: selected}
		}
		if q.AllowFreeText && line != "" {
			return approval.Decision{Verdict: approval.Allow, Text: line}
		}
		fmt.Fprintf(p.out, "give the number of an answer, 1 to %d\n", len(q.Options))
	}
}

// numbers reads "1" or "1,3" as indexes below n.
func numbers(line string, n int) ([]int, bool) {
	var selected []int
	for _, field := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
		number, err := strconv.Atoi(field)
		if err != nil || number < 1 || number > n {
			return nil, false
		}
		selected = append(selected, number-1)
	}
	return selected, len(selected) > 0
}

// line reads one answer; false when the person closed the input.
func (p *prompt) line(label string) (string, bool) {
	fmt.Fprint(p.out, label)
	line, err := p.in.ReadString('\n')
	if err != nil {
		fmt.Fprintln(p.out)
		return "", false
	}
	return strings.TrimSpace(line), true
}

// confirm asks a yes-or-no question of the person at the terminal.
func confirm(cmd *cobra.Command, label string) bool {
	p := &prompt{in: bufio.NewReader(cmd.InOrStdin()), out: cmd.ErrOrStderr()}
	line, ok := p.line(label)
	return ok && (line == "y" || line == "yes")
}
