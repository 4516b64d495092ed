package tui

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/toolcrib/toolcrib/host/terminal"
)

func TestRealShellInThePane(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".bashrc"), []byte("PS1='prompt> '\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shell, err := terminal.Open(t.Context(), terminal.Config{
		Shell: "bash", Dir: home, Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shell.Close(); err != nil {
			t.Error(err)
		}
	})
	shop := newWorkshop()
	shop.shell = shell
	s := play(t, shop)
	s.sees("prompt>")
	s.submit("!stty size; echo h$((1 + 1))llo")
	s.sees("8 80")
	s.sees("h2llo")

	s.press(tcell.KeyF6)
	s.types("echo re$((1))dy; cta")
	s.press(tcell.KeyCtrlT, tcell.KeyEnter) // also the keys of line editing
	s.sees("re1dy")
	s.types("twice")
	s.press(tcell.KeyEnter)
	s.sees("twice\ntwice\n")
	s.press(tcell.KeyCtrlC)
	s.sees("^C\nprompt>")
	s.types("exit")
	s.press(tcell.KeyEnter)
	s.sees("shell exited: press Enter to restart")
	s.press(tcell.KeyEnter)
	s.loses("shell exited")
	s.types("echo a$((2 + 2))gain")
	s.press(tcell.KeyEnter)
	s.sees("a4gain")
}
