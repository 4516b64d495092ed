package tui

import (
	"strings"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/approval"
)

func bash(command string) approval.Request {
	return approval.Request{
		Kind: approval.KindShell, Tool: "Bash", Origin: "builtin", CallID: "call_1", RunID: "run_1",
		Input: []byte(`{"command":"` + command + `"}`), Subject: command, Risk: "medium", RiskReason: "it writes",
		Reason: "mode recommend asks for every call", PreviewKind: "command", Preview: command,
	}
}

func TestCardShowsWhatIsAsked(t *testing.T) {
	s := play(t, newWorkshop())
	request := bash("make install")
	request.Warnings = []string{"sandbox-guard: outside of the workspace"}
	s.shop.ask(request)
	text := s.sees("approve Bash?")
	for _, want := range []string{
		"[1/1]", "Bash · builtin", "MEDIUM: it writes", "make install", "sandbox-guard: outside of the workspace",
		"mode recommend asks for every call", "[ Details ]", "[ Deny ]", "[ Approve ]", "1 waiting",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the card lacks %q:\n%s", want, text)
		}
	}
}

func TestCardIsAnsweredByMovesAndEnter(t *testing.T) {
	cases := map[string]struct {
		keys []tcell.Key
		want approval.Verdict
	}{
		"two steps right and Enter approve":   {[]tcell.Key{tcell.KeyRight, tcell.KeyRight, tcell.KeyEnter}, approval.Allow},
		"two Tabs and Enter approve":          {[]tcell.Key{tcell.KeyTab, tcell.KeyTab, tcell.KeyEnter}, approval.Allow},
		"one step right and Enter deny":       {[]tcell.Key{tcell.KeyRight, tcell.KeyEnter}, approval.Deny},
		"a step back from Approve is Deny":    {[]tcell.Key{tcell.KeyTab, tcell.KeyTab, tcell.KeyLeft, tcell.KeyEnter}, approval.Deny},
		"Backtab moves back":                  {[]tcell.Key{tcell.KeyTab, tcell.KeyTab, tcell.KeyBacktab, tcell.KeyEnter}, approval.Deny},
		"Right stays on the last button":      {[]tcell.Key{tcell.KeyRight, tcell.KeyRight, tcell.KeyRight, tcell.KeyEnter}, approval.Allow},
		"Esc cancels":                         {[]tcell.Key{tcell.KeyEscape}, approval.Cancel},
		"Esc cancels from any button":         {[]tcell.Key{tcell.KeyRight, tcell.KeyRight, tcell.KeyEscape}, approval.Cancel},
		"Details does not stand in the way":   {[]tcell.Key{tcell.KeyEnter, tcell.KeyEnter, tcell.KeyRight, tcell.KeyRight, tcell.KeyEnter}, approval.Allow},
		"scrolling keeps the choice":          {[]tcell.Key{tcell.KeyRight, tcell.KeyDown, tcell.KeyPgDn, tcell.KeyUp, tcell.KeyEnter}, approval.Deny},
		"Tab goes round past the last button": {[]tcell.Key{tcell.KeyTab, tcell.KeyTab, tcell.KeyTab, tcell.KeyTab, tcell.KeyEnter}, approval.Deny},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := play(t, newWorkshop())
			answer := s.shop.ask(bash("ls"))
			s.sees("approve Bash?")
			s.press(c.keys...)
			if got := s.decision(answer); got.Verdict != c.want || got.By != "person" {
				t.Errorf("decision %+v, want %s by person", got, c.want)
			}
			s.loses("approve Bash?")
		})
	}
}

func TestKeysMeantForSomethingElseDoNotAnswer(t *testing.T) {
	cases := map[string]func(s *stage){
		"Enter only shows details": func(s *stage) { s.press(tcell.KeyEnter, tcell.KeyEnter, tcell.KeyEnter) },
		"a typed line and Enter":   func(s *stage) { s.submit("yes y a") },
		"typing takes back a choice that was made": func(s *stage) {
			s.press(tcell.KeyRight, tcell.KeyRight)
			s.submit("y")
		},
		"arrows up, as in a shell's history, and Enter": func(s *stage) { s.press(tcell.KeyUp, tcell.KeyUp, tcell.KeyUp, tcell.KeyEnter) },
		"a control key takes back the choice": func(s *stage) {
			s.press(tcell.KeyRight, tcell.KeyRight, tcell.KeyCtrlW, tcell.KeyEnter)
		},
		"Ctrl-C and Ctrl-D": func(s *stage) { s.press(tcell.KeyCtrlC, tcell.KeyCtrlD) },
	}
	for name, keys := range cases {
		t.Run(name, func(t *testing.T) {
			s := play(t, newWorkshop())
			s.shop.ask(bash("ls"))
			s.sees("approve Bash?")
			keys(s)
			s.undecided(1)
			if got := s.shell.got(); got != "" {
				t.Errorf("the shell got %q", got)
			}
			if got := s.app.view.input.GetText(); got != "" {
				t.Errorf("the input line got %q", got)
			}
		})
	}
}

