package builtin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcrib/toolcrib/sdk"
)

func TestBash(t *testing.T) {
	for name, tc := range map[string]struct {
		command string
		want    string
		status  status
		exit    int
	}{
		"success":                           {"echo hi", "hi\nexit 0", completed, 0},
		"no output":                         {"true", "exit 0", completed, 0},
		"an exit code":                      {"echo hi; exit 3", "hi\nexit 3", failed, 3},
		"a last line without its end":       {"printf hi", "hi\nexit 0", completed, 0},
		"both streams in order":             {"echo a; echo b >&2; echo c", "a\nb\nc\nexit 0", completed, 0},
		"standard input is empty":           {"cat; echo end", "end\nexit 0", completed, 0},
		"there is no terminal":              {"(: </dev/tty) 2>/dev/null || echo none", "none\nexit 0", completed, 0},
		"it is bash":                        {"[[ abc == a* ]] && echo yes", "yes\nexit 0", completed, 0},
		"a signal":                          {"kill -INT $$", "killed by SIGINT", failed, 130},
		"a signal that is not caught":       {"kill -KILL $$", "killed by SIGKILL", failed, 137},
		"a command that is not there":       {"no-such-command 2>/dev/null", "exit 127", failed, 127},
		"output that is not UTF-8":          {`printf '\377'`, "\ufffd\nexit 0", completed, 0},
		"several lines":                     {"echo a\necho b", "a\nb\nexit 0", completed, 0},
		"a syntax error is the shell's own": {"if", "", failed, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkspace(t, "")
			result := w.call(t.Context(), "Bash", bashInput{Command: tc.command}, nil)
			if got := text(result); tc.want != "" && got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			out := structured[bashOutput](t, result)
			if out.Status != tc.status || out.ExitCode == nil || *out.ExitCode != tc.exit || out.Dir != w.dir {
				t.Errorf("got %s", result.Structured)
			}
			if result.IsError != (tc.exit != 0) {
				t.Errorf("IsError is %v", result.IsError)
			}
		})
	}
}

