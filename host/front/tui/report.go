package tui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/session"
)

// errorLines draws an error: what happened, where in config.hcl, what to do.
func errorLines(t theme, err error) []line {
	lines := noticeLines(t, session.Error, err.Error())
	var broken *host.ConfigError
	if errors.As(err, &broken) {
		lines = append(lines, diagnosticLines(t, broken.Diagnostics)...)
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		lines = append(lines, line{plain(t.faint, "hint: "), plain(t.plain, oneLine(hinted.Hint()))})
	}
	return lines
}

func diagnosticLines(t theme, found config.Diagnostics) []line {
	var b strings.Builder
	_ = found.Render(&b, false) // a Builder takes everything
	return quoted(t, textLines(t.plain, b.String()))
}

// reportLines draws what a reload did under a heading; nil for none.
func reportLines(t theme, heading string, r *host.Report) []line {
	if r == nil {
		return nil
	}
	lines := []line{textLine(t.strong, heading)}
	for _, text := range r.Settings {
		lines = append(lines, quoted(t, []line{textLine(t.plain, oneLine(text))})...)
	}
	for _, p := range r.Providers {
		style := t.good
		switch p.Action {
		case host.Failed, host.KeptOld:
			style = t.bad
		case host.Kept:
			style = t.faint
		}
		action := strings.ReplaceAll(string(p.Action), "_", " ")
		lines = append(lines, line{plain(t.strong, "  "+p.Provider+" "), plain(style, action), plain(t.plain, because(oneLine(p.Reason)))})
	}
	lines = append(lines, diagnosticLines(t, r.Diagnostics)...)
	if !r.Trusted {
		lines = append(lines, textLine(t.caution, "what is new waits for your trust: answer the card, or type /trust"))
	}
	return lines
}

func (a *app) cmdPlugins(args string) error {
	if words := strings.Fields(args); len(words) > 0 {
		if words[0] != "reload" || len(words) > 2 {
			return errors.New("use /plugins, or /plugins reload NAME")
		}
		return a.cmdReload(strings.Join(words[1:], ""))
	}
	providers := a.session.Providers()
	if len(providers) == 0 {
		a.say(textLine(a.theme.plain, "no provider runs; config.hcl declares them, and /trust shows what waits for your trust"))
		return nil
	}
	var lines []line
	for _, p := range providers {
		lines = append(lines, providerLines(a.theme, p)...)
	}
	a.say(lines...)
	return nil
}

// providerLines draws a provider's health: a line for the sound ones, more for
// what explains the others.
func providerLines(t theme, p plugin.Status) []line {
	facts := []string{fmt.Sprintf("%d tools", p.Tools), fmt.Sprintf("%d calls", p.Calls)}
	if p.Version != "" {
		facts = append(facts, "version "+p.Version)
	}
	if p.PID != 0 {
		facts = append(facts, fmt.Sprintf("pid %d", p.PID))
	}
	if p.Crashes > 0 {
		facts = append(facts, fmt.Sprintf("%d crashes", p.Crashes))
	}
	lines := []line{{
		plain(t.strong, p.Name+"  "), plain(stateStyle(t, string(p.State)), joinColon(string(p.State), oneLine(p.Reason))),
		plain(t.faint, "  "+strings.Join(facts, " · ")),
	}}
	for _, u := range p.Upstreams {
		lines = append(lines, line{plain(t.plain, "  upstream "+u.Name+" "), plain(stateStyle(t, u.State), joinColon(u.State, oneLine(u.Reason)))})
	}
	tail := p.StderrTail
	if p.LastCrash != nil {
		lines = append(lines, line{plain(t.bad, "  last crash: "), plain(t.plain, oneLine(p.LastCrash.Reason))})
		tail = p.LastCrash.StderrTail
	}
	if p.State != plugin.Ready || p.LastCrash != nil {
		for _, text := range tail {
			lines = append(lines, quoted(t, []line{textLine(t.faint, text)})...)
		}
	}
	for _, warning := range p.Warnings {
		lines = append(lines, line{plain(t.caution, "  printed on standard output: "), plain(t.plain, warning)})
	}
	return lines
}