func TestCardThatComesWhileTyping(t *testing.T) {
	s := play(t, newWorkshop())
	s.types("/call Re")
	answer := s.shop.ask(bash("ls"))
	s.sees("approve Bash?")

	s.press(tcell.KeyTab, tcell.KeyEnter) // meant to complete and to run
	s.undecided(1)
	s.types("ad")
	s.press(tcell.KeyEnter)
	s.undecided(1)
	if text := s.press(tcell.KeyEscape); !strings.Contains(text, "> /call Re") {
		t.Errorf("the input line lost what had been typed:\n%s", text)
	}
	if got := s.decision(answer); got.Verdict != approval.Cancel {
		t.Errorf("verdict %s, want cancel", got.Verdict)
	}
	s.types("ad")
	s.sees("> /call Read")
}

func TestCardThatTakesTheKeysFromTheShell(t *testing.T) {
	s := play(t, newWorkshop())
	s.press(tcell.KeyF6)
	s.types("ls")
	s.shop.ask(bash("rm -r x"))
	s.sees("approve Bash?")

	s.press(tcell.KeyUp, tcell.KeyEscape, tcell.KeyEnter)
	s.types("q")
	s.undecided(1)
	if got := s.shell.got(); got != "ls" {
		t.Errorf("the shell got %q, want only what came before the card", got)
	}
	s.press(tcell.KeyTab, tcell.KeyTab, tcell.KeyEnter) // the first move only wakes the card
	if got := s.shop.journal.Records(); len(got) != 1 || got[0].Decision.Verdict != approval.Deny {
		t.Errorf("journal %+v, want one denial", got)
	}
	s.types(" -l") // the shell has its keys back
	if got := s.shell.got(); got != "ls -l" {
		t.Errorf("the shell got %q, want %q", got, "ls -l")
	}
}

func TestQueueOfCards(t *testing.T) {
	s := play(t, newWorkshop())
	first := s.shop.ask(bash("one"))
	s.sees("[1/1]")
	second := s.shop.ask(bash("two"))
	third := s.shop.ask(bash("three"))
	if text := s.sees("[1/3]"); !strings.Contains(text, "one") {
		t.Errorf("a new card took the place of the one being read:\n%s", text)
	}

	s.types("]")
	s.sees("[2/3]")
	s.press(tcell.KeyRight, tcell.KeyEnter)
	if got := s.decision(second); got.Verdict != approval.Deny {
		t.Errorf("second: %s, want deny", got.Verdict)
	}
	if text := s.sees("[2/2]"); !strings.Contains(text, "three") {
		t.Errorf("the card after the second is not the third:\n%s", text)
	}
	s.press(tcell.KeyEnter, tcell.KeyEnter) // a key too many does not approve the next
	s.undecided(2)

	s.types("[")
	s.sees("[1/2]")
	s.press(tcell.KeyRight, tcell.KeyRight, tcell.KeyEnter)
	if got := s.decision(first); got.Verdict != approval.Allow {
		t.Errorf("first: %s, want allow", got.Verdict)
	}
	s.sees("[1/1]")
	s.press(tcell.KeyEscape)
	if got := s.decision(third); got.Verdict != approval.Cancel {
		t.Errorf("third: %s, want cancel", got.Verdict)
	}
	s.loses("waiting")
}

func TestEnterOnItsWayToACardThatWentDoesNotAnswerTheNext(t *testing.T) {
	s := play(t, newWorkshop())
	s.shop.ask(bash("one"))
	s.sees("[1/1]")
	s.shop.ask(bash("two"))
	s.sees("[1/2]")
	s.press(tcell.KeyRight, tcell.KeyRight) // on Approve
	if err := s.shop.broker.Decide(s.shop.broker.Pending()[0].ID, approval.Decision{Verdict: approval.Deny, By: "host"}); err != nil {
		t.Fatal(err)
	}
	s.sees("[1/1]")
	s.press(tcell.KeyEnter)
	s.undecided(1)
}

func TestDetailsShowTheWholeInput(t *testing.T) {
	s := play(t, newWorkshop())
	request := bash("x")
	request.Kind, request.Tool, request.Preview = approval.KindTool, "words__count", ""
	request.Input = []byte(`{"text":"` + strings.Repeat("lorem ipsum ", 60) + `the very end"}`)
	s.shop.ask(request)
	if text := s.sees("words__count"); strings.Contains(text, "the very end") {
		t.Fatal("the closed card shows everything already")
	}
	s.press(tcell.KeyEnter)
	s.sees("[ Less ]")
	s.press(tcell.KeyPgDn, tcell.KeyPgDn, tcell.KeyPgDn)
	s.sees("the very end")
	s.press(tcell.KeyEnter)
	s.sees("[ Details ]")
	s.undecided(1)
}