func TestBashRunsInAFolder(t *testing.T) {
	w := newWorkspace(t, "")
	if err := os.Mkdir(w.path("sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct{ dir, want string }{
		"the workspace":      {"", w.dir},
		"a relative folder":  {"sub", w.path("sub")},
		"an absolute folder": {w.path("sub"), w.path("sub")},
	} {
		t.Run(name, func(t *testing.T) {
			result := w.call(t.Context(), "Bash", bashInput{Command: "pwd -P", Dir: tc.dir}, nil)
			if got := text(result); got != tc.want+"\nexit 0" {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestBashRefuses(t *testing.T) {
	w := newWorkspace(t, `{"bash":{"max_timeout":"1m"}}`)
	w.write("file", "")
	for name, tc := range map[string]struct {
		input bashInput
		field string
		want  string
	}{
		"no command":               {bashInput{Command: " \n"}, "command", "empty"},
		"a zero byte":              {bashInput{Command: "a\x00b"}, "command", "zero byte"},
		"too long a timeout":       {bashInput{Command: "true", TimeoutMS: 60_001}, "timeout_ms", "from 1 to 60000"},
		"a negative timeout":       {bashInput{Command: "true", TimeoutMS: -1}, "timeout_ms", "from 1 to 60000"},
		"a folder that is missing": {bashInput{Command: "true", Dir: "gone"}, "dir", "does not exist"},
		"a file as a folder":       {bashInput{Command: "true", Dir: "file"}, "dir", "not a folder"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := w.plan("Bash", tc.input)
			if len(plan.Errors) != 1 || plan.Errors[0].Path != "/"+tc.field {
				t.Errorf("planned %+v", plan)
			}
			wantError(t, w.call(t.Context(), "Bash", tc.input, nil), tc.want)
		})
	}
}

func TestPlanOfACommandIsTheCommand(t *testing.T) {
	w := newWorkspace(t, "")
	plan := w.plan("Bash", bashInput{Command: "touch ran"})
	if want := (sdk.Preview{Kind: sdk.PreviewCommand, Text: "touch ran"}); plan.Preview != want {
		t.Errorf("got %+v", plan.Preview)
	}
	w.onlyHas()
}

func TestBashTimesOut(t *testing.T) {
	w := newWorkspace(t, "")
	result := w.call(t.Context(), "Bash", bashInput{Command: "echo before; sleep 600", TimeoutMS: 200}, nil)
	wantError(t, result, "before\n", "timed out after 200ms", "timeout_ms may be up to 600000")
	if out := structured[bashOutput](t, result); out.Status != timedOut {
		t.Errorf("got %s", result.Structured)
	}
}

func TestCancellingEndsEverythingTheCommandStarted(t *testing.T) {
	for name, command := range map[string]string{
		"a child":                        "sleep 600 & echo $!; wait",
		"a child that ignores SIGTERM":   "(trap '' TERM; exec sleep 600) & echo $!; wait",
		"a shell that ignores it, too":   "trap '' TERM; sleep 600 & echo $!; wait; wait; sleep 600",
		"a child with another output":    "sleep 600 >/dev/null 2>&1 & echo $!; wait",
		"a grandchild behind a pipeline": "(sleep 600 & echo $!; wait) | cat",
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			printed := make(chan string, 1)
			c := endless(command)
			c.dir = t.TempDir()
			ended := make(chan outcome)
			go func() {
				ended <- c.run(ctx, func(data []byte) error { printed <- string(data); return nil })
			}()
			pid, err := strconv.Atoi(strings.TrimSpace(<-printed))
			if err != nil {
				t.Fatal(err)
			}
			cancel(errors.New("the person gave up"))
			o := <-ended
			if o.status != cancelled || o.ending(0) != "cancelled: the person gave up" {
				t.Errorf("got %+v", o)
			}
			waitGone(t, pid)
		})
	}
}

func endless(line string) command { return command{line: line, timeout: time.Hour} }

// waitGone waits until a process has ended, whoever reaps it.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for syscall.Kill(pid, 0) == nil && !zombie(pid) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d is still there", pid)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// zombie reports whether a process has ended and nobody asked how.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestWhatIsLeftInTheBackgroundIsStopped(t *testing.T) {
	w := newWorkspace(t, "")
	for name, command := range map[string]string{
		"with the command's output": "sleep 600 & echo $!",
		"with another output":       "sleep 600 >/dev/null 2>&1 & echo $!",
	} {
		t.Run(name, func(t *testing.T) {
			result := w.call(t.Context(), "Bash", bashInput{Command: command}, nil)
			first, rest, _ := strings.Cut(text(result), "\n")
			if rest != "[processes that the command left in the background were stopped]\nexit 0" {
				t.Errorf("got %q", text(result))
			}
			pid, err := strconv.Atoi(first)
			if err != nil {
				t.Fatal(err)
			}
			waitGone(t, pid)
		})
	}
}

func TestOutputComesWhileTheCommandRuns(t *testing.T) {
	w := newWorkspace(t, "")
	c := endless("echo first; while [ ! -e go ]; do sleep 0.01; done; echo second >&2")
	c.dir = w.dir
	var got strings.Builder
	o := c.run(t.Context(), func(data []byte) error {
		got.Write(data)
		w.write("go", "")
		return nil
	})
	if got.String() != "first\nsecond\n" || o.output != got.String() {
		t.Errorf("got %q, then %q", got.String(), o.output)
	}
}

func TestNobodyListeningStopsNoCommand(t *testing.T) {
	c := endless("seq 100000 | tail -n 1")
	c.dir = t.TempDir()
	calls := 0
	o := c.run(t.Context(), func([]byte) error { calls++; return errors.New("gone") })
	if o.output != "100000\n" || calls != 1 {
		t.Errorf("got %q after %d calls", o.output, calls)
	}
}

func TestLargeOutputIsCutInTheMiddle(t *testing.T) {
	w := newWorkspace(t, "")
	result := w.call(t.Context(), "Bash", bashInput{Command: "seq 1000000"}, nil)
	out := structured[bashOutput](t, result)
	if out.OutputBytes != 6888896 || !out.Truncated {
		t.Errorf("got %s", result.Structured)
	}
	got := text(result)
	if len(got) > captureBytes+100 || !strings.HasPrefix(got, "1\n2\n") || !strings.HasSuffix(got, "\n1000000\nexit 0") {
		t.Errorf("got %d bytes: %.20q ... %q", len(got), got, got[len(got)-20:])
	}
	if omitted := out.OutputBytes - captureBytes; !strings.Contains(got, fmt.Sprintf("[... %d bytes omitted ...]", omitted)) {
		t.Errorf("it does not say that %d bytes are missing", omitted)
	}
}

func TestEndingOfAHandoff(t *testing.T) {
	for name, tc := range map[string]struct {
		result  sdk.HandoffResult
		want    string
		isError bool
	}{
		"exit 0":               {sdk.HandoffResult{Status: sdk.HandoffCompleted, ExitCode: new(0), Output: "hi\n"}, "hi\nexit 0", false},
		"exit 3":               {sdk.HandoffResult{Status: sdk.HandoffFailed, ExitCode: new(3)}, "exit 3", true},
		"an unknown exit":      {sdk.HandoffResult{Status: sdk.HandoffUntracked}, "exit status unknown", true},
		"no exit code":         {sdk.HandoffResult{Status: sdk.HandoffCompleted}, "exit status unknown", true},
		"Ctrl-C":               {sdk.HandoffResult{Status: sdk.HandoffInterrupted, ExitCode: new(130), Signal: "SIGINT"}, "killed by SIGINT", true},
		"Ctrl-C without more":  {sdk.HandoffResult{Status: sdk.HandoffInterrupted}, "interrupted", true},
		"Ctrl-C with a code":   {sdk.HandoffResult{Status: sdk.HandoffInterrupted, ExitCode: new(130)}, "interrupted, exit 130", true},
		"a timeout":            {sdk.HandoffResult{Status: sdk.HandoffTimedOut}, "timed out after 1m0s; timeout_ms may be up to 600000", true},
		"not executed":         {sdk.HandoffResult{Status: sdk.HandoffNotExecuted, Reason: "the shell is busy"}, "not executed: the shell is busy", true},
		"another folder after": {sdk.HandoffResult{Status: sdk.HandoffCompleted, ExitCode: new(0), StartDir: "/a", EndDir: "/b"}, "[the shell is now in /b]\nexit 0", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := &basher{limits: limits{maxTimeout: defaultMaxTimeout}}
			result, err := b.result(ofHandoff(&tc.result, time.Minute))
			if err != nil || text(result) != tc.want || result.IsError != tc.isError {
				t.Errorf("got %+v, %v", result, err)
			}
			if out := structured[bashOutput](t, result); (out.ExitCode == nil) != (tc.result.ExitCode == nil) || out.Status != status(tc.result.Status) {
				t.Errorf("got %s", result.Structured)
			}
		})
	}
}
