// Command screenshot draws the picture of the README: it opens a real session in
// the current folder, plays a short scene on its keyboard, and writes the screen
// as SVG. See `make screenshot`.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/toolcrib/toolcrib/cmd/toolcrib/screen"
)

const (
	cols, rows = 118, 38
	// patience is how long one step of the scene may take.
	patience = time.Minute
)

// step presses keys and waits for what they lead to.
type step struct{ keys, awaits string }

const (
	enter   = "\r"
	escape  = "\x1b"
	approve = "\x1b[C\x1b[C\x1b[C" + enter // to the last button
)

// scene ends with a card on the screen, a command that ran, and its shell.
var scene = []step{
	{"", "trust this workspace"},
	{escape, "F6 next"},
	{`/call Read {"path":"CONTRIBUTING.md","limit":3}` + enter, "done after"},
	{`/call Bash {"command":"ls plugins examples; exit 3"}` + enter, "Approve"},
	{approve, "error after"},
	{`/call Edit {"path":"CONTRIBUTING.md","old_string":"the session here","new_string":"a session here"}` + enter, "Approve"},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("screenshot: ")
	program := flag.String("toolcrib", "bin/toolcrib", "the `binary` to run")
	out := flag.String("out", "docs/session.svg", "the `file` to write")
	flag.Parse()
	if err := run(*program, *out); err != nil {
		log.Fatal(err)
	}
}

func run(program, out string) error {
	home, err := os.MkdirTemp("", "toolcrib-screenshot")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	// A prompt that is the same on every machine.
	if err := os.WriteFile(filepath.Join(home, ".bashrc"), []byte("PS1='~/toolcrib $ '\n"), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(program)
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "SHELL=bash", "HISTFILE=",
		"TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
	}
	session, err := screen.Start(cmd, cols, rows)
	if err != nil {
		return err
	}
	defer session.Close()
	for _, s := range scene {
		if err := play(session, s); err != nil {
			return err
		}
	}
	return os.WriteFile(out, []byte(session.SVG()), 0o644)
}

func play(session *screen.Program, s step) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := session.Send(s.keys); err != nil {
		return err
	}
	text, err := session.Await(ctx, func(text string) bool { return strings.Contains(text, s.awaits) })
	if err != nil {
		return fmt.Errorf("waiting for %q: %w; the screen is:\n%s", s.awaits, err, text)
	}
	return nil
}
