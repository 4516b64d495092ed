package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/pool"
)

func (a *app) cmdTools(string) error {
	p := a.session.Pool()
	lines := []line{textLine(a.theme.strong, fmt.Sprintf("tools, revision %d", p.Revision))}
	for _, e := range p.Entries() {
		style := a.theme.plain
		if e.State != pool.Visible {
			style = a.theme.faint
		}
		description, _, _ := strings.Cut(cmp.Or(e.Tool.Title, e.Tool.Description), "\n")
		lines = append(lines, line{
			plain(style.Bold(e.State == pool.Visible), "  "+e.Tool.Name),
			plain(style, fmt.Sprintf("  %s · %s", e.State, e.Tool.Origin)),
			plain(a.theme.faint, because(cmp.Or(e.Reason, description))),
		})
	}
	a.say(lines...)
	return nil
}

// cmdJournal lists the decisions, two lines each: who decided what, and the
// first line of what was shown.
func (a *app) cmdJournal(string) error {
	records := a.session.Journal().Records()
	if len(records) == 0 {
		a.say(textLine(a.theme.plain, "no decisions yet in this session"))
		return nil
	}
	lines := []line{textLine(a.theme.strong, fmt.Sprintf("journal, %d decisions", len(records)))}
	for _, r := range records {
		lines = append(lines, recordLines(a.theme, r)...)
	}
	a.say(lines...)
	return nil
}

func recordLines(t theme, r approval.Record) []line {
	verdict := t.good
	if r.Decision.Verdict != approval.Allow {
		verdict = t.bad
	}
	preview, more, _ := strings.Cut(r.Request.Preview, "\n")
	if more != "" {
		preview += " …"
	}
	return []line{
		{
			plain(t.strong, r.Request.ID), plain(t.plain, "  "+r.Request.RunID+"  "+string(r.Request.Kind)+"  risk "),
			plain(t.risk(r.Request.Risk), r.Request.Risk), plain(t.plain, "  "),
			plain(verdict, string(r.Decision.Verdict)), plain(t.faint, " by "+r.Decision.By),
		},
		{plain(t.faint, "  subject "), plain(t.plain, shorten(oneLine(r.Request.Subject), inputChars))},
		{plain(t.faint, "  preview "), plain(t.plain, cmp.Or(shorten(preview, inputChars), "(none)"))},
	}
}

// cmdDetails shows all of a call, or of an approval that waits or was decided.
func (a *app) cmdDetails(id string) error {
	if id == "" {
		return errors.New("name a call or an approval: /details ID; the ids stand in the transcript and in /journal")
	}
	if c := a.history.find(id); c != nil {
		a.say(c.details(a.theme, a.session.Events().Since(0))...)
		return nil
	}
	for _, r := range a.session.Approvals().Pending() {
		if r.ID == id {
			a.say(requestDetails(a.theme, r)...)
			return nil
		}
	}
	for _, r := range a.session.Journal().Records() {
		if r.Request.ID == id {
			a.say(append(recordLines(a.theme, r)[:1], requestDetails(a.theme, r.Request)...)...)
			return nil
		}
	}
	return fmt.Errorf("no single call or approval has the id %q: Tab lists the ids of this session", id)
}

// ids are what /details knows, the latest last.
func (a *app) ids() []string {
	var ids []string
	for _, c := range a.history.order {
		ids = append(ids, c.id)
	}
	for _, r := range a.session.Journal().Records() {
		ids = append(ids, r.Request.ID)
	}
	return ids
}

func (a *app) cmdHelp(string) error {
	t := a.theme
	lines := []line{textLine(t.strong, "commands")}
	for _, c := range commands() {
		lines = append(lines, line{plain(t.strong, "  "+strings.TrimSpace(c.name+" "+c.args)), plain(t.faint, "  "+c.help)})
	}
	lines = append(lines,
		line{plain(t.strong, "  !command"), plain(t.faint, "  type a command into the shell; ! alone goes there")},
		textLine(t.strong, "keys"))
	for _, k := range helpKeys {
		lines = append(lines, line{plain(t.strong, "  "+k[0]), plain(t.faint, "  "+k[1])})
	}
	a.say(lines...)
	return nil
}

var helpKeys = [][2]string{
	{"F6, Ctrl-]", "move between card, input line, shell and transcript; the mouse does too"},
	{"in the input line", "Enter runs, Tab completes and goes to the next empty value, ↑ ↓ recall, PgUp PgDn scroll the transcript"},
	{"in the shell", "all other keys go to the shell; Shift-PgUp Shift-PgDn or the wheel scroll"},
	{"in the transcript", "PgUp PgDn ↑ ↓ Home End or the wheel scroll; End follows again"},
	{"on a card", "← → or Tab choose, Enter confirms, Esc cancels; ↑ ↓ PgUp PgDn scroll, [ and ] show the next card"},
	{"Shift with the mouse", "select text, in most terminals"},
	{"Ctrl-C", "cancel your running calls; in the shell it goes to the shell"},
	{"Ctrl-D", "leave; what waits for approval is cancelled"},
}
