package policy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"

	"github.com/toolcrib/toolcrib/host/pool"
)

// stub writes its name and arguments in one write, each with a NUL behind it, and
// an end mark.
const stub = "#!/bin/sh\nprintf '%s\\0' \"${0##*/}\" \"$@\" \"$(printf '\\001')\" >>\"$STUB_LOG\"\n"

// stubs are commands that do nothing but write down how they were called; real
// are those that run others, and are the real ones.
var (
	stubs = []string{"alpha", "beta", "gamma", "rm", "git"}
	real  = []string{"env", "timeout", "nice", "nohup", "xargs", "find", "sh", "bash", "stdbuf", "setsid", "cat", "true", "false"}
)

// shell is a real bash whose PATH holds the stubs and the real runners alone.
type shell struct{ bash, bin, dir, logs string }

func newShell(t testing.TB) shell {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash to compare with")
	}
	root := t.TempDir()
	s := shell{bash, filepath.Join(root, "bin"), filepath.Join(root, "dir"), filepath.Join(root, "logs")}
	for _, dir := range []string{s.bin, s.logs, filepath.Join(s.dir, "sub")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range stubs {
		if err := os.WriteFile(filepath.Join(s.bin, name), []byte(stub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range real {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(s.bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"a.txt", "b.txt", "rm.txt", "sub/c.txt"} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte("gamma\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// run runs a script and returns the calls of stubs.
func (s shell) run(script string) ([][]string, error) {
	log, err := os.CreateTemp(s.logs, "")
	if err != nil {
		return nil, err
	}
	defer os.Remove(log.Name())
	defer log.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.bash, "--noprofile", "--norc", "-c", script)
	cmd.Dir = s.dir
	// What runs in the background keeps the output open, and is waited for.
	cmd.Stdout, cmd.WaitDelay = new(bytes.Buffer), 10*time.Second
	// With this home directory, a tilde stays a tilde.
	// FUNCNEST ends functions that call themselves, which would fill the machine.
	cmd.Env = []string{"PATH=" + s.bin, "HOME=~", "STUB_LOG=" + log.Name(), "LC_ALL=C.UTF-8", "FUNCNEST=3"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, err
	}
	text, err := io.ReadAll(log)
	if err != nil {
		return nil, err
	}
	var calls [][]string
	for _, call := range strings.Split(string(text), "\x00\x01\x00") {
		if call != "" {
			calls = append(calls, strings.Split(call, "\x00"))
		}
	}
	return calls, nil
}

// listed tells whether the analysis listed a call: for sure, or as one that may
// be where words are not known.
func listed(script *Script, argv []string) bool {
	text := strings.Join(argv, separator)
	for _, command := range script.Commands {
		for _, form := range command.forms {
			if form.exact == text {
				return true
			}
			if form.loose != "" && overlaps(foldName(text), form.loose) {
				return true
			}
		}
	}
	return false
}

// TestAnalysisListsWhatBashRuns generates scripts and runs them with a real bash:
// every command that ran is one that the analysis listed, or the script runs
// another one that it says it does not know.
func TestAnalysisListsWhatBashRuns(t *testing.T) {
	s := newShell(t)
	rapid.Check(t, func(t *rapid.T) { compare(t, s) })
}

func FuzzAnalysisListsWhatBashRuns(f *testing.F) {
	s := newShell(f)
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { compare(t, s) }))
}

func compare(t *rapid.T, s shell) {
	text := scriptGen(3).Draw(t, "script")
	calls, err := s.run(text)
	if err != nil {
		t.Fatal(err)
	}
	script := Analyze(text)
	if script.Refused != "" || script.Opaque {
		return
	}
	for _, argv := range calls {
		if !listed(script, argv) {
			var names []string
			for _, command := range script.Commands {
				names = append(names, command.String())
			}
			t.Fatalf("bash ran %q\nin %q\nand the analysis lists %q, dynamic %q", argv, text, names, script.Dynamic)
		}
	}
}

// scriptGen generates scripts that nest depth deep.
func scriptGen(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(commandGen(depth), 1, 3).Draw(t, "parts")
		text := parts[0]
		for _, part := range parts[1:] {
			text += rapid.SampledFrom([]string{"; ", " && ", " || ", " | ", "\n", " & ", " |& "}).Draw(t, "joint") + part
		}
		return text
	})
}

func commandGen(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kind := rapid.IntRange(0, 18).Draw(t, "kind")
		if depth == 0 {
			kind %= 5
		}
		inner := func() string { return scriptGen(depth-1).Draw(t, "inner") }
		switch kind {
		case 5:
			return "(" + inner() + ")"
		case 6:
			return "{ " + inner() + "\n}"
		case 7:
			return "if " + inner() + "\nthen " + inner() + "\nelse " + inner() + "\nfi"
		case 8:
			return "for v in a b\ndo " + inner() + "\ndone"
		case 9:
			return "case a in a) " + inner() + ";; esac"
		case 10:
			return "f() { " + inner() + "\n}; f"
		case 11:
			return "alpha $(" + inner() + "\n)"
		case 12:
			return "alpha \"x $(" + inner() + "\n)\""
		case 13:
			return "bash -c " + quote(inner())
		case 14:
			return "eval " + quote(inner())
		case 15:
			return "alpha <<E\n$(" + inner() + "\n)\nE\n"
		case 16:
			return "x=$(" + inner() + "\n)"
		case 17:
			return "cat <(" + inner() + "\n)"
		case 18:
			return "sh <<'E'\n" + inner() + "\nE\n"
		}
		return simpleGen().Draw(t, "simple")
	})
}

