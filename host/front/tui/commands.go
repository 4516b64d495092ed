package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/pool"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
)

// command is a word after a slash on the input line.
type command struct {
	name, args, help string
	run              func(a *app, args string) error
}

// commands lists them as /help does.
func commands() []command {
	return []command{
		{"/call", "TOOL JSON", "call a tool; Tab completes its name and its input", (*app).cmdCall},
		{"/tools", "", "list the tools, their state and why", (*app).cmdTools},
		{"/plugins", "[reload NAME]", "list the providers and their health, or start one anew", (*app).cmdPlugins},
		{"/reload", "[NAME]", "read config.hcl again and start what changed, or start one provider anew", (*app).cmdReload},
		{"/mode", "approval recommend|auto|trust [confirm]", "show or change when you are asked", (*app).cmdMode},
		{"/journal", "", "list the decisions of this session", (*app).cmdJournal},
		{"/details", "ID", "show all of a call or an approval", (*app).cmdDetails},
		{"/trust", "", "show what waits for your trust", (*app).cmdTrust},
		{"/help", "", "show this", (*app).cmdHelp},
		{"/quit", "", "leave the session", (*app).cmdQuit},
	}
}

// submit does what was typed on the input line.
func (a *app) submit(text string) {
	a.view.transcript.follow = true
	a.session.Events().Append("", session.Input{Text: text})
	a.events()
	if err := a.dispatch(text); err != nil {
		a.fail(err)
	}
}

func (a *app) dispatch(text string) error {
	if shell, ok := strings.CutPrefix(text, "!"); ok {
		return a.runInShell(strings.TrimSpace(shell))
	}
	if !strings.HasPrefix(text, "/") {
		a.prompt(text)
		return nil
	}
	name, args, _ := strings.Cut(text, " ")
	all := commands()
	at := slices.IndexFunc(all, func(c command) bool { return c.name == name })
	if at < 0 {
		return unknownCommand(name, all)
	}
	return all[at].run(a, strings.TrimSpace(args))
}

// prompt runs the hooks for prompts, which may refuse it. There is no model yet
// that it could go to.
func (a *app) prompt(text string) {
	a.background(func() error {
		if _, err := a.session.Prompt(a.ctx, text); err != nil {
			return err
		}
		return errNoModel
	}, nil)
}

var errNoModel = errors.New("no model is configured: use /call TOOL JSON or !command; /help lists more")

func unknownCommand(name string, all []command) error {
	best, distance := "", len(name)/2+1
	for _, c := range all {
		if d := levenshtein.Distance(name, c.name, nil); d < distance {
			best, distance = c.name, d
		}
	}
	if best == "" {
		return fmt.Errorf("unknown command %s: /help lists the commands", name)
	}
	return fmt.Errorf("unknown command %s: did you mean %s? /help lists the commands", name, best)
}

// runInShell types a command into the person's shell. What the person types is
// their own business: it takes no approval.
func (a *app) runInShell(text string) error {
	switch {
	case a.view.pane == nil:
		return errors.New("this session has no shell: use /call Bash instead")
	case text == "":
		a.focus.person(a.view.pane)
		return nil
	case len(a.focus.handoffs) > 0:
		return errors.New("a tool's command is running in the shell: wait for its end, or press F6 and Ctrl-C to interrupt it")
	case a.view.pane.exited():
		return errors.New("the shell exited: press F6 to go there, and Enter to restart it")
	case a.view.pane.shell.State() == terminal.Running:
		return errors.New("a program is running in the shell and would get the command as its input: press F6 to go there")
	}
	a.view.pane.write([]byte(text + "\r"))
	return nil
}

func (a *app) cmdCall(args string) error {
	tool, input, _ := strings.Cut(args, " ")
	input = strings.TrimSpace(input)
	if tool == "" {
		return errors.New("name a tool: /call TOOL JSON; /tools lists them")
	}
	if input == "" {
		input = "{}"
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(input), &fields); err != nil {
		return fmt.Errorf("the input of %s is not a JSON object: %w; press Tab after the tool's name for a skeleton", tool, err)
	}
	a.call(tool, json.RawMessage(input))
	return nil
}

func (a *app) cmdMode(args string) error {
	words := strings.Fields(args)
	if len(words) == 0 {
		a.say(textLine(a.theme.plain, "approval mode is "+string(a.session.Mode())+"; /mode approval "+strings.Join(modeNames(), "|")+" changes it"))
		return nil
	}
	if words[0] != "approval" || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2] != "confirm" {
		return errors.New("use /mode approval recommend, auto, or trust confirm")
	}
	mode, err := policy.ParseMode(words[1])
	if err != nil {
		return err
	}
	a.background(func() error { return a.session.SetMode(mode, len(words) == 3) }, nil)
	return nil
}

func modeNames() []string {
	var names []string
	for _, mode := range policy.Modes() {
		names = append(names, string(mode))
	}
	return names
}

func (a *app) cmdReload(name string) error {
	reload, heading := a.session.Reload, "configuration read"
	if name != "" {
		reload = func(ctx context.Context) (*host.Report, error) { return a.session.ReloadProvider(ctx, name) }
		heading = "provider reloaded"
	}
	var lines []line
	a.background(func() error {
		report, err := reload(a.ctx)
		lines = reportLines(a.theme, heading, report)
		return err
	}, func() { a.say(lines...) })
	return nil
}

// background does what may take long outside the loop, shows its error, and then
// does the rest in the loop.
func (a *app) background(f func() error, then func()) {
	a.work(func() {
		err := f()
		a.mail.post(func() {
			if then != nil {
				then()
			}
			if err != nil {
				a.fail(err)
			}
			a.cards()
		})
	})
}

func (a *app) cmdQuit(string) error {
	a.cancel()
	return nil
}

// words is what Tab completes.
func (a *app) words() words {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return words{
		commands: names,
		tools:    a.callable,
		schema: func(tool string) (json.RawMessage, bool) {
			entry, ok := a.session.Pool().Lookup(tool)
			return entry.Tool.InputSchema, ok
		},
		ids:       a.ids,
		providers: a.providerNames,
	}
}

// callable are the names of the tools that /call can run.
func (a *app) callable() []string {
	var names []string
	for _, e := range a.session.Pool().Entries() {
		if e.State == pool.Visible || e.State == pool.Deferred {
			names = append(names, e.Tool.Name)
		}
	}
	return names
}

// providerNames are the providers that can be reloaded.
func (a *app) providerNames() []string {
	var names []string
	for _, p := range a.session.Providers() {
		names = append(names, p.Name)
	}
	return names
}

func (a *app) showChoices(candidates []string) {
	const shown = 60
	text := strings.Join(candidates[:min(len(candidates), shown)], "  ")
	if more := len(candidates) - shown; more > 0 {
		text += fmt.Sprintf("  … %d more", more)
	}
	a.say(textLine(a.theme.faint, text))
}
