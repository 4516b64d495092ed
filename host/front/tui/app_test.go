package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/approval"
	"github.com/toolcrib/toolcrib/host/config"
	"github.com/toolcrib/toolcrib/host/pipeline"
	"github.com/toolcrib/toolcrib/host/plugin"
	"github.com/toolcrib/toolcrib/host/policy"
	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
)

func TestCallRunsBesideOthers(t *testing.T) {
	shop := newWorkshop()
	calls := make(chan pipeline.Invocation)
	shop.invoke = func(ctx context.Context, i pipeline.Invocation) error {
		calls <- i
		<-ctx.Done()
		shop.log.Append("r", session.Notice{Text: "ended: " + context.Cause(ctx).Error()})
		return &pipeline.Refusal{Code: pipeline.Cancelled, Reason: "cancelled"}
	}
	s := play(t, shop)
	s.submit(`/call Bash {"command":"one"}`)
	s.submit(`/call Bash {"command":"two"}`)
	got := string((<-calls).Input) + string((<-calls).Input)
	if !strings.Contains(got, "one") || !strings.Contains(got, "two") {
		t.Errorf("inputs %s, want both", got)
	}
	s.sees("2 running")
	s.press(tcell.KeyCtrlC)
	text := s.loses("running")
	if !strings.Contains(text, "ended: the person pressed Ctrl-C") {
		t.Errorf("the calls were not cancelled by the person:\n%s", text)
	}
}

func TestErrorsOfCommandsSayWhatToDo(t *testing.T) {
	shop := newWorkshop()
	shop.invoke = func(context.Context, pipeline.Invocation) error { return errors.New("the host is closed") }
	shop.reload = func() (*host.Report, error) {
		return nil, &host.ConfigError{Diagnostics: config.Diagnostics{{Severity: config.Error, Summary: "no such block"}}}
	}
	cases := map[string]struct {
		typed string
		want  []string
	}{
		"a prompt that a hook refuses":    {"hunter2", []string{"the hook censor refused the prompt: that is a password"}},
		"plain text without a model":      {"hello there", []string{"no model is configured: use /call TOOL JSON or !command"}},
		"a command that was misspelt":     {"/tolls", []string{"did you mean /tools?"}},
		"a command like no other":         {"/xyzzyfrobnicate", []string{"unknown command /xyzzyfrobnicate: /help"}},
		"a call without a tool":           {"/call", []string{"name a tool: /call TOOL JSON"}},
		"an input that is not an object":  {"/call Read [1]", []string{"not a JSON object", "press Tab"}},
		"a mode that is misspelt":         {"/mode approval trsut", []string{`approval mode "trsut" is unknown`}},
		"a mode without its setting":      {"/mode auto", []string{"use /mode approval"}},
		"details of nothing":              {"/details nope", []string{`no single call or approval has the id "nope"`}},
		"trust when there is nothing":     {"/trust", []string{"nothing waits for your trust"}},
		"a call that the host cannot run": {"/call Read", []string{"error: the host is closed"}},
		"a configuration with errors":     {"/reload", []string{"the configuration has errors", "no such block", "hint: correct them"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := play(t, shop)
			s.submit(c.typed)
			for _, want := range c.want {
				s.until(want, func(p picture) bool { return strings.Contains(unwrapped(p.text), want) })
			}
		})
	}
}

// unwrapped joins the lines of the screen, so that a text is found across them.
func unwrapped(screen string) string { return strings.ReplaceAll(screen, "\n", " ") }

