package config

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

const (
	red    = "\x1b[1;31m"
	yellow = "\x1b[1;33m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// Render writes the diagnostics for a person, each with its source line and a
// mark under the token at fault. Text of the file, or of a plugin that speaks
// about it, cannot control the terminal.
func (d Diagnostics) Render(w io.Writer, color bool) error {
	out := bufio.NewWriter(w)
	for i, diagnostic := range d {
		if i > 0 {
			fmt.Fprintln(out)
		}
		diagnostic.render(out, color)
	}
	return out.Flush()
}

func (d Diagnostic) render(out *bufio.Writer, color bool) {
	paint := func(code, text string) string {
		if !color {
			return text
		}
		return code + text + reset
	}
	label := paint(red, "Error:")
	if d.Severity == Warning {
		label = paint(yellow, "Warning:")
	}
	fmt.Fprintf(out, "%s %s\n", label, paint(bold, plaintext.Line(d.Summary)))
	switch {
	case d.File != "" && d.Line > 0:
		fmt.Fprintf(out, "\n  on %s line %d:\n", plaintext.Line(d.File), d.Line)
	case d.File != "":
		fmt.Fprintf(out, "\n  in %s\n", plaintext.Line(d.File))
	}
	if d.Mark != nil {
		number := fmt.Sprintf("  %d: ", d.Line)
		before, upToEnd := d.widths()
		fmt.Fprintf(out, "%s%s\n", number, plaintext.Block(d.Snippet))
		fmt.Fprintf(out, "%s%s\n", strings.Repeat(" ", len(number)+before), paint(red, strings.Repeat("^", max(upToEnd-before, 1))))
	}
	for _, value := range d.Values {
		fmt.Fprintf(out, "  %s is %s\n", plaintext.Line(value.Name), plaintext.Line(value.Value))
	}
	if d.Detail != "" {
		fmt.Fprintf(out, "\n%s\n", plaintext.Block(d.Detail))
	}
}

// widths are the columns in front of the mark and up to its end, as shown.
func (d Diagnostic) widths() (before, upToEnd int) {
	runes := []rune(d.Snippet)
	start := min(max(d.Mark.Start, 0), len(runes))
	end := min(max(d.Mark.End, start), len(runes))
	width := func(text []rune) int { return uniseg.StringWidth(plaintext.Block(string(text))) }
	return width(runes[:start]), width(runes[:end])
}
