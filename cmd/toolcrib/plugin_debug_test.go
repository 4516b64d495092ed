package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
)

// debugWorkspace declares words, of which a person runs another process.
type debugWorkspace struct {
	*testing.T
	dir  string
	env  []string
	file string // what ReattachEnv is set to
}

func newDebugWorkspace(t *testing.T) *debugWorkspace {
	w := &debugWorkspace{T: t, dir: t.TempDir(), env: environment(t.TempDir())}
	program, err := exec.LookPath(filepath.Join(programs, "words"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"config.hcl": "toolcrib {}\nplugin \"words\" {\n  command = [\"" + program + "\"]\n}\n",
		"three.txt":  "one two three\n",
	} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// debug starts words as a person would who debugs it.
func (w *debugWorkspace) debug() *exec.Cmd {
	w.Helper()
	cmd := exec.Command(filepath.Join(programs, "words"), "--debug")
	cmd.Dir, cmd.Env = w.dir, w.env
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		w.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it takes its socket away
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(stdout); lines.Scan() && !strings.Contains(lines.Text(), "Ctrl-C"); {
		if _, path, found := strings.Cut(lines.Text(), "export "+sdk.ReattachEnv+"='/"); found {
			w.file = "/" + strings.TrimSuffix(path, "'")
		}
	}
	if w.file == "" {
		w.Fatal("it names no file")
	}
	w.env = append(w.env, sdk.ReattachEnv+"="+w.file)
	return cmd
}

// toolcrib runs the program and returns what it printed.
func (w *debugWorkspace) toolcrib(args ...string) (stdout, stderr string) {
	w.Helper()
	cmd := exec.Command(filepath.Join(programs, "toolcrib"), args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run() // what it prints tells
	return out.String(), errs.String()
}

func (w *debugWorkspace) wants(text, part string) {
	w.Helper()
	if !strings.Contains(text, part) {
		w.Errorf("got %q, want it to have %q", text, part)
	}
}

func TestDebuggedPluginIsUsedAsItRuns(t *testing.T) {
	w := newDebugWorkspace(t)
	words := w.debug()

	// Running a plugin is not agreeing to it.
	_, stderr := w.toolcrib("call", "words__count", `{"path":"three.txt"}`)
	w.wants(stderr, "not trusted")
	w.wants(stderr, "there is no tool")
	w.toolcrib("trust", "--yes")

	stdout, stderr := w.toolcrib("call", "words__count", `{"path":"three.txt"}`)
	w.wants(stdout, `"words":3`)
	w.wants(stderr, "provider words is ready: not started by toolcrib: "+sdk.ReattachEnv+" names pid ")
	if stdout, _ = w.toolcrib("call", "words__count", `{"path":"three.txt"}`); !strings.Contains(stdout, `"words":3`) {
		t.Errorf("the next host gets %q", stdout)
	}

	// A process that is gone is a diagnostic, and no reason to start another.
	_ = words.Process.Signal(syscall.SIGTERM)
	_ = words.Wait()
	stdout, stderr = w.toolcrib("call", "words__count", `{"path":"three.txt"}`)
	if stdout != "" {
		t.Errorf("without its process it answers %q", stdout)
	}
	w.wants(stderr, "provider words is stopped")
	w.wants(stderr, "start the provider with --debug and set the variable to what it prints, or unset it")
}
