package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/toolcrib/toolcrib/cmd/toolcrib/screen"
)

// patience is how long a test waits for what it expects; it is no measure of
// speed, and only a failing test takes it.
const patience = 60 * time.Second

// The keys that tests press.
const (
	enter    = "\r"
	escape   = "\x1b"
	left     = "\x1b[D"
	right    = "\x1b[C"
	ctrlC    = "\x03"
	nextPart = "\x1b[17~" // F6
	nextCard = "]"
)

// The buttons of a card are Details, Deny, Approve. These keys go to one from
// wherever the focus of the card is.
const (
	denyKeys    = left + left + left + right
	approveKeys = right + right + right
)

// shellHasKeys is what the screen shows while the shell has the keys.
const shellHasKeys = `━ shell ━`

// person sits before a session of the real program.
type person struct {
	t *testing.T
	*screen.Program
	home string
}

// openIn opens a session in dir on a terminal of that size. env is added to the
// person's environment.
func openIn(t *testing.T, dir string, cols, rows int, env ...string) *person {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(sessionProgram)
	cmd.Dir = dir
	cmd.Env = append(environment(home), env...)
	program, err := screen.Start(cmd, cols, rows)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(program.Close)
	p := &person{t: t, Program: program, home: home}
	p.sees(`auto`)
	return p
}

// workspace makes a folder with these files.
func workspace(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// sees waits until the screen shows all patterns, in any order.
func (p *person) sees(patterns ...string) string {
	p.t.Helper()
	var all []*regexp.Regexp
	for _, pattern := range patterns {
		all = append(all, regexp.MustCompile(pattern))
	}
	return p.awaits("to see "+strings.Join(patterns, " and "), func(text string) bool {
		for _, pattern := range all {
			if !pattern.MatchString(text) {
				return false
			}
		}
		return true
	})
}

// seesGone waits until the screen does not show the pattern.
func (p *person) seesGone(pattern string) {
	p.t.Helper()
	re := regexp.MustCompile(pattern)
	p.awaits("not to see "+pattern, func(text string) bool { return !re.MatchString(text) })
}

func (p *person) awaits(what string, ok func(string) bool) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	text, err := p.Await(ctx, ok)
	if err != nil {
		p.t.Fatalf("waiting %s: %v; the screen is:\n%s", what, err, text)
	}
	return text
}

func (p *person) presses(keys string) {
	p.t.Helper()
	if err := p.Send(keys); err != nil {
		p.t.Fatal(err)
	}
}

// types a line and confirms it.
func (p *person) types(line string) {
	p.t.Helper()
	p.presses(line + enter)
}

// command runs toolcrib beside the session, as the same person.
func (p *person) command(dir string, args ...string) string {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), filepath.Join(programs, "toolcrib"), args...)
	cmd.Dir = dir
	cmd.Env = environment(p.home)
	output, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("toolcrib %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return string(output)
}

func TestSessionReadsAFileOfThisRepository(t *testing.T) {
	p := openIn(t, "../..", 110, 36)
	p.sees(`trust this workspace`, `words`)
	p.presses(escape)
	p.seesGone(`trust this workspace\?`)
	p.types(`/call Read {"path":"README.md"}`)
	p.sees(`# Toolcrib`, `done after`)
	p.types(`/quit`)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.Wait(ctx); err != nil {
		t.Errorf("/quit: %v", err)
	}
}

func TestSessionRunsAnApprovedCommandInTheShell(t *testing.T) {
	p := openIn(t, workspace(t, nil), 120, 40)
	p.types(`/call Bash {"command":"echo hi-$((40+2)); exit 3"}`)
	p.sees(`Approve`, `Deny`, `Details`, `\[1/1\]`, `echo hi-\$\(\(40\+2\)\)`)
	p.presses(approveKeys + enter)
	p.sees(`(?m)^ *│ hi-42`, `(?m)^ *│ exit 3 *│`, `error after`)
	p.types(`/journal`)
	p.sees(`run_[A-Z0-9]+`, `shell`, `medium`, `allow`)
}

