package terminal

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostVariable makes the test binary a host that opens a shell, one that ignores
// hangups even, and waits to be killed.
const hostVariable = "TERMINAL_TEST_HOST"

func beHost() {
	term, err := Open(context.Background(), Config{Shell: os.Getenv(hostVariable)})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	r, err := term.Run(context.Background(), Handoff{Command: "trap '' HUP"})
	if err != nil {
		fmt.Println("run:", err, r)
		os.Exit(1)
	}
	fmt.Println("ready", term.inst.proc.pid)
	select {}
}

func TestTheShellDiesWithAKilledHost(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		host := exec.Command(os.Args[0])
		host.Env = append(os.Environ(), hostVariable+"="+shell, "HOME="+t.TempDir())
		out, err := host.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := host.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = host.Wait() }() // it was killed
		line, err := bufio.NewReader(out).ReadString('\n')
		var pid int
		if _, scanErr := fmt.Sscanf(line, "ready %d", &pid); scanErr != nil {
			_ = host.Process.Kill()
			t.Fatalf("the host said %q: %v, %v", line, err, scanErr)
		}
		if err := host.Process.Signal(unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for late := time.Now().Add(deadline); running(pid); {
			if time.Now().After(late) {
				t.Fatal("the shell runs on")
			}
			time.Sleep(time.Millisecond) // nothing tells of a stranger's end
		}
	})
}
