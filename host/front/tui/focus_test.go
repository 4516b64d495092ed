package tui

import (
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/session"
	"github.com/toolcrib/toolcrib/host/terminal"
)

func TestFocusGoesToTheShellAndBack(t *testing.T) {
	started := session.HandoffStarted{CallID: "call_1", Command: "sleep 60"}
	ended := session.HandoffEnded{CallID: "call_1", Status: "completed", ExitCode: number(0)}
	t.Run("for a handed-off command", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.press(tcell.KeyCtrlC)
		if got := s.shell.got(); got != "\x03" {
			t.Errorf("the shell got %q, want Ctrl-C", got)
		}
		s.shop.log.Append("r", ended)
		s.loses("F6 or Ctrl-] leaves")
		s.types("x")
		s.sees("> x")
	})
	t.Run("and says so", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("your keys go to the command, F6 leaves")
		s.press(tcell.KeyF6, tcell.KeyF6, tcell.KeyF6) // once around
		s.loses("your keys go to the command")
	})
	t.Run("not for a command that was on its way to the input line", func(t *testing.T) {
		for _, command := range []string{"/tools", "!ls"} {
			s := play(t, newWorkshop())
			s.shop.log.Append("r", started)
			s.sees("F6 or Ctrl-] leaves")
			s.types(command)
			s.sees("> " + command)
			if got := s.shell.got(); got != "" {
				t.Errorf("the shell got %q", got)
			}
		}
	})
	t.Run("not for a pasted command", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.paste("/tools\n")
		s.sees("> /tools")
		if got := s.shell.got(); got != "" {
			t.Errorf("the shell got %q", got)
		}
	})
	t.Run("with all that follows an answer", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.types("y/!")
		if got := s.shell.got(); got != "y/!" {
			t.Errorf("the shell got %q, want y/!", got)
		}
	})
	t.Run("with the search of a full-screen program", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shell.shows(terminal.Screen{AltScreen: true})
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.types("/x")
		if got := s.shell.got(); got != "/x" {
			t.Errorf("the shell got %q, want /x", got)
		}
	})
	t.Run("with everything once the person went there", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.press(tcell.KeyF6, tcell.KeyF6, tcell.KeyF6)
		s.types("/x")
		if got := s.shell.got(); got != "/x" {
			t.Errorf("the shell got %q, want /x", got)
		}
	})
	t.Run("not away from where the person went meanwhile", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.press(tcell.KeyF6, tcell.KeyF6, tcell.KeyF6) // once around
		s.shop.log.Append("r", ended)
		s.sees("exit 0")
		s.types("y")
		if got := s.shell.got(); got != "y" {
			t.Errorf("the shell got %q, want y", got)
		}
	})
	t.Run("not while something is being typed", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.types("/ca")
		s.shop.log.Append("r", started)
		s.sees("in the shell: sleep 60")
		s.types("ll")
		s.sees("> /call")
		if got := s.shell.got(); got != "" {
			t.Errorf("the shell got %q", got)
		}
	})
	t.Run("not away from a card, and after it", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.ask(bash("ls"))
		s.sees("approve Bash?")
		s.shop.log.Append("r", started)
		s.sees("Esc cancels")
		s.press(tcell.KeyEscape)
		s.sees("F6 or Ctrl-] leaves")
	})
	t.Run("a card leaves the keys to a command that asks", func(t *testing.T) {
		s := play(t, newWorkshop())
		s.shop.log.Append("r", started)
		s.sees("F6 or Ctrl-] leaves")
		s.shop.ask(bash("ls"))
		s.sees("F6 to answer")
		s.types("y")
		if got := s.shell.got(); got != "y" {
			t.Errorf("the shell got %q, want y", got)
		}
		s.shop.log.Append("r", ended)
		s.sees("Tab or ← → to answer") // asleep: the person may be typing on
	})
}
