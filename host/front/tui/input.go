package tui

import (
	"strings"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
)

// maxHistory is how many submitted lines the input line remembers.
const maxHistory = 500

// input is the line the person types commands on. What is typed stays when a
// card or the shell takes the keys in between.
type input struct {
	*tview.TextArea
	// submit is given a line that is not empty. complete answers Tab, and
	// choices is told when it has several answers.
	submit   func(text string)
	complete func(text string, cursor int) completion
	choices  func(candidates []string)

	lines []string // submitted, oldest first
	at    int      // the line shown; len(lines) is the one being typed
	draft string   // the one being typed, while another is shown
}

func newInput(t theme) *input {
	area := tview.NewTextArea().SetWrap(false).SetLabel("> ").SetLabelStyle(t.focused).
		SetTextStyle(t.plain).SetSelectedStyle(t.selected).
		SetPlaceholderStyle(t.faint).SetPlaceholder("/help, /call TOOL JSON, !command")
	area.SetBackgroundColor(tcell.ColorDefault)
	return &input{TextArea: area}
}

func (i *input) InputHandler() func(*tcell.EventKey, func(tview.Primitive)) {
	forward := i.TextArea.InputHandler()
	return func(event *tcell.EventKey, setFocus func(tview.Primitive)) {
		switch event.Key() {
		case tcell.KeyEnter:
			i.enter()
		case tcell.KeyTab:
			i.tab()
		case tcell.KeyUp:
			i.recall(-1)
		case tcell.KeyDown:
			i.recall(1)
		case tcell.KeyBacktab, tcell.KeyEscape:
		default:
			forward(event, setFocus)
		}
	}
}

// PasteHandler pastes as one line: a paste never submits.
func (i *input) PasteHandler() func(string, func(tview.Primitive)) {
	forward := i.TextArea.PasteHandler()
	return func(text string, setFocus func(tview.Primitive)) {
		forward(strings.ReplaceAll(strings.TrimRight(text, "\r\n"), "\n", " "), setFocus)
	}
}

func (i *input) enter() {
	text := strings.TrimSpace(i.GetText())
	if text == "" {
		return
	}
	if n := len(i.lines); n == 0 || i.lines[n-1] != text {
		i.lines = append(i.lines, text)
	}
	if excess := len(i.lines) - maxHistory; excess > 0 {
		i.lines = i.lines[excess:]
	}
	i.clear()
	i.submit(text)
}

// clear empties the line.
func (i *input) clear() {
	i.at, i.draft = len(i.lines), ""
	i.SetText("", true)
}

// recall shows an earlier or a later line.
func (i *input) recall(delta int) {
	to := min(max(i.at+delta, 0), len(i.lines))
	if to == i.at {
		return
	}
	if i.at == len(i.lines) {
		i.draft = i.GetText()
	}
	i.at = to
	text := i.draft
	if to < len(i.lines) {
		text = i.lines[to]
	}
	i.SetText(text, true)
}

func (i *input) tab() {
	_, _, cursor := i.GetSelection()
	c := i.complete(i.GetText(), cursor)
	if c.text != i.GetText() {
		i.SetText(c.text, true)
	}
	i.Select(c.cursor, c.cursor)
	if len(c.candidates) > 0 {
		i.choices(c.candidates)
	}
}