func TestListings(t *testing.T) {
	shop := newWorkshop()
	shop.status = append(shop.status, plugin.Status{
		Name: "lsp", State: plugin.Crashed, Reason: "killed by signal 9", Crashes: 1,
		LastCrash: &plugin.Crash{Reason: "killed by signal 9", StderrTail: []string{"panic: oh no"}},
	})
	shop.reload = func() (*host.Report, error) {
		return &host.Report{Providers: []host.ProviderReport{{Provider: "lsp", Action: host.KeptOld, Reason: "it would not start"}}}, nil
	}
	shop.log.Append("run_1", session.ToolCalled{CallID: "call_AB12", Tool: "Read", Input: []byte(`{"path":"x"}`)})
	cases := map[string]struct {
		typed string
		want  []string
	}{
		"the tools":             {"/tools", []string{"Read  visible · builtin", "Bash  visible"}},
		"the providers":         {"/plugins", []string{"builtin  ready", "lsp  crashed: killed by signal 9", "panic: oh no"}},
		"an empty journal":      {"/journal", []string{"no decisions yet"}},
		"the details of a call": {"/details AB12", []string{"Read call_AB12", `"path": "x"`}},
		"the help":              {"/help", []string{"/call TOOL JSON", "Ctrl-]"}},
		"the mode":              {"/mode", []string{"approval mode is recommend"}},
		"a reload of one":       {"/plugins reload lsp", []string{"provider reloaded", "lsp restarted: it was to be started anew"}},
		"a reload":              {"/reload", []string{"lsp kept old: it would not start", "waits for your trust"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := play(t, shop)
			s.screen.SetSize(120, 60)
			s.submit(c.typed)
			for _, want := range c.want {
				s.sees(want)
			}
		})
	}
	t.Run("a provider's health is in the status bar", func(t *testing.T) {
		play(t, shop).sees("providers 1/2 (lsp crashed)")
	})
}

func TestJournalShowsEveryField(t *testing.T) {
	s := play(t, newWorkshop())
	answer := s.shop.ask(bash("make install"))
	s.sees("approve Bash?")
	id := s.shop.broker.Pending()[0].ID
	s.press(tcell.KeyRight, tcell.KeyRight, tcell.KeyEnter)
	s.decision(answer)
	s.submit("/journal")
	text := s.sees("journal, 1 decisions")
	for _, want := range []string{id, "run_1", "shell", "medium", "allow by person", "subject make install", "preview make install"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	s.submit("/details " + id)
	s.sees(`"command": "make install"`)
}

func TestModeIsChanged(t *testing.T) {
	s := play(t, newWorkshop())
	s.submit("/mode approval trust confirm")
	s.sees("mode trust")
	if got := s.shop.Mode(); got != policy.Trust {
		t.Errorf("mode %s", got)
	}
}

func TestInputLine(t *testing.T) {
	s := play(t, newWorkshop())
	s.submit("first")
	s.submit("second")
	s.types("draft")
	cases := []struct {
		key  tcell.Key
		want string
	}{
		{tcell.KeyUp, "> second"}, {tcell.KeyUp, "> first"}, {tcell.KeyUp, "> first"},
		{tcell.KeyDown, "> second"}, {tcell.KeyDown, "> draft"}, {tcell.KeyDown, "> draft"},
	}
	for _, c := range cases {
		rows := strings.Split(s.press(c.key), "\n")
		if rows[22] != c.want {
			t.Errorf("the input line is %q, want %q", rows[22], c.want)
		}
	}
	s.press(tcell.KeyCtrlC) // empties it
	s.types("/ca")
	s.press(tcell.KeyTab)
	s.types("re")
	s.press(tcell.KeyTab, tcell.KeyTab)
	s.sees(`> /call Read {"path":""}`)
	s.types("README.md") // the cursor is between the quotes
	s.sees(`> /call Read {"path":"README.md"}`)
}

func TestPastes(t *testing.T) {
	t.Run("into the input line without being run", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.paste("/quit\n")
		s.sees("> /quit")
	})
	t.Run("into the shell", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.press(tcell.KeyF6)
		s.paste("a\nb")
		s.press(tcell.KeyEnter)
		if got := s.shell.got(); got != "<a\nb>\r" {
			t.Errorf("the shell got %q", got)
		}
	})
	t.Run("on a card answers nothing", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.ask(bash("ls"))
		s.sees("approve Bash?")
		s.press(tcell.KeyRight, tcell.KeyRight)
		s.paste("y\n")
		s.press(tcell.KeyEnter)
		s.undecided(1)
	})
}

func TestShellCommand(t *testing.T) {
	t.Run("is typed into the shell", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.submit("!ls -l")
		if got := s.shell.got(); got != "ls -l\r" {
			t.Errorf("the shell got %q", got)
		}
	})
	t.Run("is not typed into a program that runs there", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shell.becomes(terminal.Running)
		s.submit("!ls")
		s.sees("a program is running in the shell")
		if got := s.shell.got(); got != "" {
			t.Errorf("the shell got %q", got)
		}
	})
}

