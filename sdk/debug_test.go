package sdk

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/toolcrib/toolcrib/sdk/proto"
)

// debugged starts this binary as a provider without a host. It returns the
// process and the two values it prints for ReattachEnv.
func debugged(t *testing.T, home string, command ...string) (process *exec.Cmd, inline, file string) {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), roleEnv+"=words", "HOME="+home, "XDG_CACHE_HOME="+home, "GORACE=atexit_sleep_ms=0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	var values []string
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if _, value, found := strings.Cut(lines.Text(), "export "+ReattachEnv+"="); found {
			values = append(values, strings.Trim(value, "'"))
		}
		if strings.Contains(lines.Text(), "Ctrl-C") {
			break
		}
	}
	if len(values) != 2 {
		t.Fatalf("it prints %q, want two values", values)
	}
	return cmd, values[0], values[1]
}

func TestServeWithoutAHost(t *testing.T) {
	home := t.TempDir()
	process, inline, file := debugged(t, home, os.Args[0], "--debug")

	written, err := os.ReadFile(file)
	if err != nil || strings.TrimSpace(string(written)) != inline {
		t.Errorf("the file has %q (%v), want what was printed, %q", written, err, inline)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v; want mode 0600", info.Mode(), err)
	}
	if rest, err := filepath.Glob(filepath.Join(filepath.Dir(file), ".new-*")); len(rest) > 0 {
		t.Errorf("it leaves %q (%v)", rest, err)
	}

	var reattach map[string]Reattach
	if err := json.Unmarshal([]byte(inline), &reattach); err != nil {
		t.Fatal(err)
	}
	words := reattach["words"]
	if words.Network != "unix" || words.PID != process.Process.Pid || words.ProtocolVersion != ProtocolVersion {
		t.Errorf("it listens at %+v", words)
	}
	conn, err := grpc.NewClient("unix:"+words.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := proto.NewProviderClient(conn)
	// Stop is what a host sends when it is done with a provider.
	if _, err := client.Stop(t.Context(), &proto.StopRequest{}); err != nil {
		t.Fatal(err)
	}
	if d, err := client.Describe(t.Context(), &proto.DescribeRequest{}); err != nil || d.GetName() != "words" {
		t.Errorf("after Stop it describes itself as %v, %v", d, err)
	}

	if err := process.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("interrupted, it ends with %v", err)
	}
	if _, err := os.Stat(filepath.Dir(words.Address)); !os.IsNotExist(err) {
		t.Errorf("its socket is left (%v)", err)
	}
}

func TestServeWithoutAHostByEnvironment(t *testing.T) {
	t.Setenv(DebugEnv, "1")
	debugged(t, t.TempDir(), os.Args[0])
}
