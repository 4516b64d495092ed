package control_test

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/toolcrib/toolcrib/host"
	"github.com/toolcrib/toolcrib/host/front/control"
	"github.com/toolcrib/toolcrib/host/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// opened is a session in a workspace without providers, which listens.
func opened(t *testing.T, state string) *host.Host {
	t.Helper()
	h, err := host.Open(t.Context(), host.Options{
		Dir: t.TempDir(), StateDir: t.TempDir(), UserConfig: filepath.Join(t.TempDir(), "config.hcl"),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	server, err := control.Listen(state, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return h
}

// socketsIn lists the sockets below a state folder.
func socketsIn(t *testing.T, state string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(state, "sessions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAReloadReachesEverySessionOfTheWorkspace(t *testing.T) {
	state := t.TempDir()
	first, second := opened(t, state), opened(t, state)
	answers, err := control.Ask(t.Context(), state, control.Request{Command: control.CommandReload})
	if err != nil || len(answers) != 2 {
		t.Fatalf("answers = %+v, %v, want two", answers, err)
	}
	for _, answer := range answers {
		if answer.Report == nil || !answer.Report.Trusted || answer.PID != os.Getpid() {
			t.Errorf("answer = %+v", answer)
		}
	}
	for _, h := range []*host.Host{first, second} {
		events := h.Events().Since(0)
		notice, ok := events[len(events)-1].Body.(session.Notice)
		if !ok || !strings.Contains(notice.Text, "from another shell") {
			t.Errorf("the session was told %+v", events)
		}
	}
}

func TestWhatASessionCannotDoIsAnsweredWithAHint(t *testing.T) {
	state := t.TempDir()
	opened(t, state)
	tests := map[string]struct {
		request control.Request
		says    string
	}{
		"a provider that there is not": {control.Request{Command: control.CommandReload, Provider: "wrods"}, `no provider "wrods"`},
		"a command that there is not":  {control.Request{Command: "trust"}, `no command "trust"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			answers, err := control.Ask(t.Context(), state, tt.request)
			if err != nil || len(answers) != 1 {
				t.Fatalf("answers = %+v, %v", answers, err)
			}
			if a := answers[0]; a.Report != nil || !strings.Contains(a.Error, tt.says) {
				t.Errorf("answer = %+v, want %q", a, tt.says)
			}
		})
	}
}

func TestNobodyAnswersWhereNoSessionRuns(t *testing.T) {
	state := t.TempDir()
	ask := func() error {
		_, err := control.Ask(t.Context(), state, control.Request{Command: control.CommandReload})
		return err
	}
	if err := ask(); !errors.Is(err, control.ErrNoSession) {
		t.Errorf("err = %v without a folder", err)
	}
	leaveSocket(t, state)
	if err := ask(); !errors.Is(err, control.ErrNoSession) {
		t.Errorf("err = %v with a socket of a dead process", err)
	}
}

// leaveSocket leaves a socket as a killed session does.
func leaveSocket(t *testing.T, state string) string {
	t.Helper()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(state, "sessions", strconv.Itoa(dead.Process.Pid)+"-ABCDEF.sock")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	listener.SetUnlinkOnClose(false)
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSocketsOfDeadSessionsAreSweptAndOnesOwnIsRemoved(t *testing.T) {
	state := t.TempDir()
	left := leaveSocket(t, state)
	t.Run("session", func(t *testing.T) {
		opened(t, state)
		if _, err := os.Lstat(left); err == nil || len(socketsIn(t, state)) != 1 {
			t.Errorf("sockets are %q, want only that of the session", socketsIn(t, state))
		}
	})
	if all := socketsIn(t, state); len(all) != 0 {
		t.Errorf("%q are left", all)
	}
}

func TestALongStateFolderStillHasASocket(t *testing.T) {
	state := filepath.Join(t.TempDir(), strings.Repeat("deep/", 40))
	opened(t, state)
	if answers, err := control.Ask(t.Context(), state, control.Request{Command: control.CommandReload}); err != nil || len(answers) != 1 {
		t.Errorf("answers = %+v, %v", answers, err)
	}
}

func TestAFolderThatOthersMayUseIsRefused(t *testing.T) {
	state := t.TempDir()
	if err := os.Mkdir(filepath.Join(state, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(state, "sessions"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Listen(state, nil); err == nil {
		t.Error("it was used")
	}
}

func TestASilentConnectionDelaysNeitherOthersNorTheEnd(t *testing.T) {
	state := t.TempDir()
	var silent net.Conn
	t.Cleanup(func() { silent.Close() }) // after the session has ended
	opened(t, state)
	silent = dial(t, state)
	if answers, err := control.Ask(t.Context(), state, control.Request{Command: control.CommandReload}); err != nil || len(answers) != 1 {
		t.Errorf("answers = %+v, %v", answers, err)
	}
}

func dial(t *testing.T, state string) net.Conn {
	t.Helper()
	connection, err := net.Dial("unix", socketsIn(t, state)[0])
	if err != nil {
		t.Fatal(err)
	}
	return connection
}

func TestARequestWithoutAnEndIsRefused(t *testing.T) {
	state := t.TempDir()
	opened(t, state)
	connection := dial(t, state)
	defer connection.Close()
	if _, err := io.WriteString(connection, `"`+strings.Repeat("x", 4095)); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(connection)
	if err != nil || !strings.Contains(string(answer), "does not end within 4096 bytes") {
		t.Errorf("answer = %s, %v", answer, err)
	}
}
