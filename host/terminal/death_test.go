package terminal

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostVariable makes the test binary a host that opens a shell and waits to be
// killed.
const hostVariable = "TERMINAL_TEST_HOST"

func beHost() {
	term, err := Open(context.Background(), Config{Shell: os.Getenv(hostVariable)})
	if err != nil {
		fmt.Println("open:", err)
		os.Exit(1)
	}
	r, err := term.Run(context.Background(), Handoff{Command: "sleep 600 & echo job $!"})
	if err != nil {
		fmt.Println("run:", err)
		os.Exit(1)
	}
	_, job, _ := strings.Cut(r.Output, "job ")
	fmt.Println("ready", term.inst.proc.pid, strings.TrimSpace(job))
	go func() { _, _ = term.Run(context.Background(), Handoff{Command: "sleep 600"}) }()
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
		var pid, job int
		if _, scanErr := fmt.Sscanf(line, "ready %d %d", &pid, &job); scanErr != nil {
			_ = host.Process.Kill()
			t.Fatalf("the host said %q: %v, %v", line, err, scanErr)
		}
		if err := host.Process.Signal(unix.SIGKILL); err != nil {
			t.Fatal(err)
		}
		for late := time.Now().Add(deadline); running(pid) || running(job); {
			if time.Now().After(late) {
				t.Fatalf("shell runs: %v, its job: %v", running(pid), running(job))
			}
			time.Sleep(time.Millisecond) // nothing tells of a stranger's end
		}
	})
}