func TestSessionCtrlCInterruptsAHandedOffCommand(t *testing.T) {
	needsProc(t)
	p := openIn(t, workspace(t, nil), 120, 40)
	p.types(`/call Bash {"command":"sleep 600"}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.awaitsRunning("sleep 600", 1) // a shell misses a Ctrl-C that comes while it starts a program
	p.sees(shellHasKeys)
	p.presses(ctrlC)
	p.sees(`(?i)interrupted|SIGINT|exit 130`)
	// The shell is there for the next command.
	p.types(`/call Bash {"command":"echo next-$((2+2))"}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.sees(`next-4`)
}

func TestSessionPersonAnswersAPromptOfTheCommand(t *testing.T) {
	p := openIn(t, workspace(t, nil), 120, 40)
	p.types(`/call Bash {"command":"read -p 'Your name? ' n; echo \"hello <$n>\""}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.sees(`(?m)Your name\? *(│|$)`, shellHasKeys)
	p.types("Ada")
	p.sees(`hello <Ada>`, `exit 0`)
}

func TestSessionDeniesTheSecondOfThreeRequests(t *testing.T) {
	dir := workspace(t, nil)
	p := openIn(t, dir, 120, 40)
	for i, name := range []string{"one", "two", "three"} {
		p.types(`/call Bash {"command":"touch ` + name + `"}`)
		p.sees(`Approve`, `\[1/`+strconv.Itoa(i+1)+`\]`)
		if i == 0 {
			p.presses(nextPart) // from the card to the input line
		}
	}
	p.presses(nextPart + nextPart + nextPart) // on to the card
	p.sees(`Enter confirms`)
	p.presses(nextCard)
	p.sees(`\[2/3\]`)
	p.presses(denyKeys + enter)
	p.sees(`\[2/2\]`, `denied`)
	p.presses(approveKeys + enter)
	p.sees(`\[1/1\]`)
	p.presses(approveKeys + enter)
	p.sees(`(?s)done after.*done after`)
	p.types(`/journal`)
	p.sees(`journal, 3 decisions`, `touch one`, `touch two`, `touch three`)
	for name, made := range map[string]bool{"one": true, "two": false, "three": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != made {
			t.Errorf("%s: made = %t, want %t", name, err == nil, made)
		}
	}
}

// clicks presses and releases the left button on a text of the screen.
func (p *person) clicks(text string) {
	p.t.Helper()
	for y, row := range strings.Split(p.sees(regexp.QuoteMeta(text)), "\n") {
		if before, _, found := strings.Cut(row, text); found {
			x := utf8.RuneCountInString(before) + 2
			p.presses(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y+1, x, y+1))
			return
		}
	}
}

func TestSessionShowsTheDiffAndApprovesByMouseOnASmallTerminal(t *testing.T) {
	dir := workspace(t, map[string]string{"greet.txt": "hello\n"})
	p := openIn(t, dir, 80, 24)
	p.types(`/call Edit {"path":"greet.txt","old_string":"hello","new_string":"good day"}`)
	p.sees(`-hello`, `\+good day`, `\[1/1\]`, `Enter confirms`)
	p.clicks(`Approve`)
	p.sees(`done after`)
	if data, err := os.ReadFile(filepath.Join(dir, "greet.txt")); err != nil || string(data) != "good day\n" {
		t.Errorf("greet.txt = %q, %v", data, err)
	}
}

func TestSessionTypingDoesNotAnswerACard(t *testing.T) {
	dir := workspace(t, nil)
	p := openIn(t, dir, 120, 40)
	p.types(`/call Bash {"command":"touch made"}`)
	p.sees(`Approve`)
	p.types(`yes, ok`)
	p.types(``)
	p.sees(`Approve`, `\[1/1\]`)
	p.presses(escape)
	p.sees(`(?i)cancel`)
	p.seesGone(`\[1/1\]`)
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		t.Error("the command ran")
	}
	if screen := p.Text(); strings.Contains(screen, "yes, ok") {
		t.Errorf("what was typed on the card went somewhere:\n%s", screen)
	}
}

func TestSessionTrustsAWorkspaceWithOneKey(t *testing.T) {
	dir := workspace(t, map[string]string{
		"config.hcl": "toolcrib {}\nplugin \"words\" {\n  command = [\"words\"]\n}\n",
		"three.txt":  "one two three\n",
	})
	p := openIn(t, dir, 120, 40)
	p.sees(`trust this workspace`, `words`, `sha256`)
	p.presses("t")
	p.sees(`words__count`)
	p.types(`/call words__count {"path":"three.txt"}`)
	p.sees(`"words": ?3`)
}

func TestSessionInZsh(t *testing.T) {
	zsh, err := exec.LookPath("zsh")
	if err != nil {
		t.Skip("zsh is not installed")
	}
	p := openIn(t, workspace(t, nil), 120, 40, "SHELL="+zsh)
	p.types(`/call Bash {"command":"echo $ZSH_VERSION-$((40+2)); (exit 3)"}`)
	p.sees(`Approve`)
	p.presses(approveKeys + enter)
	p.sees(`\d+\.\d+(\.\d+)?-42`, `exit 3 failed`)
}

func TestSessionAndItsShellFollowTheSizeOfTheTerminal(t *testing.T) {
	p := openIn(t, workspace(t, nil), 120, 40)
	if err := p.Resize(80, 24); err != nil {
		t.Fatal(err)
	}
	p.sees(`(?m)^─ shell ─+$`) // below the transcript, no longer beside it
	p.types(`!stty size`)
	p.sees(`(?m)^\d+ 80$`)
}
