package plugin

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// hostProcess is a process in the role of a host.
type hostProcess struct {
	*exec.Cmd
	terminal *os.File // its controlling terminal, and where it prints
	children []int    // a provider and what that has started
}

func startHost(t *testing.T) *hostProcess {
	t.Helper()
	h := &hostProcess{Cmd: exec.Command(testSpec("").Program.Path())}
	h.Env = append(os.Environ(), roleEnv+"=host")
	terminal, err := pty.Start(h.Cmd)
	if err != nil {
		t.Fatal(err)
	}
	h.terminal = terminal
	t.Cleanup(func() {
		terminal.Close()
		_ = h.Process.Kill()
		_ = h.Wait()
	})
	line, err := bufio.NewReader(terminal).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range strings.Fields(line) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			rest, _ := io.ReadAll(terminal)
			t.Fatalf("the host prints %s%s", line, rest)
		}
		h.children = append(h.children, pid)
	}
	return h
}

func TestNothingOutlivesAHostThatIsEndedBy(t *testing.T) {
	send := func(signal syscall.Signal) func(*testing.T, *hostProcess) {
		return func(t *testing.T, h *hostProcess) {
			if err := h.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
		}
	}
	for claim, end := range map[string]func(*testing.T, *hostProcess){
		"SIGKILL": send(syscall.SIGKILL),
		"SIGTERM": send(syscall.SIGTERM),
		"SIGHUP":  send(syscall.SIGHUP),
		"SIGINT":  send(syscall.SIGINT),
		"its terminal being closed": func(t *testing.T, h *hostProcess) {
			if err := h.terminal.Close(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(claim, func(t *testing.T) {
			leaveNothing(t)
			h := startHost(t)
			ended := time.Now()
			end(t, h)
			for _, pid := range h.children {
				waitGone(t, pid)
			}
			t.Logf("all was gone after %s", time.Since(ended))
			_ = h.Wait()
		})
	}
}