func TestWindowSizes(t *testing.T) {
	s := play(t, newWorkshop())
	s.shop.ask(bash("ls"))
	s.sees("approve Bash?")
	if got := s.shell.cells(); got != [2]int{80, 8} {
		t.Errorf("the PTY has %v cells", got)
	}
	s.press(tcell.KeyRight, tcell.KeyRight)

	s.resize(40, 10)
	s.sees("The window has 40x10 cells")
	s.press(tcell.KeyEnter) // the card cannot be seen
	s.undecided(1)

	s.resize(200, 50)
	s.sees("│")
	s.sees("approve Bash?")
	if got := s.shell.cells(); got[0] < 100 || got[1] < 40 {
		t.Errorf("the PTY has %v cells", got)
	}
}

// resize changes the size of the window as a terminal does.
func (s *stage) resize(width, height int) {
	s.screen.SetSize(width, height)
	_ = s.screen.PostEvent(tcell.NewEventResize(width, height))
}

func TestLeaving(t *testing.T) {
	ways := map[string]func(s *stage){
		"/quit":         func(s *stage) { s.types("/quit"); s.screen.InjectKey(tcell.KeyEnter, 0, 0) },
		"Ctrl-D":        func(s *stage) { s.screen.InjectKey(tcell.KeyCtrlD, 0, 0) },
		"Ctrl-C twice":  func(s *stage) { s.press(tcell.KeyCtrlC); s.screen.InjectKey(tcell.KeyCtrlC, 0, 0) },
		"a closed host": func(s *stage) { s.app.cancel() },
	}
	for name, leave := range ways {
		t.Run(name, func(t *testing.T) {
			shop := newWorkshop()
			running := make(chan struct{})
			shop.invoke = func(ctx context.Context, _ pipeline.Invocation) error {
				close(running)
				<-ctx.Done()
				return ctx.Err()
			}
			s := play(t, shop)
			if name != "Ctrl-C twice" {
				s.submit("/call Read")
				<-running
			}
			leave(s)
			<-s.done
		})
	}
}

func TestRunThatIsCancelledBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := Run(ctx, newWorkshop(), Options{Screen: screen}); err != nil {
		t.Fatal(err)
	}
}

func TestAPanicElsewhereRestoresTheScreen(t *testing.T) {
	shop := newWorkshop()
	shop.invoke = func(context.Context, pipeline.Invocation) error { panic("the sky fell") }
	screen := &finishing{SimulationScreen: tcell.NewSimulationScreen("UTF-8")}
	a := newApp(t.Context(), shop, Options{Screen: screen})
	defer func() {
		if p := recover(); p == nil || !strings.Contains(p.(string), "the sky fell") {
			t.Errorf("recovered %v", p)
		}
		if !screen.finished {
			t.Error("the screen was not restored")
		}
		a.cancel()
	}()
	a.call("Read", nil)
	_ = a.run()
}

// finishing notes that the screen was given back.
type finishing struct {
	tcell.SimulationScreen
	finished bool
}

func (f *finishing) Fini() {
	f.finished = true
	f.SimulationScreen.Fini()
}

func TestNoColorUsesAttributesOnly(t *testing.T) {
	th := newTheme(true)
	for _, style := range []tcell.Style{
		th.plain, th.strong, th.faint, th.good, th.caution, th.bad, th.added, th.removed, th.hunk,
		th.rule, th.focused, th.alert, th.button, th.selected,
	} {
		if fg, bg, _ := style.Decompose(); fg != tcell.ColorDefault || bg != tcell.ColorDefault {
			t.Errorf("a style has colours %v on %v", fg, bg)
		}
	}
	p := &pane{theme: th}
	if fg, _, _ := p.style(terminal.Cell{Fg: terminal.Palette(1)}).Decompose(); fg != tcell.ColorDefault {
		t.Errorf("the shell has the colour %v", fg)
	}
}

func TestDecisionOfAnotherFrontTakesTheCardAway(t *testing.T) {
	s := play(t, newWorkshop())
	s.types("half a li")
	s.shop.ask(bash("ls"))
	s.sees("approve Bash?")
	if err := s.shop.broker.Decide(s.shop.broker.Pending()[0].ID, approval.Decision{Verdict: approval.Allow}); err != nil {
		t.Fatal(err)
	}
	s.loses("approve Bash?")
	s.types("ne")
	s.sees("> half a line")
}
