package builtin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/agext/levenshtein"
)

// replacement is the text to find and what to put in its place, with the line
// ends of the file.
type replacement struct{ old, new string }

// fitLineEnds gives both texts the line ends of the content. Models write LF
// whatever the file has. In a file that mixes them, the text is taken as it is,
// unless it only occurs with CRLF.
func fitLineEnds(content, old, new string) replacement {
	crlf := strings.Count(content, "\r\n")
	exact := replacement{old, new}
	dos := replacement{withCRLF(old), withCRLF(new)}
	switch {
	case crlf == 0:
		return exact
	case crlf == strings.Count(content, "\n"):
		return dos
	case !strings.Contains(content, old) && strings.Contains(content, dos.old):
		return dos
	}
	return exact
}

func withCRLF(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", "\r\n")
}

// places returns where old occurs, also where two occurrences overlap: a text
// with those is not unique. An empty text occurs at the start of an empty file.
func (r replacement) places(content string) []int {
	if r.old == "" {
		return []int{0}
	}
	var places []int
	for from := 0; ; {
		at := strings.Index(content[from:], r.old)
		if at < 0 {
			return places
		}
		places = append(places, from+at)
		from += at + 1
	}
}

// lineNumbers lists the lines of the places, the first ten of them.
func lineNumbers(content string, places []int) string {
	const most = 10
	var numbers []string
	line, from := 1, 0
	for _, at := range places[:min(len(places), most)] {
		line += strings.Count(content[from:at], "\n")
		from = at
		numbers = append(numbers, strconv.Itoa(line))
	}
	if len(places) > most {
		numbers = append(numbers, "...")
	}
	return strings.Join(numbers, ", ")
}

// numbered is a line as Read shows it.
var numbered = regexp.MustCompile(`^ *\d+\t`)

// explainMismatch says what in content comes nearest to a text that is not in it.
func explainMismatch(content, old string) string {
	wanted := strings.Split(strings.Trim(old, "\r\n"), "\n")
	lines := strings.Split(content, "\n")
	if numbered.MatchString(wanted[0]) {
		return "it begins with a line number of Read, which is not part of the file; leave the numbers and the tabs after them out"
	}
	if i := indexByWords(lines, wanted); i >= 0 {
		for j := range wanted {
			if have := strings.TrimRight(lines[i+j], "\r"); have != strings.TrimRight(wanted[j], "\r") {
				return fmt.Sprintf("line %d differs from it in white space only: the file has %q and old_string has %q", i+j+1, have, wanted[j])
			}
		}
	}
	if i := nearestLine(lines, firstText(wanted)); i >= 0 {
		return fmt.Sprintf("the nearest line is %d: %q; read the file again and copy the text from there", i+1, strings.TrimRight(lines[i], "\r"))
	}
	return "no line is like it; read the file again and copy the text from there"
}

// indexByWords finds wanted in lines when white space does not count.
func indexByWords(lines, wanted []string) int {
	bare := func(s string) string { return strings.Join(strings.Fields(s), "") }
	want := make([]string, len(wanted))
	for i, line := range wanted {
		want[i] = bare(line)
	}
	if strings.Join(want, "") == "" {
		return -1
	}
	have := make([]string, len(lines))
	for i, line := range lines {
		have[i] = bare(line)
	}
search:
	for i := range len(have) - len(want) + 1 {
		for j := range want {
			if have[i+j] != want[j] {
				continue search
			}
		}
		return i
	}
	return -1
}

func firstText(lines []string) string {
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// nearestLine returns the index of the line most like wanted, or -1 when none is.
func nearestLine(lines []string, wanted string) int {
	const (
		maxLines  = 20_000
		maxLength = 300
		alike     = 0.6
	)
	best, nearest := alike, -1
	if wanted == "" || len(wanted) > maxLength {
		return -1
	}
	for i, line := range lines[:min(len(lines), maxLines)] {
		line = strings.TrimSpace(line)
		// A line of another length cannot be that much alike.
		if len(line)*10 < len(wanted)*4 || len(line)*4 > len(wanted)*10 {
			continue
		}
		if s := levenshtein.Similarity(line, wanted, nil); s > best {
			best, nearest = s, i
		}
	}
	return nearest
}
