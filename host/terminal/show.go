package terminal

import (
	"fmt"
	"strings"
	"unicode"
)

// promptPosition is where the prompt ended and typing begins.
type promptPosition struct{ x, y int }

// maxShown bounds how many lines of a handed-off command are shown.
const maxShown = 20

func (t *Terminal) promptPosition() *promptPosition {
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	at := t.emu.vt.CursorPosition()
	return &promptPosition{at.X, at.Y}
}

// showCommand puts the command where the person would have typed it, over the
// line that was typed instead. It does so only where it finds that line. The
// caller holds mu.
func (t *Terminal) showCommand(inst *instance, j *job) {
	if inst.promptAt == nil {
		return
	}
	t.screenMu.Lock()
	defer t.screenMu.Unlock()
	typed := j.staged.line(inst.kind)
	cols := t.emu.vt.Width()
	x := inst.promptAt.x
	now := t.emu.vt.CursorPosition()
	// The screen may have scrolled since the prompt.
	y := now.Y - 1 - (x+len(typed)-1)/cols
	if now.X != 0 || y < 0 || !t.shows(x, y, typed[:min(len(typed), cols-x)]) {
		return
	}
	t.emu.write(fmt.Appendf(nil, "\x1b[%d;%dH\x1b[J%s\r\n", y+1, x+1, shown(j.command)))
	t.redraw()
}

// shows reports whether the row has the text from column x on.
func (t *Terminal) shows(x, y int, text string) bool {
	for i, r := range text {
		if cell := t.emu.vt.CellAt(x+i, y); cell == nil || cell.Content != string(r) {
			return false
		}
	}
	return true
}

// shown is a command as a terminal would echo it: without control characters,
// and not more than a few lines of it.
func shown(command string) string {
	lines := strings.Split(strings.TrimRight(command, "\n"), "\n")
	if more := len(lines) - maxShown; more > 0 {
		lines = append(lines[:maxShown:maxShown], fmt.Sprintf("[... %d more lines]", more))
	}
	for i, line := range lines {
		line = strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return unicode.ReplacementChar
		}, strings.ReplaceAll(line, "\t", "    "))
		if runes := []rune(line); len(runes) > maxShownLine {
			line = string(runes[:maxShownLine]) + "[...]"
		}
		lines[i] = line
	}
	return strings.Join(lines, "\r\n")
}

// maxShownLine bounds a shown line, in characters.
const maxShownLine = 400
