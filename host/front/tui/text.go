package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/toolcrib/toolcrib/host/plaintext"
)

// span is a run of text in one style. Spans of foreign text are made by [plain]
// and [textLines] only, so that no control, bidi or zero-width character of a tool, a plugin or a model reaches
// the screen, and nothing is ever read as tview's [color] tags.
type span struct {
	text  string
	style tcell.Style
	// gutter has a span at the start of a line repeated on each row of the line.
	gutter bool
}

// line is one line of styled text, of any length.
type line []span

// plain returns s as a span on one line, with what cannot be seen made visible.
func plain(style tcell.Style, s string) span {
	return span{text: plaintext.Line(s), style: style}
}

// textLine is a line of one span.
func textLine(style tcell.Style, s string) line { return line{plain(style, s)} }

// textLines splits s at its line ends. A line end at the very end adds no line.
func textLines(style tcell.Style, s string) []line {
	s = strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	var lines []line
	for part := range strings.SplitSeq(plaintext.Block(s), "\n") {
		lines = append(lines, line{{text: part, style: style}})
	}
	return lines
}

// quoted puts a gutter in front of lines that somebody else wrote, so that in
// the transcript they cannot be taken for what the host says: no line of the host
// has one.
func quoted(t theme, lines []line) []line {
	out := make([]line, len(lines))
	for i, l := range lines {
		out[i] = append(line{{text: "  │ ", style: t.faint, gutter: true}}, l...)
	}
	return out
}

// String is the text without its styles.
func (l line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.text)
	}
	return b.String()
}

// cluster is one grapheme as it is drawn: 1 or 2 columns wide.
type cluster struct {
	text   string
	width  int
	style  tcell.Style
	gutter bool
}

func (l line) clusters() []cluster {
	var out []cluster
	for _, s := range l {
		for rest, state := s.text, -1; rest != ""; {
			var text string
			var width int
			text, rest, width, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if width == 0 {
				// A combining mark with nothing before it: give it a place of its own.
				text, width = " "+text, 1
			}
			out = append(out, cluster{text, min(width, 2), s.style, s.gutter})
		}
	}
	return out
}

const (
	// labelWidth is how many columns at the left only the host begins to write in:
	// the labels of a card, the signs and first words of the transcript.
	labelWidth = 8
	// hang is how many columns right of its first row the rest of a line begins.
	hang = 2
)

// wrap breaks l into rows of at most width columns, after a space where there is
// one. A row after the first begins right of the labels, or behind the gutter,
// and right of the first: no text can be so long that a part of it looks like
// another line, neither the host's nor one of its own.
func (l line) wrap(width int) []line {
	width = max(width, 2)
	rest := l.clusters()
	margin := hanging(rest, width)
	var lines []line
	for room := width; ; room = width - len(margin) {
		n := fit(rest, room)
		if n == len(rest) {
			return append(lines, joined(lines, margin, rest))
		}
		lines = append(lines, joined(lines, margin, rest[:n]))
		rest = rest[n:]
	}
}

// hanging returns what begins the rows after the first, all of it one column
// wide. It takes no more than half of the width: a window that has no room for it
// has none for a session, see [tooSmall]; and deeply indented text gives up its
// own indent first.
func hanging(clusters []cluster, width int) []cluster {
	gutter := 0
	for gutter < len(clusters) && clusters[gutter].gutter {
		gutter++
	}
	spaces := 0
	for gutter+spaces < len(clusters) && clusters[gutter+spaces].text == " " {
		spaces++
	}
	least := hang
	if gutter == 0 {
		least = labelWidth + hang
	}
	spaces = max(spaces+hang, least)
	if gutter+spaces > width/2 {
		spaces = least
	}
	if gutter+spaces > width/2 {
		return nil
	}
	margin := clusters[:gutter:gutter]
	for range spaces {
		margin = append(margin, cluster{text: " ", width: 1, style: tcell.StyleDefault})
	}
	return margin
}

// fit returns how many clusters go into width columns, at least one.
func fit(clusters []cluster, width int) int {
	used, space, word := 0, 0, false
	for i, c := range clusters {
		used += c.width
		if used > width {
			// A break that leaves less than half a line would waste the screen.
			if space > i/2 {
				return space
			}
			return max(i, 1)
		}
		word = word || c.text != " "
		if word && c.text == " " {
			space = i + 1
		}
	}
	return len(clusters)
}

// joined makes a line of clusters, behind the margin if it is not the first.
func joined(before []line, margin, clusters []cluster) line {
	var out line
	add := func(c cluster) {
		if n := len(out); n > 0 && out[n-1].style == c.style {
			out[n-1].text += c.text
			return
		}
		out = append(out, span{text: c.text, style: c.style})
	}
	if len(before) > 0 {
		for _, c := range margin {
			add(c)
		}
	}
	for _, c := range clusters {
		add(c)
	}
	return out
}

// wrapAll wraps each line.
func wrapAll(lines []line, width int) []line {
	var out []line
	for _, l := range lines {
		out = append(out, l.wrap(width)...)
	}
	return out
}

// draw puts the line at x, y, cut off after width columns, and returns how many
// columns it took.
func (l line) draw(screen tcell.Screen, x, y, width int) int {
	used := 0
	for _, c := range l.clusters() {
		if used+c.width > width {
			break
		}
		screen.Put(x+used, y, c.text, c.style)
		used += c.width
	}
	return used
}

// width is how many columns the line takes.
func (l line) width() int {
	width := 0
	for _, c := range l.clusters() {
		width += c.width
	}
	return width
}

// fill paints a rectangle with spaces, so that nothing shows through.
func fill(screen tcell.Screen, r rect, style tcell.Style) {
	for y := r.y; y < r.y+r.height; y++ {
		for x := r.x; x < r.x+r.width; x++ {
			screen.Put(x, y, " ", style)
		}
	}
}