func TestCardByMouse(t *testing.T) {
	s := play(t, newWorkshop())
	answer := s.shop.ask(bash("ls"))
	text := s.sees("[ Approve ]")
	x, y := position(t, text, "[ Approve ]")
	s.screen.InjectMouse(x+3, y, tcell.ButtonPrimary, tcell.ModNone)
	s.screen.InjectMouse(x+3, y, tcell.ButtonNone, tcell.ModNone)
	if got := s.decision(answer); got.Verdict != approval.Allow {
		t.Errorf("verdict %s, want allow", got.Verdict)
	}
}

// position finds text on the screen, in cells.
func position(t *testing.T, screen, text string) (x, y int) {
	t.Helper()
	for y, row := range strings.Split(screen, "\n") {
		if before, _, ok := strings.Cut(row, text); ok {
			return len([]rune(before)), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, screen)
	return 0, 0
}

func TestQuestion(t *testing.T) {
	question := func(q approval.Question) approval.Request {
		return approval.Request{Kind: approval.KindQuestion, Tool: "Deploy", Origin: "plugin ops", Question: &q}
	}
	options := []approval.Option{{Label: "staging"}, {Label: "production", Description: "careful"}}

	t.Run("an option is chosen and sent", func(t *testing.T) {
		s := play(t, newWorkshop())
		answer := s.shop.ask(question(approval.Question{Text: "Where to?", Options: options}))
		s.sees("( ) production: careful")
		s.press(tcell.KeyDown, tcell.KeyDown, tcell.KeyEnter)
		s.sees("(x) production")
		s.press(tcell.KeyEnter)
		if got := s.decision(answer); got.Verdict != approval.Allow || len(got.Selected) != 1 || got.Selected[0] != 1 {
			t.Errorf("decision %+v, want option 1", got)
		}
	})
	t.Run("several options may be chosen", func(t *testing.T) {
		s := play(t, newWorkshop())
		answer := s.shop.ask(question(approval.Question{Text: "Where to?", Options: options, MultiSelect: true}))
		s.sees("[ ] staging")
		s.press(tcell.KeyDown, tcell.KeyEnter, tcell.KeyDown, tcell.KeyEnter, tcell.KeyDown, tcell.KeyEnter)
		if got := s.decision(answer); len(got.Selected) != 2 {
			t.Errorf("decision %+v, want both options", got)
		}
	})
	t.Run("a text is typed", func(t *testing.T) {
		s := play(t, newWorkshop())
		answer := s.shop.ask(question(approval.Question{Text: "Which branch?", AllowFreeText: true}))
		s.sees("answer:")
		s.press(tcell.KeyTab)
		s.types("maim")
		s.press(tcell.KeyBackspace)
		s.types("n")
		s.sees("answer: main")
		s.press(tcell.KeyEnter, tcell.KeyEnter)
		if got := s.decision(answer); got.Text != "main" {
			t.Errorf("decision %+v, want main", got)
		}
	})
	t.Run("Enter alone answers nothing", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.ask(question(approval.Question{Text: "Where to?", Options: options}))
		s.sees("Where to?")
		s.press(tcell.KeyEnter, tcell.KeyEnter)
		s.undecided(1)
	})
	t.Run("declining is a denial", func(t *testing.T) {
		s := play(t, newWorkshop())
		answer := s.shop.ask(question(approval.Question{Text: "Where to?", Options: options}))
		s.sees("Where to?")
		s.press(tcell.KeyTab, tcell.KeyTab, tcell.KeyTab, tcell.KeyTab, tcell.KeyEnter)
		if got := s.decision(answer); got.Verdict != approval.Deny {
			t.Errorf("verdict %s, want deny", got.Verdict)
		}
	})
}

func TestCardCannotBeForged(t *testing.T) {
	hostile := map[string]string{
		"an escape sequence":       "\x1b[2J\x1b[1;1HApproved",
		"a C1 control":             "\u009b2J",
		"a carriage return":        "rm -rf /\rls",
		"a bidi override":          "\u202egnp.exe",
		"a zero-width space":       "r\u200bm",
		"a tview tag":              "[red]safe[-]",
		"a tview region":           `["approve"]x[""]`,
		"bytes that are not UTF-8": "\xff\xfe",
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			s := play(t, newWorkshop())
			request := bash("x")
			request.Preview, request.Reason, request.RiskReason = text, text, text
			request.Tool, request.Origin, request.Subject = text, text, text
			request.Warnings = []string{text}
			s.shop.ask(request)
			got := s.sees("[ Approve ]")
			assertPlain(t, got)
			if strings.HasPrefix(text, "[") && !strings.Contains(got, text) {
				t.Errorf("the tag was interpreted:\n%s", got)
			}
			s.press(tcell.KeyEnter)
			assertPlain(t, s.sees("[ Less ]"))
		})
	}
}

func assertPlain(t *testing.T, screen string) {
	t.Helper()
	for _, r := range screen {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || isFormat(r) || r == '\ufffd' {
			t.Fatalf("the screen holds %U:\n%s", r, screen)
		}
	}
}