// simpleGen generates one command: assignments, wrappers, a name in disguise, and
// arguments.
func simpleGen() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var words []string
		switch rapid.IntRange(0, 9).Draw(t, "front") {
		case 0:
			words = append(words, "x="+wordGen().Draw(t, "value"))
		case 1:
			return "x=" + wordGen().Draw(t, "value")
		case 2:
			return "cd " + rapid.SampledFrom([]string{"sub", "..", ".", "/", "nowhere"}).Draw(t, "dir")
		case 3:
			return "echo gamma a | xargs " + rapid.SampledFrom([]string{"", "-n1 ", "-I{} "}).Draw(t, "options") + wordGen().Draw(t, "command")
		case 4:
			return "find . -name a.txt -exec " + wordGen().Draw(t, "command") + " {} \\;"
		}
		words = append(words, rapid.SliceOfN(rapid.SampledFrom([]string{
			"env", "env -i PATH=\"$PATH\" STUB_LOG=\"$STUB_LOG\"", "timeout 5", "timeout -k 1 5", "nice", "nice -n 1", "nohup", "command", "builtin", "time", "exec",
			"env y=1", "stdbuf -oL", "command -v", "!", "setsid -w", "env -u x", "time -p", ">/dev/null", "2>&1",
		}), 0, 2).Draw(t, "wrappers")...)
		words = append(words, rapid.SliceOfN(wordGen(), 1, 4).Draw(t, "words")...)
		return strings.Join(words, " ")
	})
}

func wordGen() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		word := rapid.SampledFrom([]string{"alpha", "beta", "rm", "git", "-x", "a b", "", "x;rm", "*", "~", "a.txt"}).Draw(t, "word")
		switch rapid.IntRange(0, 9).Draw(t, "disguise") {
		case 0:
			return quote(word)
		case 1:
			return `"` + strings.NewReplacer(`"`, `\"`, "$", `\$`).Replace(word) + `"`
		case 2:
			if len(word) > 1 {
				return word[:1] + `""` + `\` + word[1:]
			}
		case 3:
			if len(word) > 1 && !strings.ContainsAny(word, " ;*~") {
				return word[:1] + "\\\n" + word[1:]
			}
		case 4:
			return "$'" + fmt.Sprintf("\\x%02x", append([]byte(word), 'x')[0]) + "'" + quote(word[min(1, len(word)):])
		case 5:
			return "$x"
		case 6:
			return "${x}"
		case 7:
			return "{" + quote(word) + ",beta}"
		case 8:
			return rapid.SampledFrom([]string{"*.txt", "r?.txt", "a[.]txt", "${x:-rm}", "$((1+2))", "~/x", "\"$x\"", "{1..3}", "`echo rm`", "a{b", "x=1"}).Draw(t, "odd")
		}
		return quote(word)
	})
}

func quote(text string) string {
	quoted, err := syntax.Quote(text, syntax.LangBash)
	if err != nil {
		return "''"
	}
	return quoted
}

// TestAllowedScriptsRunWhatIsAllowed runs the generated scripts that rules for
// alpha allow: bash runs nothing else.
func TestAllowedScriptsRunWhatIsAllowed(t *testing.T) {
	s := newShell(t)
	var allow []Rule
	for _, text := range []string{"Bash(alpha *)", "Bash(beta)", "Edit(/out/**)"} {
		rule, err := ParseRule(text, Allow, Place{})
		if err != nil {
			t.Fatal(err)
		}
		allow = append(allow, rule)
	}
	engine := New(allow, Auto).WithReadOnlyCommands(true)
	allowed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := scriptGen(2).Draw(t, "script")
		if rapid.Bool().Draw(t, "mostly alpha") {
			text = strings.NewReplacer("rm", "alpha", "git", "alpha", "beta", "alpha").Replace(text)
		}
		decision := engine.Judge(Call{Tool: bash, Workspace: s.dir, Subjects: []Subject{{Kind: pool.SubjectCommand, Value: text}}})
		if decision.Outcome != Allow {
			return
		}
		allowed++
		calls, err := s.run(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, argv := range calls {
			if argv[0] != "alpha" && (argv[0] != "beta" || len(argv) > 1) {
				t.Fatalf("bash ran %q in %q, which is allowed: %s", argv, text, decision.Reason)
			}
		}
	})
	t.Logf("%d scripts were allowed", allowed)
}
