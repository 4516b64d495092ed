package plugin

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolcrib/toolcrib/sdk"
)

// debugged is a provider that runs without a host.
type debugged struct {
	*exec.Cmd
	reattach sdk.Reattach
	// file is the path that ReattachEnv may be set to.
	file string
}

// startDebugged starts the test binary as a person who debugs it would.
func startDebugged(t *testing.T, home string) *debugged {
	t.Helper()
	d := &debugged{Cmd: exec.Command(os.Args[0], "--debug")}
	d.Env = append(os.Environ(), roleEnv+"=provider", "HOME="+home, "XDG_CACHE_HOME="+home, "GORACE=atexit_sleep_ms=0")
	stdout, err := d.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.end)
	for lines := bufio.NewScanner(stdout); lines.Scan() && !strings.Contains(lines.Text(), "Ctrl-C"); {
		_, value, _ := strings.Cut(lines.Text(), "export "+sdk.ReattachEnv+"=")
		value = strings.Trim(value, "'")
		var named map[string]sdk.Reattach
		switch {
		case filepath.IsAbs(value):
			d.file = value
		case json.Unmarshal([]byte(value), &named) == nil:
			d.reattach = named["test"]
		}
	}
	if d.file == "" || d.reattach.PID != d.Process.Pid {
		t.Fatalf("it did not say where it is: %+v", d)
	}
	return d
}

// end lets the process take its socket away.
func (d *debugged) end() {
	_ = d.Process.Signal(syscall.SIGTERM)
	_ = d.Wait()
}

// unstartable declares the provider by a program that fails if it is started.
func unstartable() Spec { return testSpec("panics") }

func setReattach(t *testing.T, named map[string]sdk.Reattach) {
	t.Helper()
	value, err := json.Marshal(named)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(sdk.ReattachEnv, string(value))
}

func TestReattachUsesTheProcessAndLeavesItAlone(t *testing.T) {
	d := startDebugged(t, t.TempDir())
	setReattach(t, map[string]sdk.Reattach{"test": d.reattach})
	for range 2 { // hosts come and go
		s := NewSupervisor(unstartable(), Options{})
		l, err := s.Lease(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := callText(t, l, "echo", "hello"); got != "hello" {
			t.Errorf("echo answers %q", got)
		}
		status := s.Status()
		if status.PID != d.Process.Pid || status.State != Ready || !strings.Contains(status.Reason, "not started by toolcrib") {
			t.Errorf("status is %+v", status)
		}
		l.Release()
		s.Stop(context.Background())
	}
	if err := d.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the process did not survive its hosts: %v", err)
	}
}

func TestReattachReloadTakesTheProcessThatTheFileNames(t *testing.T) {
	home := t.TempDir()
	first := startDebugged(t, home)
	t.Setenv(sdk.ReattachEnv, first.file)
	s, l := startTest(t, "panics", Options{})
	l.Release()
	second := startDebugged(t, home)
	if replaced, err := s.Replace(t.Context(), unstartable()); !replaced || err != nil {
		t.Fatalf("Replace = %v, %v", replaced, err)
	}
	if got := s.Status().PID; got != second.Process.Pid {
		t.Errorf("pid is %d, want %d", got, second.Process.Pid)
	}
}

func TestReattachProcessThatEndsInACall(t *testing.T) {
	d := startDebugged(t, t.TempDir())
	setReattach(t, map[string]sdk.Reattach{"test": d.reattach})
	_, l := startTest(t, "panics", Options{})
	_, err := l.Call(t.Context(), request("exit", ""), quietHandler{})
	var exit *ExitError
	if !errors.As(err, &exit) || !exit.Attached || !strings.Contains(err.Error(), "start it again with --debug") {
		t.Errorf("error is %v", err)
	}
}

func TestReattachNeverStartsTheProgramInstead(t *testing.T) {
	gone := startDebugged(t, t.TempDir())
	gone.end()
	deadTCP := sdk.Reattach{Network: "tcp", Address: "127.0.0.1:1", ProtocolVersion: sdk.ProtocolVersion}
	newer := sdk.Reattach{Network: "unix", Address: "/x", ProtocolVersion: sdk.ProtocolVersion + 1}
	value := func(at sdk.Reattach) string {
		data, err := json.Marshal(map[string]sdk.Reattach{"test": at})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for claim, c := range map[string]struct{ value, want string }{
		"a process that is gone":     {gone.file, "no such file or directory; start the provider with --debug"},
		"a port that nobody serves":  {value(deadTCP), "connection refused; start the provider with --debug"},
		"a socket that is no path":   {value(sdk.Reattach{Network: "unix", Address: "/nowhere", ProtocolVersion: 1}), "no such file"},
		"another protocol version":   {value(newer), "it speaks version 2 of the plugin protocol, and toolcrib version 1"},
		"another kind of network":    {value(sdk.Reattach{Network: "udp", Address: "x"}), `there is no network "udp"`},
		"a value that is no JSON":    {"words=1", "set it to what a provider prints with --debug, or unset it"},
		"a file that does not exist": {"/nowhere/words.json", "unset the variable"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Setenv(sdk.ReattachEnv, c.value)
			s := newTest(t, testSpec("provider"), Options{})
			_, err := s.Lease(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
			if status := s.Status(); status.PID != 0 || status.State != Stopped || status.Crashes != 0 {
				t.Errorf("status is %+v, want a provider that was not started", status)
			}
		})
	}
}

func TestReattachConcernsTheNamedProviderOnly(t *testing.T) {
	setReattach(t, map[string]sdk.Reattach{"another": {Network: "unix", Address: "/nowhere"}})
	_, l := startTest(t, "provider", Options{})
	if got := callText(t, l, "echo", "hello"); got != "hello" {
		t.Errorf("echo answers %q", got)
	}
}
